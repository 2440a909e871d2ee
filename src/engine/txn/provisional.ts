// The commits that are not acknowledged yet. Later writers of this engine see their rows; these
// are put in order only when one of them begins, which for most commits never happens.
import type { Ts } from '../base/platform.ts';
import { Memtable } from '../kv/memtable.ts';
import type { RowSource } from '../kv/rows.ts';
import type { Commit } from './record.ts';

export class Provisional {
  private readonly commits = new Set<Commit>();
  /** Those of them whose rows are not in the table yet. */
  private readonly unsorted = new Set<Commit>();
  private readonly table = new Memtable();

  has(commit: Commit): boolean {
    return this.commits.has(commit);
  }

  /** The latest of their times; `least` when there is none after it. */
  latest(least: Ts): Ts {
    return Math.max(least, ...[...this.commits].map(({ ts }) => ts));
  }

  add(commit: Commit): void {
    this.commits.add(commit);
    this.unsorted.add(commit);
  }

  remove(commits: readonly Commit[]): void {
    for (const commit of commits) this.commits.delete(commit);
    for (const commit of commits) {
      if (this.unsorted.delete(commit) || this.commits.size === 0) continue;
      for (const { key } of commit.rows) this.table.delete(key);
    }
    if (this.commits.size === 0) this.table.clear();
  }

  /** Their rows as they are now. */
  snapshot(): RowSource {
    for (const { rows } of this.unsorted) for (const row of rows) this.table.put(row);
    this.unsorted.clear();
    return this.table.snapshot();
  }
}

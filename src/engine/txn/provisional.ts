// The commits that are not acknowledged yet. Later writers of this engine see their rows; these
// are put in order only when one of them begins, which for most commits never happens.
import type { Ts } from '../base/platform.ts';
import { Memtable } from '../kv/memtable.ts';
import type { RowSource } from '../kv/rows.ts';
import type { Commit } from './record.ts';

export class Provisional {
  private readonly commits = new Set<Commit>();
  /** Those of them that are not in the table, as long as there is one. */
  private readonly unsorted = new Set<Commit>();
  /** `null` where the rows of all of them have to be put into a new one. */
  private table: Memtable | null = null;

  has(commit: Commit): boolean {
    return this.commits.has(commit);
  }

  /** The earliest of their times; `Infinity` where there is none. */
  get first(): Ts {
    let first = Infinity;
    for (const { ts } of this.commits) first = Math.min(first, ts);
    return first;
  }

  /** The latest of their times; `least` when there is none after it. */
  latest(least: Ts): Ts {
    let latest = least;
    // There may be more than a call takes arguments.
    for (const { ts } of this.commits) latest = Math.max(latest, ts);
    return latest;
  }

  add(commit: Commit): void {
    this.commits.add(commit);
    this.unsorted.add(commit);
  }

  /** A table that holds one of them is left to whoever reads it: a scan that waits in the middle must not miss what is acknowledged meanwhile. */
  remove(commits: readonly Commit[]): void {
    for (const commit of commits) {
      const isSorted = !this.unsorted.delete(commit);
      if (this.commits.delete(commit) && isSorted) this.table = null;
    }
  }

  /** Their rows as they are now, and perhaps those of later commits, which no reader of the present ones sees. */
  source(): RowSource {
    const table = this.table ?? new Memtable();
    for (const { rows } of this.table === null ? this.commits : this.unsorted) for (const row of rows) table.put(row);
    this.unsorted.clear();
    return (this.table = table);
  }
}

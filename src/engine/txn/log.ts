// The engine's view of the log: what it has applied, what it is about to append, and the
// transactions begun on it.
//
// A writer that ends takes a provisional time and joins the queue; its rows are readable by
// later writers of this engine at once, but by readers only when they are acknowledged. The
// queue goes to the log in groups, one at a time. If another engine appended first, the plan
// checks each member against what came between: members that lost, or that built on one
// that lost or changed its time, are run again by their callers.
import type { Key } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { seededRandom } from '../base/random.ts';
import type { LogRecord, LogStore } from '../kv/log-store.ts';
import { Memtable } from '../kv/memtable.ts';
import { type Commit, decodeCommits, encodeCommits } from './record.ts';
import { Txn } from './txn.ts';

/** A group is closed when it has grown to this many characters of keys and texts. */
const GROUP_SIZE = 1 << 20;
/** Hashes of request ids are kept this long (microseconds). */
const HASHES_KEPT: Ts = 15 * 60 * 1_000_000;

export type Outcome = { readonly kind: 'committed'; readonly ts: Ts } | { readonly kind: 'conflict' };

/** What the log says of a request that was already applied. */
export interface Applied {
  readonly ts: Ts;
  readonly now: Ts;
}

interface Waiting {
  readonly txn: Txn;
  readonly requestHash: Key;
  /** Provisional until it is appended. */
  commit: Commit;
  readonly size: number;
  /** Read the state left by writers that were not acknowledged yet. */
  readonly buildsOnPending: boolean;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

export class CommitLog {
  private readonly table = new Memtable();
  /** Number of the last record applied. */
  private record = 0;
  /** Last commit that is acknowledged; readers see up to here. */
  private acknowledged: Ts = 0;
  /** Last commit including provisional ones; writers see up to here. */
  private last: Ts = 0;
  private queue: Waiting[] = [];
  private inFlight: Waiting[] = [];
  private readonly hashes = new Map<Key, Applied>();
  /** Commits since the oldest writer that is still running began. */
  private recent: Commit[] = [];
  private readonly running = new Map<Txn, { readonly buildsOnPending: boolean }>();
  private refreshing: Promise<void> | null = null;
  private refreshNext: Promise<void> | null = null;
  /** Called with every commit once it is acknowledged, in order. */
  onCommit: (commit: Commit) => void = () => {};

  constructor(
    private readonly store: LogStore,
    private readonly platform: Platform,
  ) {}

  get lastCommit(): Ts {
    return this.acknowledged;
  }

  get appliedRecord(): number {
    return this.record;
  }

  /** Learns of every commit that was acknowledged anywhere before this call. */
  refresh(): Promise<void> {
    if (this.refreshing === null) {
      this.refreshing = this.readTail().finally(() => {
        this.refreshing = null;
      });
      return this.refreshing;
    }
    // The running look may have begun before the caller's cause: it needs the next one.
    this.refreshNext ??= this.refreshing
      .catch(() => {})
      .then(() => {
        this.refreshNext = null;
        return this.refresh();
      });
    return this.refreshNext;
  }

  private async readTail(): Promise<void> {
    const { records } = await this.store.tail(this.record);
    this.applyForeign(records);
  }

  /** When a request with this hash was applied already: its commit. */
  appliedRequest(requestHash: Key): Applied | undefined {
    return this.hashes.get(requestHash);
  }

  /** A transaction that only reads: the last acknowledged state, or an earlier one. */
  beginRead(requestId: string, at?: Applied): Txn {
    const snapshot = at === undefined ? this.acknowledged : at.ts - 1;
    const now = at?.now ?? Math.max(this.acknowledged, this.platform.now());
    return new Txn(this.table, snapshot, now, seededRandom(requestId, 0));
  }

  /** A transaction that may write: sees the writers before it, acknowledged or not. */
  beginWrite(requestId: string): Txn {
    const txn = new Txn(this.table, this.last, Math.max(this.last, this.platform.now()), seededRandom(requestId, 0));
    this.running.set(txn, { buildsOnPending: this.queue.length + this.inFlight.length > 0 });
    return txn;
  }

  /** Drops a transaction that failed or was begun in vain. */
  abandon(txn: Txn): void {
    this.running.delete(txn);
    this.forgetRecent();
  }

  /**
   * Ends a writer. Resolves once its writes are durable and everything it read is
   * acknowledged; a conflict asks the caller to run it again.
   * @throws StorageError when the log cannot be written
   */
  submit(txn: Txn, requestHash: Key): Promise<Outcome> {
    const { buildsOnPending = false } = this.running.get(txn) ?? {};
    this.abandon(txn);
    if (this.recent.some((commit) => commit.ts > txn.snapshot && txn.reads.touches(commit.rows.map((row) => row.key)))) {
      return Promise.resolve({ kind: 'conflict' });
    }
    if (!txn.hasWrites && !buildsOnPending) return Promise.resolve({ kind: 'committed', ts: txn.snapshot });
    const commit = this.stamp(txn, requestHash, this.nextTs());
    for (const row of commit.rows) this.table.put(row);
    this.last = commit.ts;
    this.remember(commit);
    const size = commit.rows.reduce((sum, row) => sum + row.key.length + row.text.length, 0);
    return new Promise((settle, fail) => {
      this.queue.push({ txn, requestHash, commit, size, buildsOnPending, settle, fail });
      if (this.inFlight.length === 0) this.flush();
    });
  }

  private nextTs(): Ts {
    return Math.max(this.last + 1, this.platform.now());
  }

  private stamp(txn: Txn, requestHash: Key, ts: Ts): Commit {
    return { ts, requestHash, now: txn.now, rows: txn.rowsAt(ts) };
  }

  private flush(): void {
    let size = 0;
    let count = 0;
    while (count < this.queue.length && (count === 0 || size + (this.queue[count] as Waiting).size <= GROUP_SIZE)) {
      size += (this.queue[count] as Waiting).size;
      count++;
    }
    this.inFlight = this.queue.splice(0, count);
    void this.append(this.inFlight).finally(() => {
      this.inFlight = [];
      if (this.queue.length > 0) this.flush();
    });
  }

  private async append(group: readonly Waiting[]): Promise<void> {
    if (group.every((member) => member.commit.rows.length === 0)) {
      for (const member of group) member.settle({ kind: 'committed', ts: member.txn.snapshot });
      return;
    }
    const after = this.record;
    let decided: Decision = { winners: [], losers: [] };
    try {
      const result = await this.store.append(after, (unseen) => {
        decided = this.decide(group, unseen);
        const commits = decided.winners.map(({ commit }) => commit).filter((commit) => commit.rows.length > 0);
        return commits.length === 0 ? null : encodeCommits(commits, this.platform.utf8);
      });
      if (result.kind === 'trimmed') throw new Error('the log was trimmed under a running engine');
      this.applyForeign(result.unseen);
      if (result.kind === 'appended') this.record = result.number;
      this.conclude(decided, result.unseen.length > 0);
    } catch (error) {
      // Whether it was written is found out by the next look at the log; here it never was.
      const lost = [...group, ...this.queue.splice(0)];
      for (const member of lost) this.withdraw(member.commit);
      this.last = this.acknowledged;
      for (const member of lost) member.fail(error);
    }
  }

  /** Which members of a group stand after the records that came between, and at what times. Pure. */
  private decide(group: readonly Waiting[], unseen: readonly LogRecord[]): Decision {
    if (unseen.length === 0) return { winners: group.map((member) => ({ member, commit: member.commit })), losers: [] };
    const between = unseen.flatMap((record) => decodeCommits(record.body, this.platform.utf8));
    const keys = between.flatMap((commit) => commit.rows.map((row) => row.key));
    let last = between.at(-1)?.ts ?? 0;
    let changed = false;
    const winners: Winner[] = [];
    const losers: Waiting[] = [];
    for (const member of group) {
      if ((member.buildsOnPending && changed) || member.txn.reads.touches(keys)) {
        changed = true;
        losers.push(member);
        continue;
      }
      const ts = Math.max(last + 1, member.commit.ts);
      changed ||= ts !== member.commit.ts;
      last = ts;
      winners.push({ member, commit: ts === member.commit.ts ? member.commit : this.stamp(member.txn, member.requestHash, ts) });
    }
    return { winners, losers };
  }

  private conclude({ winners, losers }: Decision, contended: boolean): void {
    for (const member of losers) this.withdraw(member.commit);
    let changed = losers.length > 0;
    for (const { member, commit } of winners) {
      if (commit !== member.commit) {
        changed = true;
        this.withdraw(member.commit);
        for (const row of commit.rows) this.table.put(row);
      }
      if (commit.rows.length > 0) this.acknowledge(commit);
    }
    if (contended) this.recheckQueue(changed);
    this.last = Math.max(this.acknowledged, ...this.queue.map(({ commit }) => commit.ts));
    for (const member of losers) member.settle({ kind: 'conflict' });
    for (const { member, commit } of winners) {
      member.settle({ kind: 'committed', ts: commit.rows.length > 0 ? commit.ts : member.txn.snapshot });
    }
  }

  /** After another engine's commits: who waits and read what they changed runs again; the rest get later times. */
  private recheckQueue(changedBefore: boolean): void {
    let changed = changedBefore;
    const keys = this.recent.filter(({ ts }) => ts <= this.acknowledged).flatMap((commit) => commit.rows.map((row) => row.key));
    const stay: Waiting[] = [];
    for (const member of this.queue) {
      const lost = (member.buildsOnPending && changed) || member.txn.reads.touches(keys);
      const ts = Math.max(this.acknowledged + 1, (stay.at(-1)?.commit.ts ?? 0) + 1, member.commit.ts);
      if (!lost && ts === member.commit.ts) {
        stay.push(member);
        continue;
      }
      changed = true;
      this.withdraw(member.commit);
      if (lost) {
        member.settle({ kind: 'conflict' });
        continue;
      }
      member.commit = this.stamp(member.txn, member.requestHash, ts);
      for (const row of member.commit.rows) this.table.put(row);
      stay.push(member);
    }
    this.queue = stay;
  }

  private applyForeign(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.number <= this.record) continue;
      for (const commit of decodeCommits(record.body, this.platform.utf8)) {
        for (const row of commit.rows) this.table.put(row);
        this.remember(commit);
        this.acknowledge(commit);
      }
      this.record = record.number;
    }
    this.last = Math.max(this.last, this.acknowledged);
  }

  private acknowledge(commit: Commit): void {
    this.acknowledged = Math.max(this.acknowledged, commit.ts);
    this.hashes.set(commit.requestHash, { ts: commit.ts, now: commit.now });
    for (const [hash, { ts }] of this.hashes) {
      if (ts > commit.ts - HASHES_KEPT) break;
      this.hashes.delete(hash);
    }
    this.onCommit(commit);
  }

  private withdraw(commit: Commit): void {
    for (const row of commit.rows) this.table.delete(row.key);
    this.recent = this.recent.filter((other) => other !== commit);
  }

  private remember(commit: Commit): void {
    if (this.running.size + this.queue.length + this.inFlight.length > 0) this.recent.push(commit);
  }

  private forgetRecent(): void {
    if (this.running.size + this.queue.length + this.inFlight.length === 0) this.recent = [];
  }
}

interface Winner {
  readonly member: Waiting;
  readonly commit: Commit;
}

interface Decision {
  readonly winners: readonly Winner[];
  readonly losers: readonly Waiting[];
}

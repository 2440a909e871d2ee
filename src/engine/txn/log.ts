// The engine's view of the log: what it has applied, what it is about to append, and the
// transactions begun on it.
//
// A writer that ends takes a provisional time and joins the queue. Its rows wait in a table
// of their own: later writers of this engine read them at once, readers only when they are
// acknowledged. The queue goes to the log in groups, one at a time. If another engine
// appended first, each member is checked against what came between: members that lost, or
// that built on one that lost or changed its time, are run again by their callers.
import type { Key } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { seededRandom } from '../base/random.ts';
import type { Header, LogRecord, LogStore } from '../kv/log-store.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import { neverAlone, type Solitude } from '../kv/solitude.ts';
import { coalesce } from './coalesce.ts';
import { type Commit, decodeCommits, encodeCommits } from './record.ts';
import { Txn } from './txn.ts';

/** A group is closed when it has grown to this many characters of keys and texts. */
const GROUP_SIZE = 1 << 20;
/** Hashes of request ids are kept this long (microseconds). */
const HASHES_KEPT: Ts = 15 * 60 * 1_000_000;

export type Outcome = { readonly kind: 'committed'; readonly ts: Ts } | { readonly kind: 'conflict' };
const CONFLICT: Outcome = { kind: 'conflict' };
const NOTHING_NEW = Promise.resolve();

/** What the log says of a request that was already applied. */
export interface Applied {
  readonly ts: Ts;
  readonly now: Ts;
}

/** How a running writer began. */
interface Start {
  /** Arrivals it has seen; later ones are checked against what it read. */
  readonly arrivals: number;
  /** Whether it reads writers that are not acknowledged, and in which order of things. */
  readonly buildsOnPending: boolean;
  readonly upheavals: number;
}

interface Waiting {
  readonly txn: Txn;
  readonly requestHash: Key;
  /** Provisional until it is appended. */
  commit: Commit;
  readonly buildsOnPending: boolean;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

export class CommitLog {
  /** Acknowledged rows. */
  private readonly table = new Memtable();
  /** Rows of writers that wait for the log. */
  private readonly pending = new Memtable();
  private readonly withPending = mergeSources([this.pending, this.table]);
  /** Number of the last record applied. */
  private record = 0;
  /** The period of being alone in which the log was last looked at. */
  private lookedIn: number | null = null;
  /** Last commit that is acknowledged; readers see up to here. */
  private acknowledged: Ts = 0;
  /** Last commit including provisional ones; writers see up to here. */
  private last: Ts = 0;
  private queue: Waiting[] = [];
  private inFlight: readonly Waiting[] = [];
  private readonly hashes = new Map<Key, Applied>();
  private readonly running = new Map<Txn, Start>();
  /** Keys of the commits that arrived while writers were running. */
  private recent: { readonly arrival: number; readonly keys: readonly Key[] }[] = [];
  private arrivals = 0;
  /** Counts the times that pending rows were withdrawn or changed their time. */
  private upheavals = 0;
  /** Called with every commit once it is acknowledged, in order. */
  onCommit: (commit: Commit) => void = () => {};
  /** Called when all state was dropped. */
  onRestart: () => void = () => {};

  constructor(
    private readonly store: LogStore,
    private readonly platform: Platform,
    private readonly solitude: Solitude = neverAlone,
  ) {}

  /** Time of the last acknowledged commit; 0 before the first. */
  get lastCommit(): Ts {
    return this.acknowledged;
  }

  get appliedRecord(): number {
    return this.record;
  }

  /** Reads the header and everything after its floor. */
  async start(): Promise<Header> {
    const header = await this.store.open();
    this.restart(header.floor);
    await this.look();
    return header;
  }

  /** Learns of every commit that was acknowledged anywhere before this call. */
  refresh(): Promise<void> {
    const period = this.solitude.period();
    return period !== null && period === this.lookedIn ? NOTHING_NEW : this.look();
  }

  /** As `refresh`, and looks at the log in any case. */
  readonly look: () => Promise<void> = coalesce(async () => {
    const period = this.solitude.period();
    const { floor, records } = await this.store.tail(this.record);
    // The log was trimmed above what is applied here: the state is to be read anew.
    if (floor > this.record) {
      const { floor: fresh } = await this.store.open();
      this.restart(fresh);
      this.applyForeign((await this.store.tail(fresh)).records);
    } else {
      this.applyForeign(records);
    }
    this.lookedIn = period;
  });

  /** Forgets all state and begins after a floor. Who is running runs again. */
  private restart(floor: number): void {
    this.table.clear();
    this.hashes.clear();
    this.record = floor;
    this.acknowledged = 0;
    this.last = 0;
    this.upheavals++;
    this.running.clear();
    const waiting = this.queue;
    this.queue = [];
    for (const member of waiting) this.withdraw(member.commit);
    for (const member of waiting) member.settle(CONFLICT);
    this.onRestart();
  }

  /** When a request with this hash was applied already: its commit. */
  appliedRequest(requestHash: Key): Applied | undefined {
    return this.hashes.get(requestHash);
  }

  /** A transaction that only reads: the last acknowledged state, or the one before a commit. */
  beginRead(requestId: string, before?: Applied): Txn {
    const snapshot = before === undefined ? this.acknowledged : before.ts - 1;
    const now = before?.now ?? Math.max(this.acknowledged, this.platform.now());
    return new Txn(this.table, snapshot, now, seededRandom(requestId, 0), null);
  }

  /** A transaction that may write: sees the writers before it, acknowledged or not. */
  beginWrite(requestId: string): Txn {
    const buildsOnPending = this.queue.length + this.inFlight.length > 0;
    const base = buildsOnPending ? this.withPending : this.table;
    const now = Math.max(this.last, this.platform.now());
    const txn = new Txn(base, this.last, now, seededRandom(requestId, 0), buildsOnPending ? this.pending : null);
    this.running.set(txn, { arrivals: this.arrivals, buildsOnPending, upheavals: this.upheavals });
    return txn;
  }

  /** Drops a transaction that failed. */
  abandon(txn: Txn): void {
    this.running.delete(txn);
    if (this.running.size === 0) this.recent = [];
  }

  /**
   * Ends a writer. Resolves once its writes are durable and everything it read is
   * acknowledged; a conflict asks the caller to run it again.
   * @throws StorageError when the log cannot be written
   */
  async submit(txn: Txn, requestHash: Key): Promise<Outcome> {
    const start = this.running.get(txn);
    const overtaken =
      start === undefined ||
      (start.buildsOnPending && start.upheavals !== this.upheavals) ||
      this.recent.some(({ arrival, keys }) => arrival > start.arrivals && txn.reads.touches(keys));
    this.abandon(txn);
    if (overtaken || (txn.hasWrites && this.hashes.has(requestHash))) return CONFLICT;
    if (!txn.hasWrites && !start.buildsOnPending) return { kind: 'committed', ts: txn.snapshot };
    const twin = [...this.inFlight, ...this.queue].some((member) => member.requestHash === requestHash);
    return new Promise((settle, fail) => {
      // The same request is already on its way: once it is through, this one finds its answer.
      if (twin && txn.hasWrites) return void this.platform.later(1).then(() => settle(CONFLICT));
      const commit = this.stamp(txn, requestHash, Math.max(this.last + 1, this.platform.now()));
      if (txn.hasWrites) {
        this.last = commit.ts;
        this.show(commit);
        this.remember([commit]);
      }
      this.queue.push({ txn, requestHash, commit, buildsOnPending: start.buildsOnPending, settle, fail });
      if (this.inFlight.length === 0) this.flush();
    });
  }

  private stamp(txn: Txn, requestHash: Key, ts: Ts): Commit {
    return { ts, requestHash, now: txn.now, rows: txn.rowsAt(ts) };
  }

  private flush(): void {
    let size = 0;
    let count = 0;
    do size += sizeOf((this.queue[count++] as Waiting).commit);
    while (count < this.queue.length && size <= GROUP_SIZE);
    this.inFlight = this.queue.splice(0, count);
    void this.append(this.inFlight).finally(() => {
      this.inFlight = [];
      if (this.queue.length > 0) this.flush();
    });
  }

  private async append(group: readonly Waiting[]): Promise<void> {
    let decided: Decision = { winners: group.map((member) => ({ member, commit: member.commit })), losers: [] };
    try {
      if (group.some(({ commit }) => commit.rows.length > 0)) {
        const result = await this.store.append(this.record, (unseen) => {
          decided = this.decide(group, unseen);
          const commits = decided.winners.map(({ commit }) => commit).filter((commit) => commit.rows.length > 0);
          return commits.length === 0 ? null : encodeCommits(commits, this.platform.utf8);
        });
        if (result.kind === 'trimmed') {
          await this.look();
          for (const member of group) this.withdraw(member.commit);
          for (const member of group) member.settle(CONFLICT);
          return;
        }
        this.applyForeign(result.unseen);
        if (result.kind === 'appended') this.record = result.number;
      }
      this.conclude(decided);
    } catch (error) {
      // If it was written after all, a look at the log finds it there.
      this.lookedIn = null;
      const lost = [...group, ...this.queue.splice(0)];
      for (const member of lost) this.withdraw(member.commit);
      this.last = this.acknowledged;
      for (const member of lost) member.fail(error);
    }
  }

  /** Which members of a group stand after the records that came between, and at what times. Pure. */
  private decide(group: readonly Waiting[], unseen: readonly LogRecord[]): Decision {
    const between = unseen.flatMap((record) => decodeCommits(record.body, this.platform.utf8));
    return this.check(group, between.flatMap(keysOf), new Set(between.map((commit) => commit.requestHash)), between.at(-1)?.ts ?? 0, false);
  }

  /**
   * Checks writers in order against keys that were written meanwhile. `changed` says that
   * something before them was lost or moved; it goes on down the line.
   */
  private check(members: readonly Waiting[], keys: readonly Key[], hashes: ReadonlySet<Key>, after: Ts, changed: boolean): Decision {
    const winners: Winner[] = [];
    const losers: Waiting[] = [];
    let last = after;
    let moved = changed;
    for (const member of members) {
      const lost = (member.buildsOnPending && moved) || hashes.has(member.requestHash) || (keys.length > 0 && member.txn.reads.touches(keys));
      if (lost) {
        losers.push(member);
        moved = true;
        continue;
      }
      const ts = Math.max(last + 1, member.commit.ts);
      const same = ts === member.commit.ts;
      moved ||= !same;
      last = ts;
      winners.push({ member, commit: same ? member.commit : this.stamp(member.txn, member.requestHash, ts) });
    }
    return { winners, losers };
  }

  private conclude({ winners, losers }: Decision): void {
    const changed = losers.length > 0 || winners.some(({ member, commit }) => member.commit !== commit);
    for (const member of losers) this.withdraw(member.commit);
    for (const { member, commit } of winners) {
      for (const row of member.commit.rows) this.pending.delete(row.key);
      if (commit.rows.length > 0) this.acknowledge(commit);
    }
    if (changed) this.upheavals++;
    this.recheckQueue([], changed);
    for (const member of losers) member.settle(CONFLICT);
    for (const { member, commit } of winners) {
      member.settle({ kind: 'committed', ts: commit.rows.length > 0 ? commit.ts : member.txn.snapshot });
    }
  }

  /** Who waits and read what was changed runs again; the rest stay in line, with later times if need be. */
  private recheckQueue(keys: readonly Key[], changed: boolean): void {
    const { winners, losers } = this.check(this.queue, keys, new Set(), this.acknowledged, changed);
    for (const member of losers) this.withdraw(member.commit);
    for (const { member, commit } of winners) {
      if (commit === member.commit) continue;
      this.withdraw(member.commit);
      member.commit = commit;
      this.show(commit);
    }
    this.queue = winners.map(({ member }) => member);
    const waiting = [...this.inFlight, ...this.queue].map(({ commit }) => commit.ts);
    this.last = Math.max(this.acknowledged, ...waiting);
    for (const member of losers) member.settle(CONFLICT);
  }

  private applyForeign(records: readonly LogRecord[]): void {
    const fresh = records.filter(({ number }) => number > this.record);
    if (fresh.length === 0) return;
    const commits = fresh.flatMap((record) => decodeCommits(record.body, this.platform.utf8));
    this.remember(commits);
    for (const commit of commits) this.acknowledge(commit);
    this.record = fresh.at(-1)?.number ?? this.record;
    this.recheckQueue(commits.flatMap(keysOf), false);
  }

  private acknowledge(commit: Commit): void {
    for (const row of commit.rows) this.table.put(row);
    this.acknowledged = Math.max(this.acknowledged, commit.ts);
    this.hashes.set(commit.requestHash, { ts: commit.ts, now: commit.now });
    for (const [hash, { ts }] of this.hashes) {
      if (ts > commit.ts - HASHES_KEPT) break;
      this.hashes.delete(hash);
    }
    this.onCommit(commit);
  }

  private show(commit: Commit): void {
    for (const row of commit.rows) this.pending.put(row);
  }

  private withdraw(commit: Commit): void {
    if (commit.rows.length > 0) this.upheavals++;
    for (const row of commit.rows) this.pending.delete(row.key);
  }

  private remember(commits: readonly Commit[]): void {
    this.arrivals++;
    if (this.running.size > 0) this.recent.push({ arrival: this.arrivals, keys: commits.flatMap(keysOf) });
  }
}

const keysOf = (commit: Commit): Key[] => commit.rows.map((row) => row.key);
const sizeOf = (commit: Commit): number => commit.rows.reduce((size, row) => size + row.key.length + row.text.length, 0);

interface Winner {
  readonly member: Waiting;
  readonly commit: Commit;
}

interface Decision {
  readonly winners: readonly Winner[];
  readonly losers: readonly Waiting[];
}

// The line of writers before the log.
//
// A writer that ends takes a provisional time and joins the queue. Its rows wait in a table of
// their own (provisional.ts): later writers of this engine read them at once, readers only when
// they are acknowledged. The queue goes to the log in groups, one at a time. If another engine
// appended first, each member is certified against what came between; who loses is run again by
// its caller.
import type { Key } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { type Header, type LogRecord, type LogStore, type Settings, StorageError } from '../kv/log-store.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { RowSource } from '../kv/rows.ts';
import { neverAlone, type Solitude } from '../kv/solitude.ts';
import type { Applied, AppliedRequest } from './applied.ts';
import { certify, type Ran, type Verdict } from './certify.ts';
import { coalesce } from './coalesce.ts';
import type { Missed } from './feed.ts';
import { Provisional } from './provisional.ts';
import { type Commit, decodeCommits, encodeCommits } from './record.ts';
import { Txn } from './txn.ts';
import { type Again, changesOf, fitting, keysOf, NEVER, type Outcome, outrun, overtaken, sizeOf, type Start, type Waiting, withResolvers, written } from './waiting.ts';

export type { Again, Outcome };

/** A group is closed when it has grown to this many characters of keys and texts. */
const GROUP_SIZE = 1 << 20;

export class CommitLog {
  private readonly provisional = new Provisional();
  /** Last commit including provisional ones; writers see up to here. */
  private last: Ts = 0;
  private queue: Waiting[] = [];
  private inFlight: readonly Waiting[] = [];
  /** Those in line, by the hashes of their requests. One that writes nothing may yet do so where it is run again in its place. */
  private readonly byRequest = new Map<Key, Waiting>();
  private appending: Promise<void> = Promise.resolve();
  /** So many at the head of the queue go to the log one by one: together they did not fit. */
  private singly = 0;
  private readonly running = new Map<Txn, Start>();
  /** Keys of the commits that arrived, or changed their time, while writers were running. */
  private recent: { readonly arrival: number; readonly keys: readonly Key[] }[] = [];
  private arrivals = 0;
  /** Counts the times that pending rows were withdrawn: who read them runs again. */
  private upheavals = 0;
  /** The period of being alone in which the log was last looked at. */
  private lookedIn: number | null = null;
  /** As the header has them now. */
  settings: Settings = { durability: 'strict' };
  /** Called with every commit once it is acknowledged, in order. */
  onCommit: (commit: Commit) => void = () => {};
  /** Called when the state was replaced by another, with what is between the two; `null` when the database was emptied or replaced. */
  onRestart: (missed: Missed | null) => void = () => {};
  /** Called when this engine has added to the log. */
  onAppend: () => void = () => {};

  constructor(
    private readonly store: LogStore,
    private readonly platform: Platform,
    /** Acknowledged state; readers see this. */
    private readonly applied: Applied,
    private readonly solitude: Solitude = neverAlone,
  ) {
    store.onLost = () => {
      this.lookedIn = null;
    };
  }

  /** Time of the last acknowledged commit; 0 before the first. */
  get lastCommit(): Ts {
    return this.applied.lastCommit;
  }

  /** Takes over the state that a header tells of, and everything after it. */
  async start(header: Header): Promise<void> {
    this.adopt(header);
    await this.look();
  }

  /** Learns of every commit that was acknowledged anywhere before this call; waits for nothing where there can be none. */
  refresh(): MaybePromise<void> {
    const period = this.solitude.period();
    return period !== null && period === this.lookedIn ? undefined : this.look();
  }

  /** As `refresh`, and looks at the log in any case. */
  readonly look: () => Promise<void> = coalesce(async () => {
    const period = this.solitude.period();
    for (let missed = true; missed; ) {
      const { life, record: after } = this.applied;
      const { floor, settings, records } = await this.store.tail(after).catch((error: unknown) => this.recover(error, life));
      // Meanwhile the state may have become another database's.
      if (life !== this.applied.life) continue;
      this.settings = settings;
      this.applyForeign(records);
      // Where the log was trimmed above what was asked for, the rest is still to be read.
      missed = floor > after;
      if (floor > this.applied.floor || this.applied.isBehind) await this.reload();
    }
    this.lookedIn = period;
  });

  /** Resolves when the append that is under way has ended. */
  quiet(): Promise<void> {
    return this.appending;
  }

  /**
   * After a failed call of the store: where the database was removed underneath, begins with the one there is now.
   * @param life the state's when the call began: of several that fail, one begins anew
   * @throws the error in any case
   */
  async recover(error: unknown, life: number): Promise<never> {
    if (error instanceof StorageError && error.code === 'evicted' && life === this.applied.life) {
      const header = await this.store.open(this.settings);
      if (life === this.applied.life) this.adopt(header, true);
    }
    throw error;
  }

  /** Takes over the manifest as it is now. */
  async reload(): Promise<void> {
    const { life } = this.applied;
    this.adopt(await this.store.header().catch((error: unknown) => this.recover(error, life)));
  }

  private adopt(header: Header, isAnew = false): void {
    this.settings = header.settings;
    const { lastCommit: after, manifest, life } = this.applied;
    if (!this.applied.adopt(header, isAnew)) return;
    if (life !== this.applied.life) this.lookedIn = null;
    // Another state altogether: whoever was running or waiting here belongs to the old one.
    this.running.clear();
    const waiting = this.queue;
    this.queue = [];
    for (const member of waiting) this.withdraw(member);
    this.stepBack();
    const upTo = this.applied.lastCommit;
    const isSame = this.applied.life === life && this.applied.manifest.era === manifest.era;
    this.onRestart(isSame ? { kind: 'missed', after, upTo, rows: () => this.applied.since(manifest) } : null);
    for (const member of waiting) member.settle(outrun);
  }

  /** Whether a request with this hash was applied just now, in a commit that is not in blocks yet. */
  isApplied(requestHash: Key): boolean {
    return this.applied.request(requestHash) !== undefined;
  }

  /** A transaction that only reads: the last acknowledged state, or the one before a commit. */
  beginRead(requestId: string, before?: AppliedRequest): Txn {
    const { lastCommit, source } = this.applied;
    return this.begin(requestId, source, before === undefined ? lastCommit : before.ts - 1, null, before?.now);
  }

  /**
   * A transaction that reads at the moment of a commit, acknowledged before.
   * @param through what it reads through, for who wants to know which rows those are
   */
  beginReadAt(requestId: string, snapshot: Ts, through: (source: RowSource) => RowSource = (source) => source): Txn {
    return this.begin(requestId, through(this.applied.source), snapshot, null);
  }

  /** A transaction that may write: sees the writers before it, acknowledged or not. */
  beginWrite(requestId: string): Txn {
    const buildsOnPending = this.queue.length + this.inFlight.length > 0;
    const { source } = this.applied;
    // Those that are acknowledged meanwhile move to the others, and whoever waits in the middle of a scan would miss them.
    const pending = buildsOnPending ? this.provisional.snapshot() : null;
    const txn = this.begin(requestId, pending === null ? source : mergeSources([pending, source]), this.last, pending);
    this.note(txn, requestId, buildsOnPending);
    return txn;
  }

  private begin(requestId: string, base: RowSource, snapshot: Ts, pending: RowSource | null, now = Math.max(snapshot, this.platform.now())): Txn {
    return new Txn(base, snapshot, now, pending, requestId);
  }

  /** Has a reader go on as a writer, where one that begins now would see no more than it. What it has read counts. */
  promote(reader: Txn, requestId: string): boolean {
    const isPresent = this.queue.length + this.inFlight.length === 0 && reader.snapshot === this.last && reader.base === this.applied.source;
    if (isPresent) this.note(reader, requestId, false);
    return isPresent;
  }

  private note(txn: Txn, requestId: string, buildsOnPending: boolean): void {
    this.running.set(txn, { requestId, buildsOnPending, arrivals: this.arrivals, upheavals: this.upheavals, adoptions: this.applied.adoptions });
  }

  /** Drops a transaction whose answer nobody waits for. */
  abandon(txn: Txn): void {
    this.running.delete(txn);
    if (this.running.size === 0) this.recent = [];
  }

  /**
   * Ends a writer. Resolves once its writes are durable and everything it read is
   * acknowledged; a conflict asks the caller to run it again.
   * @param again runs it again right where it lost, so that nobody can come between
   * @throws StorageError when the log cannot be written, HttpError `bad request` when it is too much for one transaction
   */
  async submit(txn: Txn, requestHash: Key, again: Again = NEVER): Promise<Outcome> {
    const start = this.running.get(txn);
    const disturbed = start !== undefined && this.isDisturbed(txn, start);
    this.abandon(txn);
    if (start === undefined) return outrun;
    if (disturbed) return overtaken;
    if (!txn.hasWrites && !start.buildsOnPending) return { kind: 'committed', ts: txn.snapshot, txn };
    if (txn.hasWrites && this.isApplied(requestHash)) return overtaken;
    const twin = txn.hasWrites ? this.byRequest.get(requestHash) : undefined;
    if (twin !== undefined) {
      // The same request is on its way already: once it is through, this one finds its answer.
      await twin.ended;
      return overtaken;
    }
    const outcome = await this.join(txn, requestHash, start, again);
    // One that wrote nothing may have met its own copy in line before it.
    const wrote = outcome.kind === 'committed' && outcome.txn.hasWrites;
    return !wrote && this.isApplied(requestHash) ? overtaken : outcome;
  }

  /** Whether what a writer read has changed since it began. */
  private isDisturbed(txn: Txn, { buildsOnPending, upheavals, adoptions, arrivals }: Start): boolean {
    if (buildsOnPending && (upheavals !== this.upheavals || adoptions !== this.applied.adoptions)) return true;
    return this.recent.some(({ arrival, keys }) => arrival > arrivals && txn.reads.touches(keys));
  }

  private join(txn: Txn, requestHash: Key, { requestId, buildsOnPending }: Start, again: Again): Promise<Outcome> {
    const commit = fitting(this.commitOf(txn, requestHash, this.last));
    const { promise, resolve, reject } = withResolvers<Outcome>();
    const forget = (): unknown => this.byRequest.get(requestHash) === member && this.byRequest.delete(requestHash);
    const ended = promise.then(forget, forget);
    const member = { txn, requestId, requestHash, commit, buildsOnPending, again, settle: resolve, fail: reject, ended };
    this.queue.push(member);
    if (!this.byRequest.has(requestHash)) this.byRequest.set(requestHash, member);
    if (commit.rows.length > 0) {
      this.last = commit.ts;
      this.provisional.add(commit);
      this.remember([commit]);
    }
    // Those that came in one message come in one turn, and go together.
    if (this.queue.length === 1) void Promise.resolve().then(() => this.inFlight.length === 0 && this.queue.length > 0 && this.flush());
    return promise;
  }

  private commitOf(txn: Txn, requestHash: Key, latest: Ts): Commit {
    const ts = txn.hasWrites ? Math.max(latest + 1, this.platform.now()) : latest;
    // One that writes nothing needs no mark in the log.
    return { ts, requestHash: txn.hasWrites ? requestHash : '', now: txn.now, rows: txn.rowsAt(ts) };
  }

  /** Runs a writer again on top of commits that are not applied yet, the last of them at `latest`. */
  private rerun({ requestId, requestHash, again }: Waiting, unapplied: readonly Commit[], latest: Ts): Ran | null {
    if (again === NEVER || this.isApplied(requestHash)) return null;
    const unseen = new Memtable();
    for (const { rows } of unapplied) for (const row of rows) unseen.put(row);
    const txn = this.begin(requestId, mergeSources([unseen, this.applied.source]), latest, unseen);
    return again(txn) ? { txn, commit: this.commitOf(txn, requestHash, latest) } : null;
  }

  private flush(): void {
    let size = 0;
    let count = 0;
    do size += sizeOf((this.queue[count++] as Waiting).commit);
    while (this.singly === 0 && count < this.queue.length && size <= GROUP_SIZE);
    this.singly = Math.max(0, this.singly - 1);
    this.inFlight = this.queue.splice(0, count);
    this.appending = this.append(this.inFlight).finally(() => {
      this.inFlight = [];
      if (this.queue.length > 0) this.flush();
    });
  }

  private async append(group: readonly Waiting[], { life } = this.applied): Promise<void> {
    let verdict: Verdict<Waiting> = { winners: group.map((candidate) => ({ candidate, txn: candidate.txn, commit: candidate.commit })), losers: [] };
    let record: number | null = null;
    try {
      if (group.some(({ commit }) => commit.rows.length > 0)) {
        const result = await this.store.append(this.applied.record, (unseen) => {
          verdict = this.judge(group, unseen);
          const commits = written(verdict);
          return commits.length === 0 ? null : encodeCommits(commits, this.platform.utf8);
        });
        if (life !== this.applied.life) throw new StorageError('evicted', 'the data was removed underneath', false);
        if (result.kind === 'trimmed') {
          verdict = { winners: [], losers: group };
          await this.look();
        } else {
          this.applyForeign(result.unseen);
          if (result.kind === 'appended') record = result.number;
        }
      }
    } catch (error) {
      return this.fail(group, error, life);
    }
    this.conclude(verdict, record);
  }

  private judge(group: readonly Waiting[], unseen: readonly LogRecord[]): Verdict<Waiting> {
    const between = unseen.flatMap(({ body }) => decodeCommits(body, this.platform.utf8));
    const last = Math.max(this.applied.lastCommit, between.at(-1)?.ts ?? 0);
    return certify(group, { ...changesOf(between), last, disturbed: false }, (candidate, winners, latest) =>
      this.rerun(candidate, [...between, ...winners.map(({ commit }) => commit)], latest),
    );
  }

  private conclude(verdict: Verdict<Waiting>, record: number | null): void {
    const { winners, losers } = verdict;
    const moved = winners.filter(({ candidate, commit }) => candidate.commit !== commit);
    for (const member of losers) this.withdraw(member);
    for (const { candidate } of moved) this.withdraw(candidate);
    this.provisional.remove(winners.map(({ candidate }) => candidate.commit));
    if (moved.length > 0) this.remember(moved.map(({ commit }) => commit));
    if (record !== null) {
      this.acknowledge(record, written(verdict));
      this.onAppend();
    }
    this.recertify([], losers.length + moved.length > 0);
    for (const member of losers) member.settle(outrun);
    for (const { candidate, txn, commit } of winners) {
      candidate.settle({ kind: 'committed', ts: commit.rows.length > 0 ? commit.ts : txn.snapshot, txn });
    }
  }

  /** Ends a group that could not be appended, unless the log has it after all. */
  private async fail(group: readonly Waiting[], error: unknown, life: number): Promise<void> {
    if (error instanceof StorageError && error.code === 'quota' && group.length > 1) {
      // What does not fit together may fit one by one; a deletion always should.
      this.queue = [...group, ...this.queue];
      this.singly = group.length;
      return;
    }
    // Whoever comes next looks at the log again: it may have taken the group after all.
    this.lookedIn = null;
    for (const member of group) this.withdraw(member);
    this.stepBack();
    await this.recover(error, life).catch(() => {});
    if (error instanceof StorageError && error.uncertain) await this.look().catch(() => {});
    this.recertify([], true);
    for (const member of group) {
      // Run again, it finds itself applied and gives its answer.
      if (this.applied.request(member.commit.requestHash) !== undefined) member.settle(overtaken);
      else member.fail(error);
    }
  }

  /** Goes down the line of those who wait: who read what was changed runs again, the rest stay, later if need be. */
  private recertify(foreign: readonly Commit[], disturbed: boolean): void {
    if (this.queue.length === 0) return this.stepBack();
    const flying = this.inFlight.map(({ commit }) => commit).filter((commit) => this.provisional.has(commit));
    const last = Math.max(this.applied.lastCommit, ...flying.map(({ ts }) => ts));
    const { winners, losers } = certify(this.queue, { ...changesOf(foreign), last, disturbed }, (candidate, before, latest) =>
      this.rerun(candidate, [...flying, ...before.map(({ commit }) => commit)], latest),
    );
    for (const member of losers) this.withdraw(member);
    for (const { candidate, txn, commit } of winners) {
      if (commit === candidate.commit) continue;
      this.withdraw(candidate);
      Object.assign(candidate, { txn, commit, buildsOnPending: candidate.buildsOnPending || txn !== candidate.txn });
      this.provisional.add(commit);
      this.remember([commit]);
    }
    this.queue = winners.map(({ candidate }) => candidate);
    this.stepBack();
    for (const member of losers) member.settle(foreign.length > 0 ? outrun : overtaken);
  }

  private applyForeign(records: readonly LogRecord[]): void {
    const fresh = records
      .filter(({ number }) => number > this.applied.record)
      .map(({ number, body }) => ({ number, commits: decodeCommits(body, this.platform.utf8) }));
    if (fresh.length === 0) return;
    const commits = fresh.flatMap((record) => record.commits);
    this.remember(commits);
    for (const { number, commits } of fresh) this.acknowledge(number, commits);
    this.recertify(commits, false);
  }

  private acknowledge(record: number, commits: readonly Commit[]): void {
    // A look at the log may have found our own record before its end was reported.
    if (record <= this.applied.record) return;
    this.applied.apply(record, commits);
    for (const commit of commits) this.onCommit(commit);
  }

  /** What was withdrawn leaves no time behind that nobody committed at. */
  private stepBack(): void {
    this.last = this.provisional.latest(this.applied.lastCommit);
  }

  private withdraw({ commit }: Waiting): void {
    if (commit.rows.length > 0) this.upheavals++;
    this.provisional.remove([commit]);
  }

  private remember(commits: readonly Commit[]): void {
    this.arrivals++;
    if (this.running.size > 0) this.recent.push({ arrival: this.arrivals, keys: commits.flatMap(keysOf) });
  }
}

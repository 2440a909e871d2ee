// The log as an engine works with it: transactions begin here on what is applied of it, writers are
// added to it, and what other engines have added is taken in.
//
// A writer that ends joins the line (line.ts), which goes to the log in groups, one at a time. If
// another engine appended first, each member is certified against what came between (certify.ts);
// who loses is run again by its caller.
import type { Key } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { evicted, type Header, isFailure, type LogRecord, type LogStore, type Settings, StorageError } from '../kv/log-store.ts';
import { mergeSources } from '../kv/merge.ts';
import type { RowSource } from '../kv/rows.ts';
import { neverAlone, type Solitude } from '../kv/solitude.ts';
import type { Applied, AppliedRequest } from './applied.ts';
import type { Verdict } from './certify.ts';
import { coalesce } from './coalesce.ts';
import type { Missed } from './feed.ts';
import { Line } from './line.ts';
import { type Commit, decodeCommits, encodeCommits, isLogged } from './record.ts';
import { Running } from './running.ts';
import { Txn } from './txn.ts';
import { type Again, lostToEngine, lostToNeighbour, NEVER, type Outcome, type Waiting, written } from './waiting.ts';

export type { Again, Outcome };

/** Does something about a failed call of the store, and fails with its error in any case. */
type OnFailure = (error: unknown, life: number) => Promise<never>;
const refuse: OnFailure = (error) => Promise.reject(error);

export class CommitLog {
  private readonly running: Running;
  private readonly line: Line;
  private appending: Promise<void> = Promise.resolve();
  /** The period of being alone in which the log was last looked at. */
  private lookedIn: number | null = null;
  /** Calls of `doubt`: a look that was under way at one of them does not count, either. */
  private doubts = 0;
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
    this.running = new Running(applied);
    this.line = new Line(platform, applied, this.running);
    store.onLost = () => this.doubt();
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
  readonly look: () => Promise<void> = coalesce(() => this.readOn(this.recover));

  /**
   * As `look`, and takes over the manifest: for work that nobody waits for.
   * @throws StorageError; where the database was removed, the next request is left to find that out, so that somebody is told
   */
  async lookAside(): Promise<void> {
    try {
      await this.readOn(refuse);
      await this.reload(refuse);
    } catch (error) {
      this.doubt();
      throw error;
    }
  }

  /** Whoever comes next looks at the log again, whatever looks are under way. */
  doubt(): void {
    this.lookedIn = null;
    this.doubts++;
  }

  private async readOn(failed: OnFailure): Promise<void> {
    const period = this.solitude.period();
    const { doubts } = this;
    for (let missed = true; missed; ) {
      const { life, record: after } = this.applied;
      const { floor, settings, records } = await this.store.tail(after).catch((error: unknown) => failed(error, life));
      // Meanwhile the state may have become another database's.
      if (life !== this.applied.life) continue;
      this.settings = settings;
      this.applyForeign(records);
      // Where the log was trimmed above what was asked for, the rest is still to be read.
      missed = floor > after;
      if (floor > this.applied.floor || this.applied.isBehind) await this.reload(failed);
    }
    if (doubts === this.doubts) this.lookedIn = period;
  }

  /** Resolves when the append that is under way has ended. */
  quiet(): Promise<void> {
    return this.appending;
  }

  /**
   * After a failed call of the store: where the database was removed, goes on with the one there is now.
   * @param life of the state when the call began: of several calls that fail, only one begins anew
   * @throws the error, or that of opening
   */
  readonly recover: OnFailure = async (error, life) => {
    if (isFailure(error, 'evicted') && life === this.applied.life) {
      // Should that fail, too, the next call finds out.
      this.doubt();
      const header = await this.store.open(this.settings);
      if (life === this.applied.life) this.adopt(header, true);
    }
    throw error;
  };

  /** Takes over the manifest as it is now. */
  async reload(failed: OnFailure = this.recover): Promise<void> {
    const { life } = this.applied;
    this.adopt(await this.store.header().catch((error: unknown) => failed(error, life)));
  }

  private adopt(header: Header, isAnew = false): void {
    this.settings = header.settings;
    const { lastCommit: after, manifest, life } = this.applied;
    if (!this.applied.adopt(header, isAnew)) return;
    if (life !== this.applied.life) this.doubt();
    const isSame = this.applied.life === life && this.applied.manifest.era === manifest.era;
    // Another state altogether: whoever was running or waiting here belongs to the old one.
    this.running.clear();
    const waiting = this.line.clear(isSame);
    const upTo = this.applied.lastCommit;
    this.onRestart(isSame ? { kind: 'missed', after, upTo, rows: () => this.applied.since(manifest) } : null);
    for (const member of waiting) member.settle(lostToEngine);
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
   * @param through wraps what it reads from, so that the caller sees which rows are read
   */
  beginReadAt(requestId: string, snapshot: Ts, through: (source: RowSource) => RowSource = (source) => source): Txn {
    return this.begin(requestId, through(this.applied.source), snapshot, null);
  }

  /** A transaction that may write: sees the writers before it, acknowledged or not. */
  beginWrite(requestId: string): Txn {
    const buildsOnPending = !this.line.isEmpty;
    const { source } = this.applied;
    const pending = buildsOnPending ? this.line.source() : null;
    const txn = this.begin(requestId, pending === null ? source : mergeSources([pending, source]), this.line.last, pending);
    this.running.begin(txn, { requestId, buildsOnPending });
    return txn;
  }

  /** Its present is before the commits on their way that it does not see. */
  private begin(requestId: string, base: RowSource, snapshot: Ts, pending: RowSource | null, before?: Ts): Txn {
    const clock = Math.min(this.platform.now(), pending === null ? this.line.first - 1 : Infinity);
    return new Txn(base, snapshot, before ?? Math.max(snapshot, clock), pending, requestId, this.line.tell);
  }

  /** Lets a reader go on as a writer, if one that began now would see nothing else. What it has read already counts. @returns whether it may */
  promote(reader: Txn, requestId: string): boolean {
    const isPresent = this.line.isEmpty && reader.snapshot === this.line.last && reader.base === this.applied.source;
    if (isPresent) this.running.begin(reader, { requestId, buildsOnPending: false });
    return isPresent;
  }

  /** Drops a transaction whose answer nobody waits for. */
  abandon(txn: Txn): void {
    this.running.end(txn);
  }

  /**
   * Ends a writer. Resolves once its writes are durable and everything it read is
   * acknowledged; a conflict asks the caller to run it again.
   * @param again runs it again at the very place where it has lost, so that no other writer can come between
   * @throws StorageError when the log cannot be written, HttpError `bad request` when it is too much for one transaction
   */
  async submit(txn: Txn, requestHash: Key, again: Again = NEVER): Promise<Outcome> {
    const start = this.running.startOf(txn);
    const isDisturbed = this.running.isDisturbed(txn);
    this.running.end(txn);
    if (start === undefined) return lostToEngine;
    if (isDisturbed) return lostToNeighbour;
    // Also one that writes nothing: it may have seen what its own copy has written.
    if (this.isApplied(requestHash)) return lostToNeighbour;
    if (!txn.commits && !start.buildsOnPending) return { kind: 'committed', ts: txn.snapshot, txn };
    const twin = txn.commits ? this.line.member(requestHash) : undefined;
    if (twin !== undefined) {
      // The same request is on its way already: once it is through, this one finds its answer.
      await twin.ended;
      return lostToNeighbour;
    }
    const joined = this.line.join(txn, requestHash, start, again);
    // Those that came in one message come in one turn, and go together.
    if (this.line.length === 1) void Promise.resolve().then(() => !this.line.isFlying && this.line.length > 0 && this.flush());
    const outcome = await joined;
    // As above, of its copy before it in line.
    const commits = outcome.kind === 'committed' && outcome.txn.commits;
    return !commits && this.isApplied(requestHash) ? lostToNeighbour : outcome;
  }

  private flush(): void {
    this.appending = this.append(this.line.take()).finally(() => {
      this.line.land();
      if (this.line.length > 0) this.flush();
    });
  }

  private async append(group: readonly Waiting[]): Promise<void> {
    const { life, record: after } = this.applied;
    let verdict: Verdict<Waiting> = { winners: group.map((candidate) => ({ candidate, txn: candidate.txn, commit: candidate.commit })), losers: [] };
    let record: number | null = null;
    try {
      if (group.some(({ commit }) => isLogged(commit))) {
        const result = await this.store.append(after, (unseen) => {
          const between = unseen.flatMap(({ body }) => decodeCommits(body, this.platform.utf8));
          verdict = this.line.judge(group, between, Math.max(this.applied.lastCommit, between.at(-1)?.ts ?? 0));
          const commits = written(verdict);
          return commits.length === 0 ? null : encodeCommits(commits, this.platform.utf8);
        });
        if (life !== this.applied.life) throw evicted();
        if (result.kind === 'trimmed') {
          verdict = { winners: [], losers: group };
          await this.look();
        } else {
          this.applyForeign(result.unseen);
          if (result.kind === 'appended') record = result.number;
        }
      }
    } catch (error) {
      return this.fail(group, error, life, after);
    }
    this.conclude(verdict, record);
  }

  private conclude(verdict: Verdict<Waiting>, record: number | null): void {
    const { winners, losers } = verdict;
    const { disturbed, rewritten } = this.line.conclude(verdict);
    if (record !== null) {
      this.acknowledge(record, written(verdict));
      this.onAppend();
    }
    this.line.recertify(rewritten, disturbed);
    for (const member of losers) member.settle(lostToEngine);
    for (const { candidate, txn, commit } of winners) {
      candidate.settle({ kind: 'committed', ts: isLogged(commit) ? commit.ts : txn.snapshot, txn });
    }
  }

  /** Ends a group that could not be appended after a record, unless the log has it after all. */
  private async fail(group: readonly Waiting[], error: unknown, life: number, after: number): Promise<void> {
    // What does not fit together may fit one by one; a deletion always should.
    const isTooMuch = isFailure(error, 'quota') && group.length > 1;
    // What has come since nobody has compared them with: then they run again.
    if (isTooMuch && after === this.applied.record && life === this.applied.life) return this.line.putBack(group);
    // The log may have taken the group after all.
    this.doubt();
    this.line.withdrawAll(group);
    await this.recover(error, life).catch(() => {});
    if (error instanceof StorageError && error.uncertain) await this.look().catch(() => {});
    this.line.recertify([], true);
    for (const member of group) {
      // Run again, it finds itself applied and gives its answer.
      if (this.applied.request(member.commit.requestHash) !== undefined) member.settle(lostToNeighbour);
      else if (isTooMuch) member.settle(lostToEngine);
      else member.fail(error);
    }
  }

  private applyForeign(records: readonly LogRecord[]): void {
    const fresh = records
      .filter(({ number }) => number > this.applied.record)
      .map(({ number, body }) => ({ number, commits: decodeCommits(body, this.platform.utf8) }));
    if (fresh.length === 0) return;
    const commits = fresh.flatMap((record) => record.commits);
    this.running.arrived(commits);
    for (const { number, commits } of fresh) this.acknowledge(number, commits);
    this.line.recertify(commits, false, lostToEngine);
  }

  private acknowledge(record: number, commits: readonly Commit[]): void {
    // A look at the log may have found our own record before its end was reported.
    if (record <= this.applied.record) return;
    this.applied.apply(record, commits);
    for (const commit of commits) this.onCommit(commit);
  }
}

// The line of writers that have ended and wait for the log.
//
// Who joins takes a provisional time. Its rows wait in a table of their own (provisional.ts): later
// writers of this engine read them at once, readers only when they are acknowledged. Those at the
// head go to the log together, as a group. Whoever turns out to have read what was changed
// meanwhile has lost: it is run again in its place, or by its caller.
import type { Key } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { RowSource } from '../kv/rows.ts';
import type { Applied } from './applied.ts';
import { certify, type Ran, type Verdict } from './certify.ts';
import { Provisional } from './provisional.ts';
import { type Commit, isLogged } from './record.ts';
import type { Running, Start } from './running.ts';
import { Txn } from './txn.ts';
import { type Again, betweenOf, fitting, lostToNeighbour, NEVER, type Outcome, sizeOf, type Waiting, withResolvers } from './waiting.ts';

/** By which the clock may be set back (microseconds) without a present being told twice: a commit after it takes all others along. */
const SET_BACK: Ts = 1_000_000;

/** A group is closed when it has grown to this many characters of keys and texts. */
const GROUP_SIZE = 1 << 20;

export class Line {
  /** Last commit including provisional ones; writers see up to here. */
  last: Ts = 0;
  /** The latest time that was told to be the present: what is committed from now on comes after it, so that `at` that time nothing else is read. */
  private told: Ts = 0;
  private readonly provisional = new Provisional();
  private queue: Waiting[] = [];
  /** The group that is on its way to the log. */
  private inFlight: readonly Waiting[] = [];
  /** Whether a group is on its way to the log; also one that was put back, until its append has ended. */
  isFlying = false;
  /** Those in line, by the hashes of their requests. Also those that write nothing: run again in their place, they may. */
  private readonly byRequest = new Map<Key, Waiting>();
  /** How many at the head of the queue go to the log one by one, as together they did not fit. */
  private singly = 0;

  constructor(
    private readonly platform: Platform,
    private readonly applied: Applied,
    private readonly running: Running,
  ) {}

  /** Takes note of a present that a query was told, or may be. */
  readonly tell = (now: Ts): void => void (this.told = Math.max(this.told, now));

  /** Whether all that have ended are acknowledged. */
  get isEmpty(): boolean {
    return this.queue.length + this.inFlight.length === 0;
  }

  /** How many have not gone to the log yet. */
  get length(): number {
    return this.queue.length;
  }

  /** When the first of them commits, `Infinity` where there is none. */
  get first(): Ts {
    return this.provisional.first;
  }

  /** The provisional rows as they are now: those that are acknowledged later stay among them. */
  source(): RowSource {
    return this.provisional.source();
  }

  /** The first in line of this request. */
  member(requestHash: Key): Waiting | undefined {
    return this.byRequest.get(requestHash);
  }

  /** @throws HttpError `bad request` when it is too much for one transaction */
  join(txn: Txn, requestHash: Key, { requestId, buildsOnPending }: Start, again: Again): Promise<Outcome> {
    const commit = fitting(this.commitOf(txn, requestHash, this.last));
    const { promise, resolve, reject } = withResolvers<Outcome>();
    const forget = (): unknown => this.byRequest.get(requestHash) === member && this.byRequest.delete(requestHash);
    const ended = promise.then(forget, forget);
    const member = { txn, requestId, requestHash, commit, buildsOnPending, again, settle: resolve, fail: reject, ended };
    this.queue.push(member);
    if (!this.byRequest.has(requestHash)) this.byRequest.set(requestHash, member);
    if (isLogged(commit)) {
      this.last = commit.ts;
      this.provisional.add(commit);
      this.running.arrived([commit]);
    }
    return promise;
  }

  /** Sends the next group on its way; there must be somebody waiting. */
  take(): readonly Waiting[] {
    let size = 0;
    let count = 0;
    do size += sizeOf((this.queue[count++] as Waiting).commit);
    while (this.singly === 0 && count < this.queue.length && size <= GROUP_SIZE);
    this.singly = Math.max(0, this.singly - 1);
    this.isFlying = true;
    return (this.inFlight = this.queue.splice(0, count));
  }

  /** The group has ended, one way or the other. */
  land(): void {
    this.inFlight = [];
    this.isFlying = false;
  }

  /** Puts a group back that did not fit: its members go one by one. */
  putBack(group: readonly Waiting[]): void {
    this.inFlight = [];
    this.queue = [...group, ...this.queue];
    this.singly = group.length;
  }

  /** A group that failed, or all that wait, leave the line; what becomes of them is for the caller to say. */
  withdrawAll(members: readonly Waiting[]): void {
    for (const member of members) this.withdraw(member);
    this.stepBack();
  }

  /** Empties the queue: another state has come in the place of theirs. @param isSame whether it goes on from that; where it does not, nobody may build on the group in flight, either */
  clear(isSame: boolean): readonly Waiting[] {
    const waiting = this.queue;
    this.queue = [];
    this.withdrawAll(isSame ? waiting : [...this.inFlight, ...waiting]);
    return waiting;
  }

  /** Which of a group stand after commits that came between, the last of all at `last`. */
  judge(group: readonly Waiting[], between: readonly Commit[], last: Ts): Verdict<Waiting> {
    return certify(group, betweenOf(between, last, false), (candidate, winners, latest) =>
      this.rerun(candidate, [...between, ...winners.map(({ commit }) => commit)], latest),
    );
  }

  /** The group's rows are provisional no longer. @returns whether one of them lost, or has another time now, and what was written by other runs than those that had joined */
  conclude({ winners, losers }: Verdict<Waiting>): { readonly disturbed: boolean; readonly rewritten: readonly Commit[] } {
    const moved = winners.filter(({ candidate, commit }) => candidate.commit !== commit);
    for (const member of losers) this.withdraw(member);
    for (const { candidate } of moved) this.withdraw(candidate);
    this.provisional.remove(winners.map(({ candidate }) => candidate.commit));
    if (moved.length > 0) this.running.arrived(moved.map(({ commit }) => commit));
    return { disturbed: losers.length + moved.length > 0, rewritten: moved.filter(({ candidate, txn }) => candidate.txn !== txn).map(({ commit }) => commit) };
  }

  /** Goes through those that wait: a writer that has read what was changed runs again, the others stay, with a later time if need be. @param lost what those are told that cannot run here */
  recertify(between: readonly Commit[], disturbed: boolean, lost: Outcome = lostToNeighbour): void {
    if (this.queue.length === 0) return this.stepBack();
    const flying = this.inFlight.map(({ commit }) => commit).filter((commit) => this.provisional.has(commit));
    const last = Math.max(this.applied.lastCommit, ...flying.map(({ ts }) => ts));
    const { winners, losers } = certify(this.queue, betweenOf(between, last, disturbed), (candidate, before, latest) =>
      this.rerun(candidate, [...flying, ...before.map(({ commit }) => commit)], latest),
    );
    for (const member of losers) this.withdraw(member);
    for (const { candidate, txn, commit } of winners) {
      if (commit === candidate.commit) continue;
      this.withdraw(candidate);
      Object.assign(candidate, { txn, commit, buildsOnPending: candidate.buildsOnPending || txn !== candidate.txn });
      this.provisional.add(commit);
      this.running.arrived([commit]);
    }
    this.queue = winners.map(({ candidate }) => candidate);
    this.stepBack();
    for (const member of losers) member.settle(lost);
  }

  private commitOf(txn: Txn, requestHash: Key, latest: Ts): Commit {
    // Not before what it took for the present, should the clock have been set back: what had expired then has left no removals.
    const clock = this.platform.now();
    // Nor, should the clock have been set back by more, after all that was told.
    const ts = txn.commits ? Math.max(latest + 1, txn.past + 1, txn.now, clock, Math.min(this.told + 1, clock + SET_BACK)) : latest;
    return { ts, requestHash: txn.commits ? requestHash : '', now: txn.now, rows: txn.rowsAt(ts) };
  }

  /** Runs a writer again on top of commits that are not applied yet, the last of them at `latest`. */
  private rerun({ requestId, requestHash, again }: Waiting, unapplied: readonly Commit[], latest: Ts): Ran | null {
    if (again === NEVER || this.applied.request(requestHash) !== undefined) return null;
    const unseen = new Memtable();
    for (const { rows } of unapplied) for (const row of rows) unseen.put(row);
    const txn = new Txn(mergeSources([unseen, this.applied.source]), latest, Math.max(latest, this.platform.now()), unseen, requestId, this.tell);
    // One that has become too large loses, and is told so by its next run: its neighbours go on.
    try {
      return again(txn) ? { txn, commit: fitting(this.commitOf(txn, requestHash, latest)) } : null;
    } catch {
      return null;
    }
  }

  private withdraw({ commit }: Waiting): void {
    if (isLogged(commit)) this.running.upset();
    this.provisional.remove([commit]);
  }

  /** Takes back the times of commits that were withdrawn. */
  private stepBack(): void {
    this.last = this.provisional.latest(this.applied.lastCommit);
  }
}

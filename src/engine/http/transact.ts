// Runs a piece of work as one transaction, and again when it loses against another one.
import { andThen, type MaybePromise, rescue } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { contendedTransaction, timedOut } from '../errors/codes.ts';
import { FqlError, HttpError } from '../errors/fql-error.ts';
import { Needs } from '../errors/needs.ts';
import { NeedsDatabase } from '../fql/context.ts';
import { BlockGone } from '../kv/block-cache.ts';
import type { Applied, Coming } from '../txn/applied.ts';
import type { Outcome } from '../txn/log.ts';
import type { Txn } from '../txn/txn.ts';
import { fitting, lostToNeighbour } from '../txn/waiting.ts';
import type { Core } from './core.ts';
import type { Effort, Session } from './sessions.ts';
import type { Terms } from './terms.ts';

export interface Work<T> {
  /** Says, before it runs, whether it may write; called again when it runs again. May throw. */
  prepare(session: Session): Prepared<T>;
}

export interface Prepared<T> {
  readonly writes: boolean;
  run(session: Session): MaybePromise<Result<T>>;
}

export interface Result<T> {
  readonly value: T;
  /** Whether what was written counts. */
  readonly commit: boolean;
}

/** What became of a piece of work. */
export interface Done<T> {
  readonly value: T;
  readonly session: Session;
  /** Time of the commit; of a reader, the last commit it saw. */
  readonly ts: Ts;
  /** Reruns because another engine's commit got in the way. */
  readonly retries: number;
}

/** A request of this age is not applied any more (microseconds): its hash may soon be forgotten. */
const TOO_OLD: Ts = 11 * 60 * 1_000_000;

/**
 * Runs the work to its end. Without a promise where it only reads, and everything is in memory.
 * @throws FqlError, HttpError, StorageError
 */
export function transact<T>(core: Core, terms: Terms, work: Work<T>): MaybePromise<Done<T>> {
  const now = requireYoung(terms, core);
  const sent = terms.sentAt ?? now;
  // Of one that is sent again, the time may be that of this sending. Of one from the future, or that has waited, the clock may have been set back since.
  const since = terms.resent || Math.abs(now - sent) > CLOCKS_DIFFER ? -Infinity : sent - CLOCKS_DIFFER;
  const coming = { since, known: core.applied.manifest.hashes };
  return core.deadlines.guard(new Attempts(core, terms, work, now + terms.timeoutMs * 1000, coming).run(), terms.timeoutMs);
}

/** @returns the time. @throws HttpError `timed out` */
function requireYoung({ sentAt }: Terms, { platform }: Core): Ts {
  const now = platform.now();
  if (sentAt !== undefined && now - sentAt > TOO_OLD) throw timedOut();
  return now;
}

/** By which the clocks of two threads may differ (microseconds); the same as in protocol/sending.ts. */
const CLOCKS_DIFFER: Ts = 1_000_000;

/** A run that lost: it is to run again. */
type Conflict = Extract<Outcome, { kind: 'conflict' }>;

/** What a run of a writer came to. An error of the language is an answer, too; it writes nothing. */
type Ended<T> = { readonly session: Session; readonly value: T } | { readonly error: FqlError | HttpError };

/** A writer that has lost so often runs alone the next time. */
const LOSSES = 2;

class Attempts<T> {
  private readonly effort: Effort;
  private attempts = 0;
  /** Times it lost, to other engines and to its neighbours. */
  private losses = 0;
  private retries = 0;
  /** How many manifests had been taken over when its hash was last looked for in blocks. */
  private lookedAt = -1;
  /** Whether its last run was that of one that is applied. */
  private isRepeated = false;
  /** Whether its last run had to wait between its snapshot and its end. */
  private waited = false;
  /** Ends its turn of being alone, when it has one. */
  private endTurn: (() => void) | null = null;

  constructor(
    private readonly core: Core,
    private readonly terms: Terms,
    private readonly work: Work<T>,
    deadline: Ts,
    private readonly coming: Coming,
  ) {
    this.effort = { deadline, needed: new Set() };
  }

  /** Attempts it as often as it takes. */
  run(): MaybePromise<Done<T>> {
    const first = this.attempt();
    return first instanceof Promise || !('value' in first) ? this.goOn(first) : first;
  }

  private async goOn(first: MaybePromise<Done<T> | Conflict>): Promise<Done<T>> {
    const { core, terms } = this;
    try {
      for (let ended = await first; ; ended = await this.attempt()) {
        if ('value' in ended) return ended;
        this.attempts++;
        if (!ended.foreign) continue;
        // Not of one that is sent again: who is told that it came to nothing asks anew, and its first copy may still be applied.
        if (!terms.resent && this.retries >= terms.retries) throw contendedTransaction();
        await core.platform.later(this.retries ** 2);
        this.retries++;
      }
    } finally {
      this.giveTurn();
    }
  }

  private giveTurn(): void {
    this.endTurn?.();
    this.endTurn = null;
  }

  /** One run; where something was missing, it loses and what was missing is fetched. */
  private attempt(): MaybePromise<Done<T> | Conflict> {
    const { life, adoptions } = this.core.applied;
    return andThen(this.core.log.refresh(), () =>
      rescue(
        () => this.once(),
        (error) => {
          if (error instanceof FqlError || error instanceof HttpError) {
            // Its copy was applied after it was looked for, and may have ended the right to it, as a logout does.
            if (!this.isRepeated && this.core.log.isApplied(this.terms.hash())) return lostToNeighbour;
            throw error;
          }
          // While it waits for something from elsewhere, others may run.
          if (error instanceof Needs) this.giveTurn();
          // What was missing will be there when it runs again.
          return makeUpFor(error, this.core, this.effort, { life, adoptions }).then(() => lostToNeighbour);
        },
      ),
    );
  }

  /** One run, first as a reader: only what may write goes on as a writer. */
  private once(): MaybePromise<Done<T> | Conflict> {
    const { core, terms, work, effort, retries } = this;
    const isAgain = terms.resent || this.attempts > 0;
    if (isAgain) this.lookedAt = core.applied.adoptions;
    return andThen(isAgain ? core.applied.olderRequest(terms.hash(), this.coming) : undefined, (applied) => {
      this.isRepeated = applied !== undefined;
      const reader = core.log.beginRead(terms.id, applied);
      let isAtOnce = true;
      const ended = andThen(core.sessions.open(reader, terms, effort), (session) => {
        const prepared = work.prepare(session);
        if (prepared.writes && applied === undefined) {
          // It was sent before, though nothing said so, or its copy was heard of while this one looked for it, and was applied.
          return core.log.isApplied(terms.hash()) ? lostToNeighbour : this.write(session, prepared, isAtOnce);
        }
        const running = prepared.run(session);
        // Whatever it will tell: others may commit while it waits.
        if (running instanceof Promise) reader.tell(reader.now);
        return andThen(running, ({ value, commit }) => {
          // What it has written is made once more: its answer says what the first one said, that it has written among it.
          if (applied !== undefined && commit) fitting({ rows: reader.rowsAt(applied.ts) });
          // A database without any commit is read now; by the end of a long read it may have one, which was not seen.
          return { value, session, ts: applied?.ts ?? (reader.snapshot || reader.now), retries };
        });
      });
      isAtOnce = false;
      return ended;
    });
  }

  /**
   * One run of a writer. Where everything it needs is in memory, it does not wait between its snapshot
   * and its end: writers that come together follow each other, and none overtakes another.
   * The third time it runs alone. One that has to wait takes a turn, and its neighbours begin after it.
   * One that does not is run again at the very place in line where it lost, before any other gets to the log.
   * @param isAtOnce nothing was waited for since the session was opened
   */
  private async write(ready: Session, prepared: Prepared<T>, isAtOnce: boolean): Promise<Done<T> | Conflict> {
    const { core, terms, retries } = this;
    const isAlone = this.losses >= LOSSES;
    const takesTurn = this.endTurn === null && isAlone && this.waited;
    const mustWait = core.upkeep.isOutrun || takesTurn || (this.endTurn === null && core.turns.end !== null);
    if (mustWait) await this.itsTurn(takesTurn);
    const runs = new Map<Txn, Ended<T>>();
    const runAgain = (txn: Txn): boolean => {
      const ended = rescue<Ended<T> | null>(() => this.evaluate(txn, ready, prepared), () => null);
      if (ended === null || ended instanceof Promise) return false;
      runs.set(txn, ended);
      return true;
    };
    const reader = ready.ctx.txn;
    // Not after a wait: its `now` would be in the past.
    const writer = isAtOnce && !mustWait && core.log.promote(reader, terms.id) ? reader : core.log.beginWrite(terms.id);
    try {
      const ending = this.evaluate(writer, ready, prepared);
      this.waited = ending instanceof Promise;
      runs.set(writer, ending instanceof Promise ? await ending : ending);
      // It may have been sent to another engine, too, and applied there while this one slept; or its hash has gone into blocks since it was looked for there.
      while (this.lookedAt !== core.applied.adoptions) {
        this.lookedAt = core.applied.adoptions;
        if (!core.applied.mayBeInBlocks(this.coming)) continue;
        if ((await core.applied.olderRequest(terms.hash(), this.coming)) === undefined) continue;
        core.log.abandon(writer);
        return lostToNeighbour;
      }
      requireYoung(terms, core);
      const outcome = await core.log.submit(writer, terms.hash(), isAlone && !this.waited ? runAgain : undefined);
      if (outcome.kind === 'conflict') {
        this.losses++;
        return outcome;
      }
      const ended = runs.get(outcome.txn) as Ended<T>;
      if ('error' in ended) throw ended.error;
      const { session, value } = ended;
      return { session, value, ts: outcome.ts, retries };
    } catch (error) {
      core.log.abandon(writer);
      throw error;
    }
  }

  /** Waits for the turns of others, or takes one, and for upkeep that is outrun. */
  private async itsTurn(takesTurn: boolean): Promise<void> {
    const { core, effort: { deadline } } = this;
    if (takesTurn) this.endTurn = await core.turns.take();
    while (this.endTurn === null && core.turns.end !== null) await core.turns.end;
    if (!core.upkeep.isOutrun) return;
    await core.upkeep.caughtUp(deadline);
    if (core.platform.now() >= deadline) throw timedOut();
  }

  /** @param ready the reader's session, which is the writer's own if the reader goes on as the writer */
  private evaluate(writer: Txn, ready: Session, prepared: Prepared<T>): MaybePromise<Ended<T>> {
    const { core, terms, work, effort } = this;
    // Another copy may still be on its way elsewhere. It has to find this one, also where that writes nothing.
    writer.leavesMark = terms.resent;
    return rescue<Ended<T>>(
      () =>
        andThen(writer === ready.ctx.txn ? ready : core.sessions.open(writer, terms, effort), (session) => {
          const same = effort.needed.size === 0 && session.catalog === ready.catalog;
          const { run } = same ? prepared : work.prepare(session);
          return andThen(run(session), ({ value, commit }) => {
            if (!commit) writer.discard();
            // That it is too much is an answer that leaves the mark, too.
            else if (terms.resent) fitting({ rows: writer.rowsAt(writer.now) });
            return { session, value };
          });
        }),
      (error) => {
        if (!(error instanceof FqlError || error instanceof HttpError)) throw error;
        // What it has read must be acknowledged before the error is told, as with any other answer.
        writer.discard();
        return { error };
      },
    );
  }
}

/** Gets what a run was missing. @param began what was applied when the run began @throws the error, if nothing was missing or there is no more time */
export async function makeUpFor(error: unknown, core: Core, { deadline, needed }: Effort, began: Pick<Applied, 'life' | 'adoptions'>): Promise<void> {
  const inTime = core.platform.now() <= deadline;
  if (error instanceof NeedsDatabase && inTime && !needed.has(error.scope)) needed.add(error.scope);
  else if (error instanceof Needs && inTime) await error.coming;
  // Upkeep took a block away under the reader: what it held stands in others now.
  else if (error instanceof BlockGone && inTime) {
    await core.log.reload();
    // Where no other manifest has come, nothing stands in its place.
    if (core.applied.adoptions === began.adoptions) throw error;
  } else await core.log.recover(error instanceof NeedsDatabase || error instanceof Needs || error instanceof BlockGone ? timedOut() : error, began.life);
}

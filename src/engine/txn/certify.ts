// Certification: which writers of a line stand after commits that came between, and at what
// times. Pure: it may run inside a native transaction, and more than once.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { type Commit, isLogged, keysOf } from './record.ts';
import type { Txn } from './txn.ts';

/** A writer that has ended and waits for the log. */
export interface Candidate {
  readonly txn: Txn;
  readonly requestHash: Key;
  /** Provisional until it is appended. One that is not logged only waits for those before it. */
  readonly commit: Commit;
  /** Read the state left by writers before it in line. */
  readonly buildsOnPending: boolean;
}

export interface Between {
  /** Keys written by commits of other engines, or by reruns in the place of writers that had lost. */
  readonly keys: readonly Key[];
  /** Hashes of the requests that other engines have applied. */
  readonly requests: ReadonlySet<Key>;
  /** The last commit so far: later ones take later times. */
  readonly last: Ts;
  /** Something earlier in the line was lost or moved already. */
  readonly disturbed: boolean;
}

/** A run of a writer, and what it commits. */
export interface Ran {
  readonly txn: Txn;
  readonly commit: Commit;
}

export interface Verdict<C extends Candidate> {
  /** In order, each with the run that counts and its commit at its final time. */
  readonly winners: readonly ({ readonly candidate: C } & Ran)[];
  readonly losers: readonly C[];
}

/** Runs a writer that has lost once more, on top of the winners before it, of which the last is at `latest`; `null` where that is not allowed, or would have to wait. */
export type RunAgain<C extends Candidate> = (candidate: C, winners: readonly Ran[], latest: Ts) => Ran | null;

/** What a writer commits after `latest`; a time it was given already stays if it can. */
function stamp({ txn, commit }: Candidate, latest: Ts): Commit {
  if (!isLogged(commit) || commit.ts > latest) return commit;
  return { ...commit, ts: latest + 1, rows: txn.rowsAt(latest + 1) };
}

/**
 * A writer loses when something it read was written between, when its request was applied
 * between, or when it built on a writer that lost or moved; unless it can be run again in its
 * place. What it writes then may be something else, which those behind it have not been compared
 * with. The rest keep their order and take strictly growing times.
 */
export function certify<C extends Candidate>(
  line: readonly C[],
  { keys, requests, last, disturbed }: Between,
  runAgain: RunAgain<C>,
): Verdict<C> {
  const winners: ({ candidate: C } & Ran)[] = [];
  const losers: C[] = [];
  let latest = last;
  let moved = disturbed;
  let written = keys;
  for (const candidate of line) {
    const { txn, requestHash, commit, buildsOnPending } = candidate;
    const isApplied = requests.has(requestHash);
    const lost = (buildsOnPending && moved) || isApplied || (written.length > 0 && txn.reads.touches(written));
    const ran = lost ? (isApplied ? null : runAgain(candidate, winners, latest)) : { txn, commit: stamp(candidate, latest) };
    moved ||= ran?.commit !== commit;
    if (ran === null) {
      losers.push(candidate);
      continue;
    }
    winners.push({ candidate, txn: ran.txn, commit: ran.commit });
    if (ran.txn !== txn) written = written.concat(keysOf(ran.commit));
    if (isLogged(ran.commit)) latest = ran.commit.ts;
  }
  return { winners, losers };
}

// Certification: which writers of a line stand after commits that came between, and at what
// times. Pure: it may run inside a native transaction, and more than once.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import type { Commit } from './record.ts';
import type { Txn } from './txn.ts';

/** A writer that has ended and waits for the log. */
export interface Candidate {
  readonly txn: Txn;
  /** Provisional until it is appended; without rows it only waits for those before it. */
  readonly commit: Commit;
  /** Read the state left by writers before it in line. */
  readonly buildsOnPending: boolean;
}

export interface Between {
  /** Keys that other engines have written. */
  readonly keys: readonly Key[];
  /** Requests that other engines have applied. */
  readonly requests: ReadonlySet<Key>;
  /** The last commit so far: later ones take later times. */
  readonly last: Ts;
  /** Something earlier in the line was lost or moved already. */
  readonly disturbed: boolean;
}

export interface Verdict<C extends Candidate> {
  /** In order, each with its commit at its final time. */
  readonly winners: readonly { readonly candidate: C; readonly commit: Commit }[];
  readonly losers: readonly C[];
}

/** A writer at a time: its rows with that time in them. */
export const stamp = ({ txn, commit }: Candidate, ts: Ts): Commit =>
  ts === commit.ts ? commit : { ...commit, ts, rows: txn.rowsAt(ts) };

/**
 * A writer loses when something it read was written between, when its request was applied
 * between, or when it built on a writer that lost or moved. The rest keep their order and
 * take strictly growing times.
 */
export function certify<C extends Candidate>(line: readonly C[], { keys, requests, last, disturbed }: Between): Verdict<C> {
  const winners: { candidate: C; commit: Commit }[] = [];
  const losers: C[] = [];
  let latest = last;
  let moved = disturbed;
  for (const candidate of line) {
    const { txn, commit, buildsOnPending } = candidate;
    const lost = (buildsOnPending && moved) || requests.has(commit.requestHash) || (keys.length > 0 && txn.reads.touches(keys));
    if (lost) {
      losers.push(candidate);
      moved = true;
    } else if (commit.rows.length === 0) {
      winners.push({ candidate, commit });
    } else {
      const final = stamp(candidate, Math.max(latest + 1, commit.ts));
      moved ||= final !== commit;
      latest = final.ts;
      winners.push({ candidate, commit: final });
    }
  }
  return { winners, losers };
}

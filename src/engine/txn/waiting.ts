// A writer in the line before the log, and what becomes of it.
import type { Ts } from '../base/platform.ts';
import { badRequest } from '../errors/codes.ts';
import type { Between, Candidate, Verdict } from './certify.ts';
import { type Commit, isLogged, keysOf } from './record.ts';
import type { Txn } from './txn.ts';

export type Outcome =
  /** `txn`: the run that counts. */
  | { readonly kind: 'committed'; readonly ts: Ts; readonly txn: Txn }
  /** Run it again. `foreign`: another engine was first, which the client's limit of retries counts. */
  | { readonly kind: 'conflict'; readonly foreign: boolean };

/** Lost to a neighbour in line. */
export const lostToNeighbour = { kind: 'conflict', foreign: false } as const;
/** Lost to another engine. */
export const lostToEngine = { kind: 'conflict', foreign: true } as const;

/** Runs a writer once more, as this transaction. Answers whether it came to its end without waiting. */
export type Again = (txn: Txn) => boolean;
export const NEVER: Again = () => false;

export interface Waiting extends Candidate {
  txn: Txn;
  commit: Commit;
  buildsOnPending: boolean;
  readonly requestId: string;
  readonly again: Again;
  settle(outcome: Outcome): void;
  fail(error: unknown): void;
  /** Resolves when it has ended, one way or the other. */
  readonly ended: Promise<unknown>;
}

/** What those in line are certified against: commits that came between. */
export const betweenOf = (commits: readonly Commit[], last: Ts, disturbed: boolean): Between => ({
  keys: commits.flatMap(keysOf),
  requests: new Set(commits.map(({ requestHash }) => requestHash)),
  last,
  disturbed,
});

/** What a group writes to the log. */
export function written({ winners }: Verdict<Waiting>): Commit[] {
  const commits: Commit[] = [];
  for (const { commit } of winners) if (isLogged(commit)) commits.push(commit);
  return commits;
}

/** Characters of keys and texts. */
export function sizeOf({ rows }: Pick<Commit, 'rows'>): number {
  let size = 0;
  for (const { key, text } of rows) size += key.length + text.length;
  return size;
}

/** Most characters of keys and texts of one transaction (data/transactions.md §8); the message calls them bytes. Even of three bytes each they fit into one record (MAX_RECORD_BYTES). */
const MAX_SIZE = 16 * 2 ** 20;

/** @throws HttpError `bad request` for what is too much for one transaction */
export function fitting<T extends Pick<Commit, 'rows'>>(commit: T): T {
  const size = sizeOf(commit);
  if (size > MAX_SIZE) throw badRequest(`Transaction exceeded limit: got ${size} bytes, limit ${MAX_SIZE} bytes`);
  return commit;
}

export function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}

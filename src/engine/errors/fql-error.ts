// Errors of the language are data: a list of failures with positions. They are thrown so
// that authors of functions can write `throw wrongType(…)`, caught only where the language
// collects several, and become JSON in one place.
import type { Path } from '../base/path.ts';

/** The words that differ between API versions in error texts (reference: fql/errors.md §8). */
export interface Words {
  readonly collection: 'class' | 'collection';
  readonly Collection: 'Class' | 'Collection';
  readonly document: 'instance' | 'document';
  readonly Document: 'Instance' | 'Document';
}

export type Text = string | ((words: Words) => string);

/** A failed field of a document: an element of `failures`. */
export interface FieldFailure {
  readonly field: readonly (string | number)[];
  readonly code: string;
  readonly description: Text;
}

export interface Failure {
  readonly at: Path;
  readonly code: string;
  readonly description: Text;
  readonly status: number;
  /** Which of several failures decides the HTTP status: the highest rank, then the first. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly failures?: readonly FieldFailure[];
  readonly cause?: readonly Failure[];
}

export class FqlError extends Error {
  override readonly name = 'FqlError';

  constructor(readonly failures: readonly Failure[]) {
    super(failures.map((failure) => failure.code).join(', '));
  }

  /** HTTP status of the whole answer (reference: fql/errors.md §3). */
  get status(): number {
    const highest = Math.max(...this.failures.map((failure) => failure.rank));
    return this.failures.find((failure) => failure.rank === highest)?.status ?? 500;
  }
}

/** A failure of the protocol rather than of the language: no position. */
export class HttpError extends Error {
  override readonly name = 'HttpError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly description: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
  }
}

/** Whether the query itself is to blame, and nothing that may be otherwise when it runs again. */
export const isOfQuery = (error: unknown): boolean => error instanceof FqlError || (error instanceof HttpError && error.status === 400);

/** What each of several functions gives. @throws FqlError the failures of all of them together */
export const allOf = <T extends readonly unknown[]>(...reads: { readonly [K in keyof T]: () => T[K] }): T =>
  eachOf<() => unknown, unknown>(reads, (read) => read()) as unknown as T;

/** What a step makes of each item. @throws FqlError the failures of all of them together */
export function eachOf<A, B>(items: readonly A[], step: (item: A, index: number) => B): B[] {
  const failures: Failure[] = [];
  const results = items.map((item, index): B | undefined => {
    try {
      return step(item, index);
    } catch (error) {
      failures.push(...failuresOf(error));
      return undefined;
    }
  });
  if (failures.length > 0) throw new FqlError(failures);
  return results as B[];
}

/** The failures of an error of the language; rethrows anything else. */
export function failuresOf(error: unknown): readonly Failure[] {
  if (error instanceof FqlError) return error.failures;
  throw error;
}

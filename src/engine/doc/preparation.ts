import type { MaybePromise } from '../base/maybe.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import type { Obj, Ref } from '../value/value.ts';

/** Fields as they will be stored, how they are shown, and what is wrong with them. */
export interface Prepared {
  readonly fields: Obj;
  /** Fields as this one answer shows them, where they differ: a new secret is shown and never stored. */
  readonly shown?: Obj;
  readonly failures: readonly FieldFailure[];
  /** Makes sure of what else must hold. @throws FqlError */
  require?(): MaybePromise<void>;
  /** What is written after it. */
  follow?(): MaybePromise<unknown>;
}

export interface Preparation {
  readonly ref: Ref;
  /** What is to be stored, without nulls. */
  readonly params: Obj;
  /** What was sent, nulls included. */
  readonly sent: Obj;
  /** Fields by the rules of the collection. */
  readonly fields: Obj;
  /** The document as it stands; `null` at creation. */
  readonly before: Obj | null;
  /** What of it the params were merged into: all of it, or what `replace` keeps. */
  readonly base: Obj | null;
}

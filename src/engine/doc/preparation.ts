import type { FieldFailure } from '../errors/fql-error.ts';
import type { Obj, Ref } from '../value/value.ts';

/** Fields as they will be stored, what is shown besides, and what is wrong with them. */
export interface Prepared {
  readonly fields: Obj;
  /** Shown once in the answer, never stored. */
  readonly shownOnce?: Obj;
  readonly failures: readonly FieldFailure[];
}

export interface Preparation {
  readonly ref: Ref;
  readonly params: Obj;
  /** Fields by the rules of the collection. */
  readonly fields: Obj;
  /** The document as it stands; `null` at creation. */
  readonly before: Obj | null;
}

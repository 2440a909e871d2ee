// Direct evaluation: what a predicate says of one document, worked out without a context or a promise. A set
// that looks at every document of a collection asks that first; where a predicate cannot be told in this way,
// or of a document, the evaluator tells it, or why it fails. Both say the same, and bill the same.
import type { FieldPath, Told } from '../value/field-path.ts';
import type { Value } from '../value/value.ts';

/** A document that a predicate is asked about; the same object stands for one after the other. */
export interface Subject {
  at(field: FieldPath): Told;
  /** Steps of work since the one before. */
  steps: number;
  /** Whether it was read. */
  isRead: boolean;
}

/** What stands for a document itself. */
export type Found = Value | Subject;

/** `undefined`: it cannot be told in this way. */
export type Direct = (subject: Subject) => Found | undefined;

/** What is told of a document by a predicate; `perhaps`: it has to be applied. */
export type Verdict = boolean | 'perhaps';

/** An expression that a form is called with. */
export interface Part {
  /** `null` where it has no direct evaluation. */
  readonly direct: Direct | null;
  /** The value that it is, if it is one. */
  readonly literal: Value | undefined;
  /** The expressions of a list. */
  readonly items: readonly Part[];
  /** Whether it is the lambda's argument: the ref of the document. */
  readonly isArgument: boolean;
}

/** The direct evaluation of a call, given its arguments in the order of the form's parameters; `null`: it has none. */
export type Direction = (args: readonly (Part | undefined)[]) => Direct | null;

/** That of a form over exactly so many values. @param operate `undefined`: only the form itself can tell */
export const overValues =
  (count: 1 | 2, operate: (first: Value, second: Value) => Value | undefined): Direction =>
  ([argument]) => {
    const parts = count === 1 ? [argument] : argument?.items;
    const [first, second = first] = (parts ?? []).map((part) => part?.direct);
    if (parts?.length !== count || !first || !second) return null;
    return (subject) => {
      const a = first(subject);
      const b = count === 1 ? a : second(subject);
      subject.steps++;
      return isValue(a, subject) && isValue(b, subject) ? operate(a, b) : undefined;
    };
  };

const isValue = (found: Found | undefined, subject: Subject): found is Value => found !== undefined && found !== subject;

import type { MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { isArray, Ref, type Value } from '../value/value.ts';

/** Most documents that are fetched ahead: large ones must not push each other out of memory. */
const AHEAD = 32;

/**
 * A step over elements. As soon as it has to wait for one, the documents that the next elements name are
 * fetched, too: those of a page may lie anywhere, and otherwise each would be waited for in its turn.
 */
export function readingAhead<A extends Value, B>(
  elements: readonly A[],
  { txn }: EvalContext,
  step: (element: A) => MaybePromise<B>,
): (element: A, index: number) => MaybePromise<B> {
  let reached = 0;
  return (element, index) => {
    const result = step(element);
    if (result instanceof Promise && index >= reached) {
      reached = index + AHEAD;
      const named = elements.slice(index + 1, reached + 1).flatMap((next) => (isArray(next) ? next : [next]));
      txn.readAhead(named.filter((part) => part instanceof Ref).slice(0, AHEAD));
    }
    return result;
  };
}

import { andThen, loop, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import { Ref } from '../value/ref.ts';

type Test = (ref: Ref) => MaybePromise<boolean>;

/** The ref of a new document: the first one that is not used. */
export function newRef(collection: number, { txn, catalog: { scope } }: EvalContext, isUsed: Test = (ref) => andThen(txn.version(ref, null), (version) => version !== null)): MaybePromise<Ref> {
  return loop<Ref>(() => {
    const ref = new Ref(collection, txn.nextId(), scope);
    return andThen(isUsed(ref), (used) => (used ? undefined : ref));
  });
}

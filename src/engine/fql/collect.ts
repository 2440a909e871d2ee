import { andThen, mapEach, type MaybePromise, rescue } from '../base/maybe.ts';
import { type Failure, failuresOf, FqlError } from '../errors/fql-error.ts';

/**
 * Maps items in order to the end, also past failures.
 * @throws FqlError the failures of all items together
 */
export function collectEach<A, B>(items: readonly A[], step: (item: A, index: number) => MaybePromise<B>): MaybePromise<B[]> {
  const failures: Failure[] = [];
  const results = mapEach(items, (item, index) =>
    rescue<B | undefined>(
      () => step(item, index),
      (error) => {
        failures.push(...failuresOf(error));
        return undefined;
      },
    ),
  );
  return andThen(results, (values) => {
    if (failures.length > 0) throw new FqlError(failures);
    return values as B[];
  });
}

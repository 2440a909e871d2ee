// MaybePromise: work stays synchronous until something really has to wait.
//
// A query whose data is in memory runs to its end without a single promise; it waits only
// where a cold block must be fetched. Every function that may read returns MaybePromise
// and chains with `andThen`, never with `await`.

export type MaybePromise<T> = T | Promise<T>;

/**
 * `next(value)`, now if the value is here, later if it is a promise. Not called `then`: a module
 * that exports a `then` looks like a promise to whoever imports it dynamically, and never settles.
 */
export function andThen<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `attempt()`, with a throw and a rejection handled by the same function. */
export function rescue<T>(attempt: () => MaybePromise<T>, handle: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const result = attempt();
    return result instanceof Promise ? result.catch(handle) : result;
  } catch (error) {
    return handle(error);
  }
}

/** Folds items in order, one after the other; synchronous as long as each step is. */
export function fold<T, A>(
  items: readonly T[],
  initial: A,
  step: (accumulator: A, item: T, index: number) => MaybePromise<A>,
  from = 0,
): MaybePromise<A> {
  let accumulator = initial;
  for (let index = from; index < items.length; index++) {
    const next = step(accumulator, items[index] as T, index);
    if (next instanceof Promise) {
      const resume = index + 1;
      return next.then((value) => fold(items, value, step, resume));
    }
    accumulator = next;
  }
  return accumulator;
}

/** Maps items in order, one after the other. */
export function mapEach<A, B>(items: readonly A[], step: (item: A, index: number) => MaybePromise<B>, results: B[] = []): MaybePromise<B[]> {
  while (results.length < items.length) {
    const result = step(items[results.length] as A, results.length);
    if (result instanceof Promise) {
      return result.then((value) => {
        results.push(value);
        return mapEach(items, step, results);
      });
    }
    results.push(result);
  }
  return results;
}

/** Does something with each item, one after the other. @returns what it gave for the last one */
export const each = <T, R>(items: readonly T[], step: (item: T) => MaybePromise<R>): MaybePromise<R | undefined> =>
  fold<T, R | undefined>(items, undefined, (_, item) => step(item));

/** All of the values, once none of them has to be waited for. */
export function together<A>(values: readonly MaybePromise<A>[]): MaybePromise<readonly A[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly A[]);
}

/**
 * A function that asks `source` again and again until `take` makes something other than `undefined`
 * of what it gives. What cursors are made of: nothing is allocated from one step to the next.
 */
export function drawing<A, B>(source: () => MaybePromise<A>, take: (item: A) => MaybePromise<B | undefined>): () => MaybePromise<B> {
  const settled = (result: B | undefined): MaybePromise<B> => (result === undefined ? next() : result);
  function next(): MaybePromise<B> {
    for (;;) {
      const item = source();
      const result = item instanceof Promise ? item.then(take) : take(item);
      if (result instanceof Promise) return result.then(settled);
      if (result !== undefined) return result;
    }
  }
  return next;
}

/**
 * Reads a cursor to its end: `source` is asked until it gives `null`, one item after the other.
 * @returns what `take` made of the items, where that is not `undefined`
 */
export function readAll<A, B>(source: () => MaybePromise<A | null>, take: (item: A) => MaybePromise<B | undefined>): MaybePromise<B[]> {
  const made: B[] = [];
  const keep = (one: B | undefined): undefined => {
    if (one !== undefined) made.push(one);
  };
  return drawing<A | null, B[]>(source, (item) => (item === null ? made : andThen(take(item), keep)))();
}

/** Repeats `step` until it answers something other than `undefined`. Never grows the stack. */
export function loop<T>(step: () => MaybePromise<T | undefined>): MaybePromise<T> {
  for (;;) {
    const result = step();
    if (result instanceof Promise) return result.then((value) => (value === undefined ? loop(step) : value));
    if (result !== undefined) return result;
  }
}

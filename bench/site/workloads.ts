// What is done to every candidate, by the names the results have. Of a database of `documents`
// posts; creates add others, which nothing after them reads.
import type { Key, Post, Store } from './candidate.ts';
import { AUTHORS, makePosts, numbers, pick, SCORES, timeOf } from './posts.ts';
import { type Effort, type Summary, timed } from './timing.ts';

export interface Filled {
  readonly store: Store;
  /** Of the posts, by their numbers. */
  readonly keys: readonly Key[];
  /** Milliseconds a workload may take; what is slow is done less often. */
  readonly cap: number;
}

type Workload = (filled: Filled) => Promise<Summary>;

const AT_ONCE = 100;
const atOnce = <T>(act: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, act));

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  W1: ({ store, keys, cap }) => creates(store, keys.length, { times: 300, cap }),
  W2b: ({ store, keys, cap }) => creates(store, keys.length + 1000, { times: 10, cap, each: AT_ONCE }),
  R1: ({ store, keys, cap }) => {
    const random = numbers(1);
    return timed({ times: 1000, cap }, () => store.get(pick(keys, random)));
  },
  'R1x100': ({ store, keys, cap }) => {
    const random = numbers(2);
    return timed({ times: 20, cap, each: AT_ONCE }, () => atOnce(() => store.get(pick(keys, random))));
  },
  'R2-16': (filled) => pages(filled, 16, 1000),
  'R2-64': (filled) => pages(filled, 64, 1000),
  R3: ({ store, cap }) => timed({ times: 50, cap }, (at) => store.count(500 + at)),
  U1: ({ store, keys, cap }) => {
    const random = numbers(3);
    return timed({ times: 300, cap }, (at) => store.update(pick(keys, random), at % SCORES));
  },
};

function creates(store: Store, first: number, effort: Effort): Promise<Summary> {
  const { times, each = 1 } = effort;
  const posts = makePosts(times * each, first);
  return timed(effort, (at) => Promise.all(posts.slice(at * each, (at + 1) * each).map((post: Post) => store.create(post))));
}

function pages({ store, keys, cap }: Filled, size: number, times: number): Promise<Summary> {
  const random = numbers(size);
  // Not from the last tenth, where fewer may be left.
  const from = (): number => timeOf(Math.floor(random() * keys.length * 0.9));
  return timed({ times, cap }, () => store.page(pick(AUTHORS, random), from(), size));
}

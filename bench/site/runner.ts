// What the runner calls over the DevTools protocol, step by step, in a page a candidate.
import type { Candidate, Key, Post, Store } from './candidate.ts';
import { check } from './check.ts';
import { createsDuringUpkeep, fetchTimes, serveConstant } from './plumbing.ts';
import { makePost, makePosts } from './posts.ts';
import { type Summary, summary } from './timing.ts';
import { WORKLOADS } from './workloads.ts';

const BULK = 1000;
/** Milliseconds for each document in which what was filled is left alone: all of them tidy up. */
const REST = 0.08;

/** A post that is there, and how to ask for it. */
interface Sample {
  readonly key: Key;
  readonly number: number;
}

const steps = (candidates: readonly Candidate[]) => {
  let store: Store | undefined;
  let keys: Key[] = [];
  const named = (name: string): Candidate => {
    const found = candidates.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no candidate ${name}`);
    return found;
  };
  const opened = (): Store => {
    if (store === undefined) throw new Error('nothing is open');
    return store;
  };

  return {
    /** Opens it in an empty profile and stores the posts (W2), then checks what it answers. */
    async fill(name: string, documents: number): Promise<{ W2: Summary; sample: Sample }> {
      store = await named(name).open();
      await store.make();
      const times: number[] = [];
      for (let first = 0; first < documents; first += BULK) {
        const posts = makePosts(Math.min(BULK, documents - first), first);
        const began = performance.now();
        keys.push(...(await store.bulk(posts)));
        times.push(performance.now() - began);
      }
      await check(store, keys);
      await new Promise((resolve) => setTimeout(resolve, documents * REST));
      const number = keys.length >> 1;
      return { W2: summary(times, Math.min(BULK, documents)), sample: { number, key: keys[number] as Key } };
    },
    /** @param cap milliseconds */
    workload: (name: string, cap: number): Promise<Summary> | undefined => WORKLOADS[name]?.({ store: opened(), keys, cap }),
    /** S1: milliseconds from nothing to the first post, in a page that was only loaded. */
    async start(name: string, { key, number }: Sample): Promise<number> {
      const began = performance.now();
      store = await named(name).open();
      const post: Post = await store.get(key);
      const took = performance.now() - began;
      if (post.id !== makePost(number).id) throw new Error(`the first answer is ${JSON.stringify(post)}`);
      return took;
    },
    creates: (wanted: number, cap: number) => createsDuringUpkeep(opened(), keys.length, wanted, cap),
    serveConstant,
    fetchTimes,
    async close(): Promise<void> {
      await opened().close();
      keys = [];
    },
  };
};

declare global {
  var bench: ReturnType<typeof steps>;
}

/** Lets the runner measure these in this page. */
export function serveRunner(candidates: readonly Candidate[]): void {
  globalThis.bench = steps(candidates);
}

// What is done to every candidate, in this order: a database is filled, written to one by
// one, read and changed. Each answer is looked at once before anything is timed.
import type { Candidate, Key, Post, Store } from './candidate.ts';
import { AUTHORS, makePosts, numbers, pick, SCORES } from './posts.ts';
import { summary, type Summary, timed } from './timing.ts';

export interface Plan {
  /** Posts that are there before anything is read. */
  readonly documents: number;
  /** Repetitions of each one-at-a-time operation; the more expensive ones take a part of it. */
  readonly repeat: number;
}

/** By the name of the workload; absent where the candidate does not take part. */
export type Results = Readonly<Record<string, Summary>>;

interface Filled {
  readonly store: Store;
  readonly plan: Plan;
  readonly posts: readonly Post[];
  readonly keys: readonly Key[];
}

type Workload = (filled: Filled) => Promise<Summary>;

const BULK = 1000;
const AT_ONCE = 100;

const WORKLOADS: Readonly<Record<string, Workload>> = {
  create: ({ store, plan, posts }) => {
    const more = makePosts(plan.repeat, posts.length);
    return timed(more.length, (at) => store.create(more[at] as Post));
  },
  'create, 100 in flight': ({ store, plan, posts }) => {
    const more = makePosts((plan.repeat / 2) | 0, posts.length + plan.repeat);
    return timed(more.length / AT_ONCE, (at) => Promise.all(more.slice(at * AT_ONCE, (at + 1) * AT_ONCE).map((post) => store.create(post))), AT_ONCE);
  },
  get: ({ store, plan, keys }) => {
    const random = numbers(1);
    return timed(plan.repeat * 2, () => store.get(pick(keys, random)));
  },
  'get, 100 in flight': ({ store, keys }) => {
    const random = numbers(2);
    return timed(20, () => Promise.all(Array.from({ length: AT_ONCE }, () => store.get(pick(keys, random)))), AT_ONCE);
  },
  'page of 16': (filled) => pages(filled, 16, 1),
  'page of 64': (filled) => pages(filled, 64, 0.5),
  update: ({ store, plan, keys }) => {
    const random = numbers(3);
    return timed((plan.repeat / 2) | 0, (at) => store.update(pick(keys, random), at % SCORES));
  },
  'count by predicate': ({ store }) => timed(5, (at) => store.count(500 + at)),
};

function pages({ store, plan, posts }: Filled, size: number, share: number): Promise<Summary> {
  const random = numbers(size);
  // Not from the last tenth, where fewer may be left.
  const times = posts.slice(0, (posts.length * 0.9) | 0).map((post) => post.createdAt);
  return timed((plan.repeat * share) | 0, () => store.page(pick(AUTHORS, random), pick(times, random), size));
}

export async function run(candidate: Candidate, plan: Plan): Promise<Results> {
  const store = await candidate.open();
  try {
    if (candidate.onlyGet) return { get: await timed(plan.repeat * 2, () => store.get('')) };
    const posts = makePosts(plan.documents);
    const { keys, bulk } = await fill(store, posts);
    await check(candidate.name, store, posts, keys);
    const results: Record<string, Summary> = { 'bulk, 1,000 per request': bulk };
    for (const [name, workload] of Object.entries(WORKLOADS)) results[name] = await workload({ store, plan, posts, keys });
    return results;
  } finally {
    await store.close();
  }
}

async function fill(store: Store, posts: readonly Post[]): Promise<{ keys: Key[]; bulk: Summary }> {
  const keys: Key[] = [];
  const times: number[] = [];
  for (let at = 0; at < posts.length; at += BULK) {
    const began = performance.now();
    keys.push(...(await store.bulk(posts.slice(at, at + BULK))));
    times.push(performance.now() - began);
  }
  return { keys, bulk: summary(times, BULK) };
}

/** A fast wrong answer is worth nothing. */
async function check(name: string, store: Store, posts: readonly Post[], keys: readonly Key[]): Promise<void> {
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (shown !== wanted) throw new Error(`${name} answers ${what} with ${shown}, not ${wanted}`);
  };
  const plain = ({ id, author, createdAt, title, body, score }: Post): unknown => [id, author, createdAt, title, body, score];
  const at = posts.length >> 1;
  const post = posts[at] as Post;
  const key = keys[at] as Key;
  expect('a get', plain(await store.get(key)), plain(post));
  const page = posts.filter(({ author, createdAt }) => author === post.author && createdAt >= post.createdAt).slice(0, 16);
  expect('a page', (await store.page(post.author, post.createdAt, 16)).map(plain), page.map(plain));
  expect('a count', await store.count(500), posts.filter(({ score }) => score < 500).length);
  await store.update(key, SCORES);
  expect('a get after an update', plain(await store.get(key)), plain({ ...post, score: SCORES }));
  await store.update(key, post.score);
}

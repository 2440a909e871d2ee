// A fast wrong answer is worth nothing: each kind is looked at once before any is timed.
import type { Key, Post, Store } from './candidate.ts';
import { makePost, SCORES } from './posts.ts';

const shown = ({ id, author, createdAt, title, body, score }: Post): string => JSON.stringify([id, author, createdAt, title, body, score]);

/** @throws Error that says which answer is wrong */
export async function check(store: Store, keys: readonly Key[]): Promise<void> {
  const expect = (what: string, actual: unknown, wanted: unknown): void => {
    if (actual !== wanted) throw new Error(`${what} is answered with ${actual}, not ${wanted}`);
  };
  const number = keys.length >> 1;
  const key = keys[number] as Key;
  const post = makePost(number);
  const [page, low] = expected(post, number, keys.length);

  expect('a get', shown(await store.get(key)), shown(post));
  expect('a page', (await store.page(post.author, post.createdAt, 16)).map(shown).join(), page.map(shown).join());
  expect('a count', await store.count(500), low);
  await store.update(key, SCORES);
  expect('a get after an update', shown(await store.get(key)), shown({ ...post, score: SCORES }));
  await store.update(key, post.score);
}

/** The page of 16 from a post on, and how many scores are under 500. */
function expected(first: Post, number: number, documents: number): [Post[], number] {
  const page: Post[] = [];
  let low = 0;
  for (let at = 0; at < documents; at++) {
    const post = makePost(at);
    if (post.score < 500) low++;
    if (at >= number && post.author === first.author && page.length < 16) page.push(post);
  }
  return [page, low];
}

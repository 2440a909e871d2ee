// The database itself, asked through its page API or by plain `fetch`.
import { open } from '../../../src/page/index.ts';
import type { Candidate, Key, Post, Store } from '../candidate.ts';
import { BY_AUTHOR, MAKE_POSTS, POSTS } from '../schema.ts';

/** Answers the `resource` of a query. */
type Ask = (query: unknown) => Promise<unknown>;

const refOf = (key: Key): unknown => ({ ref: POSTS, id: key });
const idOf = (ref: unknown): unknown => ({ select: 'id', from: ref });

interface Document {
  readonly data: Post;
}

function storeOf(ask: Ask, close: () => Promise<void>): Store {
  return {
    async make() {
      for (const query of MAKE_POSTS) await ask(query);
    },
    async create(post) {
      return (await ask(idOf({ select: 'ref', from: { create: POSTS, params: { object: { data: { object: post } } } } }))) as Key;
    },
    async bulk(posts) {
      const create = { create: POSTS, params: { object: { data: { var: 'post' } } } };
      const collection = posts.map((post) => ({ object: post }));
      return (await ask({ map: { lambda: 'post', expr: idOf({ select: 'ref', from: create }) }, collection })) as Key[];
    },
    async get(key) {
      return ((await ask({ get: refOf(key) })) as Document).data;
    },
    async page(author, from, size) {
      const collection = { paginate: { match: BY_AUTHOR, terms: author }, size, after: [from] };
      const found = await ask({ map: { lambda: ['createdAt', 'ref'], expr: { get: { var: 'ref' } } }, collection });
      return (found as { data: Document[] }).data.map(({ data }) => data);
    },
    async update(key, score) {
      await ask({ update: refOf(key), params: { object: { data: { object: { score } } } } });
    },
    async count(below) {
      const isBelow = { lt: [{ select: ['data', 'score'], from: { get: { var: 'ref' } } }, below] };
      return (await ask({ count: { filter: { lambda: 'ref', expr: isBelow }, collection: { documents: POSTS } } })) as number;
    },
    close,
  };
}

const page = (durability: 'relaxed' | 'strict'): Candidate => ({
  name: `Vivarium, ${durability}`,
  async open() {
    const database = await open({ durability });
    return storeOf((query) => database.query(query), () => database.close());
  },
});

/** As an HTTP client does it, which knows nothing of us: through the service worker. */
export const byFetch: Candidate = {
  name: 'Vivarium by fetch, relaxed',
  async open() {
    const database = await open({ durability: 'relaxed' });
    await controlled();
    const headers = { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' };
    const ask: Ask = async (query) => {
      const response = await fetch('/', { method: 'POST', headers, body: JSON.stringify(query) });
      const body = (await response.json()) as { resource: unknown };
      if (!response.ok) throw new Error(JSON.stringify(body));
      return body.resource;
    };
    const { answeredBy } = await database.status();
    if (answeredBy !== 'service-worker') throw new Error(`answered by ${answeredBy}`);
    return storeOf(ask, () => database.close());
  },
};

async function controlled(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller !== null) return;
  await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}

export const byPage = page('relaxed');
export const byPageStrict = page('strict');

// Queries of each shape, and how much is in one.
import { BY_AUTHOR, MAKE_POSTS, POSTS } from '../site/schema.ts';

export interface Case {
  readonly name: string;
  readonly query: string | ((at: number) => string);
  readonly per: { readonly count: number; readonly what: string };
}

const expressions = (count: number): Case['per'] => ({ count, what: 'expressions' });
const documents = (count: number): Case['per'] => ({ count, what: 'documents' });

const WIDE = 1000;
const DEEP = 200;
const deep = (depth: number): unknown => (depth === 0 ? 1 : { add: [deep(depth - 1), 1] });

const post = (number: number): unknown => ({
  author: `author-${number % 50}`,
  createdAt: number,
  title: 'amber birch cedar',
  body: 'delta ember fjord grove heath inlet juniper kelp lichen moss nettle',
  score: (number * 7919) % 1000,
});
const create = { create: POSTS, params: { object: { data: { var: 'post' } } } };
const createAll = (first: number, count: number): string =>
  JSON.stringify({ foreach: { lambda: 'post', expr: create }, collection: Array.from({ length: count }, (_, at) => ({ object: post(first + at) })) });

const page = {
  map: { lambda: ['createdAt', 'ref'], expr: { get: { var: 'ref' } } },
  collection: { paginate: { match: BY_AUTHOR, terms: 'author-7' }, size: 16 },
};

/** Asked once before all others. */
export const PREPARATION: readonly string[] = [
  ...MAKE_POSTS.map((query) => JSON.stringify(query)),
  JSON.stringify({ create: { ref: POSTS, id: '1' }, params: { object: { data: { object: post(1) } } } }),
  JSON.stringify({ create: { ref: POSTS, id: '2' }, params: { object: { data: { object: post(2) } } } }),
  createAll(0, 1000),
];

export const QUERIES: readonly Case[] = [
  { name: 'small: 1 + 2', query: JSON.stringify({ add: [1, 2] }), per: expressions(3) },
  { name: `wide: ${WIDE} additions in an array`, query: JSON.stringify(Array.from({ length: WIDE }, (_, at) => ({ add: [at, 1] }))), per: expressions(3 * WIDE) },
  { name: `deep: ${DEEP} additions in each other`, query: JSON.stringify(deep(DEEP)), per: expressions(2 * DEEP + 1) },
  {
    name: 'map of 1,000 numbers',
    query: JSON.stringify({ map: { lambda: 'x', expr: { add: [{ var: 'x' }, 1] } }, collection: Array.from({ length: WIDE }, (_, at) => at) }),
    per: expressions(3 * WIDE),
  },
  { name: 'create, 1,000 in a request', query: (at) => createAll(at * 1000, 1000), per: documents(1000) },
  { name: 'create', query: (at) => JSON.stringify({ create: POSTS, params: { object: { data: { object: post(at) } } } }), per: documents(1) },
  { name: 'get by ref', query: JSON.stringify({ get: { ref: POSTS, id: '1' } }), per: documents(1) },
  { name: 'page of 16 by index, with documents', query: JSON.stringify(page), per: documents(16) },
  {
    name: 'update',
    query: (at) => JSON.stringify({ update: { ref: POSTS, id: '2' }, params: { object: { data: { object: { score: at } } } } }),
    per: documents(1),
  },
];

/** JSON of about so many characters: objects as applications send them. */
export function jsonText(length: number, random: () => number): string {
  const items: string[] = [];
  for (let size = 0; size < length; size += items.at(-1)?.length ?? 0) {
    const number = Math.floor(random() * 1e6);
    items.push(JSON.stringify({ id: String(number), ...(post(number) as object), ratio: random(), tags: ['a', 'b', null, true], nested: { deeper: { x: 1.5 } } }));
  }
  return `[${items.join(',')}]`;
}

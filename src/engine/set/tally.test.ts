// Documents counted block by block: the same number as one by one, the same errors, and billed the same.
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Reply, succeeded, testClient, type TestClient, told } from '../../testing/client.ts';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../kv/memory.ts';
import { counting } from './lazy.ts';
import { DocumentsSet } from './ops/documents.ts';
import { FilterSet } from './ops/views.ts';

const MINUTE = 60_000_000;
const THINGS = '{"collection":"things"}';
const DOCUMENTS = `{"documents":${THINGS}}`;
const doc = (id: number): string => `{"ref":${THINGS},"id":"${id}"}`;
const field = (name: string, rest = ''): string => `{"select":["data","${name}"],"from":{"get":{"var":"x"}}${rest}}`;
const filter = (predicate: string): string => `{"filter":{"lambda":"x","expr":${predicate}},"collection":${DOCUMENTS}}`;
const count = (set: string): string => `{"count":${set}}`;
const SETS: readonly string[] = [
  DOCUMENTS,
  filter(`{"lt":[${field('n')},5]}`),
  filter(`{"equals":[${field('kind', ',"default":"none"')},"odd"]}`),
  filter(`{"and":[{"gte":[${field('n')},2]},{"not":{"equals":[${field('kind', ',"default":null')},"even"]}}]}`),
  filter(`{"or":[{"lt":[${field('n')},1]},{"lt":[${field('at', ',"default":0')},{"time":"2020-06-01T00:00:00Z"}]}]}`),
  filter(`{"equals":[${field('part', ',"default":0')},{"object":{"a":1}}]}`),
  filter(`{"lt":[{"select":["data","part","a"],"from":{"get":{"var":"x"}},"default":9},3]}`),
  filter(field('kind', ',"default":false')),
  filter('true'),
  filter(`{"or":[{"lt":[1,0]},{"lt":[0,1]}]}`),
  filter(`{"lt":[${field('rare')},5]}`),
  filter(`{"if":{"lt":[${field('n')},5]},"then":true,"else":false}`),
];

beforeAll(() => vi.waitFor(() => expect(counting()).not.toBeNull(), 9_000));
afterEach(() => {
  vi.restoreAllMocks();
});

interface Life {
  readonly client: TestClient;
  readonly log: MemoryLog;
  /** Ids of blocks that were read. */
  readonly reads: number[];
  readonly clock: { now: number };
}

async function life(options: { flushAt: number; cacheBytes: number }, history = 30): Promise<Life> {
  const log = memoryLog();
  const store = memoryLogStore(log);
  const reads: number[] = [];
  const { readBlocks } = store;
  store.readBlocks = (ids) => {
    reads.push(...ids);
    return readBlocks.call(store, ids);
  };
  const clock = { now: 1_577_836_800_000_000 };
  const client = await testClient(store, { ...testPlatform(), now: () => clock.now }, options);
  const here: Life = { client, log, reads, clock };
  await run(here, `{"create_collection":{"object":{"name":"things","history_days":${history}}}}`);
  return here;
}

async function run(here: Life, query: string): Promise<string> {
  here.clock.now += 1000;
  return succeeded(await here.client.query(query)).text;
}

/** Asks both ways. */
async function both(here: Life, query: string): Promise<string> {
  const byBlocks = await here.client.query(query);
  const spies = [DocumentsSet, FilterSet].map((set) => vi.spyOn(set.prototype, 'tally').mockReturnValue(null));
  const oneByOne = await here.client.query(query);
  for (const spy of spies) spy.mockRestore();
  expect(told(byBlocks), query).toEqual(told(oneByOne));
  return byBlocks.text;
}

async function ask(here: Life, query: string): Promise<number> {
  const { text } = await here.client.query(query);
  return countOf(text);
}

const upTo = (length: number): number[] => Array.from({ length }, (_, at) => at);
const create = (id: number, fields: string, rest = ''): string => `{"create":${doc(id)},"params":{"object":{"data":{"object":{${fields}}}${rest}}}}`;
const plain = (id: number, pad = 150): string => create(id, `"n":${id % 10},"kind":"${id % 2 === 0 ? 'even' : 'odd'}","pad":"${'x'.repeat(pad)}"`);
const inDocuments = (ids: readonly number[], query: (id: number) => string): string => `[${ids.map(query).join()}]`;
const countOf = (text: string): number => (JSON.parse(text) as { resource: number }).resource;

describe('documents counted block by block', () => {
  it.each(upTo(12))('are as many as one by one, in a random life: seed %i', { timeout: 120_000 }, async (seed) => {
    const gen = new Gen(seed + 1);
    const here = await life({ flushAt: gen.pick([3000, 20_000, 60_000]), cacheBytes: gen.pick([0, 60_000, 4 * 2 ** 20]) }, gen.pick([0, 30]));
    const ids = 400;
    const fields = (): string => {
      const parts = [`"n":${gen.below(10)}`, `"pad":"${gen.pick(['x', 'é']).repeat(gen.below(300))}"`];
      if (gen.bool()) parts.push(`"kind":${gen.pick(['"odd"', '"even"', 'true', 'null'])}`);
      if (gen.below(12) === 0) parts.push(`"at":{"time":"2020-0${1 + gen.below(9)}-01T00:00:00Z"}`);
      if (gen.below(12) === 0) parts.push(`"part":${gen.pick(['{"object":{"a":1}}', '[1]', '"a"'])}`);
      return parts.join();
    };
    const change = (): string => {
      const id = 1 + gen.below(ids);
      const params = `"params":{"object":{"data":{"object":{${fields()}}}}}`;
      const exists = (then: string): string => `{"if":{"exists":${doc(id)}},"then":${then},"else":null}`;
      return gen.pick<() => string>([
        () => exists(`{"update":${doc(id)},${params}}`),
        () => exists(`{"update":${doc(id)},${params}}`),
        () => exists(`{"delete":${doc(id)}}`),
        () => `{"if":{"exists":${doc(id)}},"then":null,"else":${create(id, fields(), gen.below(20) === 0 ? `,"ttl":{"epoch":${here.clock.now + MINUTE},"unit":"microseconds"}` : '')}}`,
        () => `{"insert":${doc(id)},"ts":{"epoch":${here.clock.now - gen.below(20) * MINUTE},"unit":"microseconds"},"action":"${gen.pick(['create', 'delete'])}",${params}}`,
      ])();
    };
    await run(here, inDocuments(upTo(ids).filter(() => gen.below(5) > 0), (id) => create(id + 1, fields())));
    for (let round = 0; round < 8; round++) {
      // Both ways have to find the same blocks.
      await here.client.engine.upkeep();
      const queries = SETS.map(count);
      for (const query of [...queries, ...queries]) await both(here, query);
      // What the query itself has changed, and documents read before and after.
      const undone = `{"abort":"undone"}`;
      await both(here, `{"do":[${change()},${change()},{"let":{"c":${count(gen.pick(SETS))}},"in":{"if":{"equals":[{"var":"c"},-1]},"then":0,"else":${undone}}}]}`);
      for (const id of [1, 1 + gen.below(ids), ids]) await both(here, `{"if":{"exists":${doc(id)}},"then":[{"get":${doc(id)}},${count(gen.pick(SETS))},{"get":${doc(id)}}],"else":0}`);
      const some = gen.pick([1, 5, 60]);
      for (let at = 0; at < some; at += 20) await run(here, inDocuments(upTo(Math.min(20, some - at)), change));
      here.clock.now += gen.pick([0, MINUTE, 20 * MINUTE]);
    }
  });

  it('are not read again, where what is known of them takes little of the memory that they would take', async () => {
    const here = await life({ flushAt: 200_000, cacheBytes: 400_000 });
    for (let from = 0; from < 2000; from += 100) await run(here, inDocuments(upTo(100), (at) => plain(from + at + 1, 1000)));
    await here.client.engine.upkeep();
    const readsOf = async (query: string): Promise<number> => {
      here.reads.length = 0;
      expect(await ask(here, query)).toBe(1000);
      return here.reads.length;
    };
    const odd = count(filter(`{"equals":[${field('kind')},"odd"]}`));
    const low = (below: number): string => count(filter(`{"lt":[${field('n')},${below}]}`));
    expect(await readsOf(odd)).toBeGreaterThan(50);
    expect(await readsOf(odd)).toBeLessThan(8);
    // Another field takes them once more, another question about it does not.
    expect(await readsOf(low(5))).toBeGreaterThan(50);
    expect(await readsOf(`{"subtract":[2000,${count(filter(`{"gt":[${field('n')},4]}`))}]}`)).toBeLessThan(8);
    // One document changed: its block is needed, and no other.
    await run(here, `{"update":${doc(1000)},"params":{"object":{"data":{"object":{"kind":"even","n":4}}}}}`);
    expect(await readsOf(odd)).toBeLessThan(8);
    await run(here, `{"update":${doc(1001)},"params":{"object":{"data":{"object":{"kind":"even"}}}}}`);
    here.reads.length = 0;
    expect(await ask(here, odd)).toBe(999);
    expect(here.reads.length).toBeLessThan(8);
  });

  it('are what the reader sees, also where others write meanwhile', async () => {
    const here = await life({ flushAt: 20_000, cacheBytes: 4 * 2 ** 20 });
    await run(here, inDocuments(upTo(300), (at) => plain(at + 1)));
    await here.client.engine.upkeep();
    const query = count(filter(`{"lt":[${field('n')},5]}`));
    for (const text of [await both(here, query), await both(here, query)]) expect(countOf(text)).toBe(150);
    const erase = inDocuments(upTo(30), (at) => `{"delete":${doc(10 * at + 2)}}`);
    const [before, erased, after] = await Promise.all([ask(here, query), here.client.query(erase), ask(here, query)]);
    expect(erased.status).toBe(200);
    expect(before).toBe(150);
    expect([150, 120]).toContain(after);
    await here.client.engine.upkeep();
    expect(countOf(await both(here, query))).toBe(120);
    await here.client.engine.upkeep();
    expect(countOf(await both(here, query))).toBe(120);
  });

  it('are checked for conflicts: of many who write because there are few, as many do as fit', async () => {
    const here = await life({ flushAt: 20_000, cacheBytes: 4 * 2 ** 20 });
    await run(here, inDocuments(upTo(300), (at) => plain(at + 1)));
    await here.client.engine.upkeep();
    const low = count(filter(`{"lt":[${field('n')},1]}`));
    for (const set of [low, low]) expect(await ask(here, set)).toBe(30);
    const attempt = (): Promise<Reply> => here.client.query(`{"if":{"lt":[${low},35]},"then":{"create":${THINGS},"params":{"object":{"data":{"object":{"n":0}}}}},"else":null}`);
    const answers = await Promise.all(upTo(12).map(attempt));
    expect(answers.filter(({ status }) => status === 201).length).toBe(5);
    expect(await ask(here, low)).toBe(35);
  });

  it('are those of the time that is asked about', async () => {
    const here = await life({ flushAt: 20_000, cacheBytes: 4 * 2 ** 20 });
    await run(here, inDocuments(upTo(300), (at) => plain(at + 1)));
    const { now } = here.clock;
    await run(here, inDocuments(upTo(100), (at) => `{"delete":${doc(at + 1)}}`));
    await here.client.engine.upkeep();
    for (const [set, was, is] of [[DOCUMENTS, 300, 200], [filter(`{"lt":[${field('n')},5]}`), 150, 100]] as const) {
      expect(await ask(here, count(set))).toBe(is);
      expect(await ask(here, `{"at":{"epoch":${now},"unit":"microseconds"},"expr":${count(set)}}`)).toBe(was);
    }
  });

  it('are those that the caller may read, in the database that is named', async () => {
    const here = await life({ flushAt: 20_000, cacheBytes: 4 * 2 ** 20 });
    await run(here, inDocuments(upTo(300), (at) => plain(at + 1)));
    await run(here, '{"create_database":{"object":{"name":"child"}}}');
    await run(here, `{"create_role":{"object":{"name":"some","privileges":{"object":{"resource":${THINGS},"actions":{"object":{"read":{"query":{"lambda":"x","expr":{"lt":[{"select":["data","n"],"from":{"get":{"var":"x"}}},2]}}}}}}}}}}`);
    const made = await run(here, '{"select":"secret","from":{"create_key":{"object":{"role":{"role":"some"}}}}}');
    const { resource: secret } = JSON.parse(made) as { resource: string };
    const askAs = async (authorization: string, query: string): Promise<unknown> => {
      const { text } = await here.client.queryAs(authorization, query);
      return (JSON.parse(text) as { resource?: unknown }).resource;
    };
    const inChild = 'secret:child:admin';
    await askAs(inChild, '{"create_collection":{"object":{"name":"things"}}}');
    await askAs(inChild, inDocuments(upTo(120), (at) => plain(at + 1)));
    await here.client.engine.upkeep();
    const even = count(filter(`{"equals":[${field('kind')},"even"]}`));
    for (let again = 0; again < 2; again++) {
      expect(await askAs('secret', even)).toBe(150);
      expect(await askAs(secret, even)).toBe(30);
      expect(await askAs(inChild, even)).toBe(60);
      expect(await askAs(inChild, count(DOCUMENTS))).toBe(120);
      const ofChild = even.replace(DOCUMENTS, '{"documents":{"collection":"things","scope":{"database":"child"}}}');
      expect(await askAs('secret', ofChild)).toBe(60);
    }
  });

  it('may be many that only the evaluator can tell about', async () => {
    const here = await life({ flushAt: Infinity, cacheBytes: 2 ** 20 });
    for (let from = 0; from < 12_000; from += 1000) await run(here, inDocuments(upTo(1000), (at) => create(from + at + 1, `"list":[${at % 2}]`)));
    expect(await ask(here, count(filter(`{"equals":[{"select":["data","list",0],"from":{"get":{"var":"x"}}},1]}`)))).toBe(6000);
    expect(await ask(here, count(filter(`{"equals":[{"select":["data","list","x"],"from":{"get":{"var":"x"}},"default":1},1]}`)))).toBe(12_000);
  });

  it('are forgotten with the database', async () => {
    const here = await life({ flushAt: 20_000, cacheBytes: 4 * 2 ** 20 });
    await run(here, inDocuments(upTo(300), (at) => plain(at + 1)));
    await here.client.engine.upkeep();
    expect(countOf(await both(here, count(DOCUMENTS)))).toBe(300);
    await here.client.engine.reset();
    await run(here, '{"create_collection":{"object":{"name":"things"}}}');
    await run(here, inDocuments(upTo(200), (at) => plain(at + 1)));
    await here.client.engine.upkeep();
    expect(countOf(await both(here, count(DOCUMENTS)))).toBe(200);
  });
});

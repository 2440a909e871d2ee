// Large data with right answers, within the memory that is promised: what grows lies in blocks,
// and of those as many are kept as the budget allows. `npm run test:sizes` takes the sizes that
// are promised; all other runs a tenth of them, with a tenth of the memory.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Measured, measured } from '../../testing/measured.ts';

const PART = process.env.VIVARIUM_SIZES === 'full' ? 1 : 10;
const MB = 2 ** 20;
/** As an engine has it unless told otherwise. */
const CACHE = 64 / PART;
const SIZES = { cacheBytes: CACHE * MB, flushAt: MB / PART };
/** The blocks that are kept, more than as much again for rows that are not in blocks yet and for work in hand; code and catalogs whatever the size (MB). */
const BUDGET = 2.5 * CACHE + 20;
/** A busy machine takes several times longer than the minutes that the largest of these needs. */
const PATIENCE = 900_000;

const field = (name: string): string => `[{"object":{"field":["data","${name}"]}}]`;
const collection = (name: string): string => `{"create_collection":{"object":{"name":"${name}","history_days":null}}}`;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const data = (page: string): unknown => (JSON.parse(page) as { data: unknown }).data;
const idsOf = (page: string): number[] => (data(page) as { '@ref': { id: string } }[]).map((ref) => Number(ref['@ref'].id));

/** Says what it took. */
const tell = (what: string, began: number, db: Measured): void =>
  console.info(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s, at most ${Math.round(db.most())} MB of ${Math.round(BUDGET)}`);

describe('many documents with three indexes', () => {
  const MANY = 100_000 / PART;
  const BATCH = 2000;
  let began = 0;
  let db: Measured;
  const index = (name: string): string => `{"create_index":{"object":{"name":"by_${name}","source":{"collection":"c"},"terms":${field(name)}}}}`;
  const match = (name: string, term: number): string => `{"match":{"index":"by_${name}"},"terms":${term}}`;
  /** `n` of a document is its id; the other fields are what is left of it. */
  const create = `{"create":{"ref":{"collection":"c"},"id":{"var":"n"}},"params":{"object":{"data":{"object":{"n":{"var":"n"},
    "tenth":{"modulo":[{"var":"n"},10]},"third":{"modulo":[{"var":"n"},3]},"rare":{"modulo":[{"var":"n"},1000]}}}}}}`;
  const where = (fits: (n: number) => boolean): number[] => upTo(MANY).filter(fits);

  beforeAll(async () => {
    began = performance.now();
    db = await measured(SIZES);
    await db.ask(collection('c'));
    await db.ask(`[${['tenth', 'rare'].map(index).join()}]`);
    for (let from = 0; from < MANY; from += BATCH) {
      await db.ask(`{"foreach":{"lambda":"n","expr":${create}},"collection":[${upTo(BATCH).map((n) => from + n).join()}]}`);
      await db.engine.upkeep();
    }
    await db.ask(index('third'));
    await db.engine.upkeep();
  }, PATIENCE);
  afterAll(() => tell(`${MANY} documents`, began, db));

  it('has them all, and each where it belongs', async () => {
    expect(await db.ask(`{"count":{"documents":{"collection":"c"}}}`)).toBe(String(MANY));
    const sets = [match('tenth', 3), match('third', 0), match('third', 1), match('rare', 7)];
    const sizes = [where((n) => n % 10 === 3), where((n) => n % 3 === 0), where((n) => n % 3 === 1), where((n) => n % 1000 === 7)].map(({ length }) => length);
    expect(JSON.parse(await db.ask(`[${sets.map((set) => `{"count":${set}}`).join()}]`))).toEqual(sizes);
    const { answer, blocks } = await db.cost(`{"select":["data","n"],"from":{"get":{"ref":{"collection":"c"},"id":"${MANY - 7777}"}}}`);
    expect(answer).toBe(String(MANY - 7777));
    expect(blocks).toBeLessThan(20);
  }, PATIENCE);

  it('pages through an index from end to end', async () => {
    const ids: number[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const text = await db.ask(`{"paginate":${match('tenth', 3)},"size":${1500 / PART}${after}}`);
      const page = JSON.parse(text) as { after?: unknown };
      ids.push(...idsOf(text));
      after = page.after === undefined ? null : `,"after":${JSON.stringify(page.after)}`;
    }
    expect(ids).toEqual(where((n) => n % 10 === 3));
  }, PATIENCE);

  it('reads an algebra five deep in proportion to its smallest member', async () => {
    const rare = match('rare', 3);
    const deep = `{"difference":[{"intersection":[{"union":[${match('tenth', 3)},{"difference":[${match('third', 2)},{"intersection":[${match('tenth', 1)},${match('third', 0)}]}]}]},${rare}]},${match('third', 1)}]}`;
    const expected = where((n) => n % 1000 === 3 && n % 3 !== 1);
    const { answer, bytes } = await db.cost(`{"paginate":${deep},"size":1000}`);
    expect(idsOf(answer)).toEqual(expected);
    const whole = await db.cost(`{"count":${rare}}`);
    expect(bytes).toBeLessThan(20 * whole.bytes);
    expect(await db.ask(`{"count":${deep}}`)).toBe(String(expected.length));
  }, PATIENCE);

  it('stays within the memory that is promised', () => {
    expect(db.most()).toBeLessThan(BUDGET);
  });
});

describe('many index entries under one term', () => {
  const DOCUMENTS = 1000 / PART;
  const EACH = 1000;
  const MANY = DOCUMENTS * EACH;
  let began = 0;
  let db: Measured;
  const tags = '{"match":{"index":"tags"},"terms":"x"}';

  beforeAll(async () => {
    began = performance.now();
    db = await measured(SIZES);
    await db.ask(collection('c'));
    await db.ask(`{"create_index":{"object":{"name":"tags","source":{"collection":"c"},"terms":${field('kind')},"values":${field('tags')}}}}`);
    const create = (n: number): string =>
      `{"create":{"ref":{"collection":"c"},"id":"${n}"},"params":{"object":{"data":{"object":{"kind":"x","tags":[${upTo(EACH).map((at) => at * DOCUMENTS + n).join()}]}}}}}`;
    for (let from = 0; from < DOCUMENTS; from += 5) {
      await db.ask(`[${upTo(5).map((n) => create(from + n)).join()}]`);
      await db.engine.upkeep();
    }
  }, PATIENCE);
  afterAll(() => tell(`${MANY} entries`, began, db));

  it('are counted and folded over without being held', async () => {
    expect(await db.ask(`{"count":${tags}}`)).toBe(String(MANY));
    const sum = `{"reduce":{"lambda":["all","tag"],"expr":{"add":[{"var":"all"},{"var":"tag"}]}},"initial":0,"collection":${tags}}`;
    expect(await db.ask(sum)).toBe(String((MANY * (MANY - 1)) / 2));
  }, PATIENCE);

  it('are read where they are asked for, and nowhere else', async () => {
    const from = MANY / 2;
    const middle = await db.cost(`{"select":["data"],"from":{"paginate":${tags},"size":3,"after":${from}}}`);
    expect(middle.answer).toBe(JSON.stringify([from, from + 1, from + 2]));
    const last = await db.cost(`{"select":["data"],"from":{"paginate":${tags},"size":3,"before":null}}`);
    expect(last.answer).toBe(JSON.stringify([MANY - 3, MANY - 2, MANY - 1]));
    const range = await db.cost(`{"count":{"range":${tags},"from":${from + 1000},"to":${from + 1009}}}`);
    expect(range.answer).toBe('10');
    // Many thousands of them at one instant each.
    const events = await db.cost(`{"select":["data"],"from":{"paginate":{"events":${tags}},"size":3,"before":null}}`);
    expect((JSON.parse(events.answer) as unknown[]).length).toBe(3);
    for (const { bytes, blocks } of [middle, last, range, events]) {
      expect(bytes).toBeLessThan(10_000);
      expect(blocks).toBeLessThan(40);
    }
  }, PATIENCE);

  it('stay within the memory that is promised', () => {
    expect(db.most()).toBeLessThan(BUDGET);
  });
});

describe('many versions of one document', () => {
  const VERSIONS = 10_000 / PART;
  let began = 0;
  let db: Measured;
  const doc = (id: number): string => `{"ref":{"collection":"c"},"id":"${id}"}`;
  const fields = (n: number): string => `"params":{"object":{"data":{"object":{"n":${n}}}}}`;
  const times: number[] = [];

  beforeAll(async () => {
    began = performance.now();
    db = await measured(SIZES);
    await db.ask(collection('c'));
    await db.ask(`{"create_index":{"object":{"name":"by_n","source":{"collection":"c"},"values":${field('n')}}}}`);
    for (const n of upTo(VERSIONS)) {
      const { headers } = await db.query(`{"${n === 0 ? 'create' : 'update'}":${doc(1)},${fields(n)}}`);
      times.push(Number(headers['x-txn-time']));
    }
    await db.engine.upkeep();
  }, PATIENCE);
  afterAll(() => tell(`${VERSIONS} versions`, began, db));

  const MIDDLE = VERSIONS / 2;
  const valueAt = (time: number | undefined): Promise<string> => db.ask(`{"select":["data"],"from":{"paginate":{"match":{"index":"by_n"}},"ts":${time}}}`);

  it('are all in its history, and each is read at its time', async () => {
    expect(await db.ask(`{"count":{"events":${doc(1)}}}`)).toBe(String(VERSIONS));
    expect(await db.ask('{"count":{"events":{"match":{"index":"by_n"}}}}')).toBe(String(2 * VERSIONS - 1));
    for (const n of [0, 1, MIDDLE - 1, VERSIONS - 2, VERSIONS - 1]) {
      const { answer, bytes } = await db.cost(`{"at":${times[n]},"expr":{"select":["data","n"],"from":{"get":${doc(1)}}}}`);
      expect({ n, answer }).toEqual({ n, answer: String(n) });
      expect(bytes).toBeLessThan(5000);
      expect(await valueAt(times[n])).toBe(`[${n}]`);
    }
  }, PATIENCE);

  it('are rewritten in the middle at the cost of the versions beside it', async () => {
    const between = (times[MIDDLE] ?? 0) - 1;
    expect((await db.cost(`{"insert":${doc(1)},"ts":${between},"action":"create",${fields(-1)}}`)).bytes).toBeLessThan(10_000);
    expect(await valueAt(between)).toBe('[-1]');
    expect((await db.cost(`{"remove":${doc(1)},"ts":${between},"action":"create"}`)).bytes).toBeLessThan(10_000);
    expect(await valueAt(between)).toBe(`[${MIDDLE - 1}]`);
  }, PATIENCE);

  it('are inserted by one query', async () => {
    const insert = (n: number): string => `{"insert":${doc(2)},"ts":${1_000_000 + n},"action":"create",${fields(n)}}`;
    await db.ask(`[${upTo(VERSIONS).map(insert).join()}]`);
    expect(await db.ask(`{"count":{"events":${doc(2)}}}`)).toBe(String(VERSIONS));
  }, PATIENCE);

  it('stay within the memory that is promised', () => {
    expect(db.most()).toBeLessThan(BUDGET);
  });
});

// What upkeep takes away, nobody misses: an engine whose rows are merged and trimmed all the time
// answers as one that keeps every row it has ever written.
import { describe, expect, it } from 'vitest';
import type { Ts } from '../base/platform.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { testClient, type TestClient } from '../../testing/client.ts';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';

const MINUTE: Ts = 60_000_000;
const DAY: Ts = 1440 * MINUTE;
const BEGIN: Ts = 1_577_836_800_000_000;
const COUNT = Number(process.env.VIVARIUM_TRIMMED ?? 80);
const FIRST = Number(process.env.VIVARIUM_SEED ?? 1);
const STEPS = 14;
const PAUSES: readonly Ts[] = [1000, 1000, MINUTE, 16 * MINUTE, DAY, 32 * DAY];

/** An engine whose clock stands still while a request runs. @param flushAt `Infinity`: nothing ever leaves the log */
async function life(flushAt: number): Promise<{ readonly client: TestClient; set(now: Ts): void; ask(query: string): Promise<string> }> {
  let now = BEGIN;
  let requests = 0;
  const platform = { ...testPlatform(), now: () => now };
  const client = await testClient(memoryLogStore(), platform, { flushAt, cacheBytes: 0 }, () => `life-${++requests}`);
  return {
    client,
    set: (time) => void (now = time),
    async ask(query) {
      const { status, text } = await client.query(query);
      return `${status} ${text}`;
    },
  };
}

const IDS = [1, 2];
const doc = (id: number): string => `{"ref":{"collection":"s"},"id":"${id}"}`;
const SCHEMA = [
  '{"create_collection":{"object":{"name":"s","history_days":30}}}',
  '{"create_collection":{"object":{"name":"o"}}}',
  '{"create_collection":{"object":{"name":"forgets","history_days":0}}}',
  '{"create_index":{"object":{"name":"all","source":{"collection":"s"}}}}',
  '{"create_index":{"object":{"name":"by_n","source":{"collection":"s"},"terms":[{"object":{"field":["data","n"]}}],"values":[{"object":{"field":["ts"]}},{"object":{"field":["ref"]}}]}}}',
];
/** An index over what keeps its history and what does not. */
const MIXED = '{"create_index":{"object":{"name":"mixed","source":[{"collection":"s"},{"collection":"forgets"}]}}}';
const FILLER = `{"create":{"collection":"o"},"params":{"object":{"data":{"object":{"p":"${'x'.repeat(200)}"}}}}}`;

/** @param times at which something was written @param reach how far back history is rewritten */
function change(gen: Gen, now: Ts, times: readonly Ts[], reach: Ts): string {
  const target = doc(gen.pick(IDS));
  const ttl = gen.below(4) === 0 ? `,"ttl":{"epoch":${now + gen.pick([MINUTE, DAY, 40 * DAY])},"unit":"microseconds"}` : '';
  const params = `"params":{"object":{"data":{"object":{"n":${gen.below(3)}}}${ttl}}}`;
  const within = (time: Ts): boolean => time >= now - reach;
  const past = gen.pick([MINUTE, 10 * MINUTE, DAY, 28 * DAY, 31 * DAY, 60 * DAY, 200 * DAY].map((ago) => now - ago).filter(within));
  const at = (time: Ts): string => `"ts":{"epoch":${time},"unit":"microseconds"}`;
  const action = gen.pick(['create', 'update', 'delete']);
  return gen.pick([
    `{"create":${target},${params}}`,
    `{"create":${target},${params}}`,
    `{"update":${target},${params}}`,
    `{"replace":${target},${params}}`,
    `{"delete":${target}}`,
    `{"insert":${target},${at(past)},"action":"${action}",${params}}`,
    `{"remove":${target},${at(gen.pick([now, ...times.filter(within)]))},"action":"${action}"}`,
  ]);
}

/** Reads of now, and of times that may be asked for. */
function reads(gen: Gen, now: Ts): string[] {
  const sets = ['{"match":{"index":"all"}}', '{"documents":{"collection":"s"}}', ...[0, 1, 2].map((n) => `{"match":{"index":"by_n"},"terms":${n}}`)];
  const times = ['', ...Array.from({ length: 3 }, () => `,"ts":{"epoch":${now - gen.pick([MINUTE, 9 * MINUTE, DAY, 10 * DAY, 29 * DAY, 30 * DAY])},"unit":"microseconds"}`)];
  return times.flatMap((ts) => [
    ...sets.map((set) => `{"paginate":${set}${ts}}`),
    ...IDS.flatMap((id) => [`{"exists":${doc(id)}${ts}}`, `{"select":["data"],"from":{"get":${doc(id)}${ts}},"default":null}`]),
  ]);
}

const SETS = {
  documents: '{"documents":{"collection":"s"}}',
  all: '{"match":{"index":"all"}}',
  'by n': `{"union":[${[0, 1, 2].map((n) => `{"match":{"index":"by_n"},"terms":${n}}`).join()}]}`,
};

/** What is there, as told in different ways: one by one, and by each set. */
async function presence(ask: (query: string) => Promise<string>, sets: Readonly<Record<string, string>> = SETS): Promise<Record<string, string>> {
  const exists = await ask(`{"filter":{"lambda":"x","expr":{"exists":{"var":"x"}}},"collection":[${IDS.map(doc).join()}]}`);
  const said: Record<string, string> = { exists: idsOf(exists) };
  for (const [name, set] of Object.entries(sets)) said[name] = idsOf(await ask(`{"paginate":${set}}`));
  return said;
}

const idsOf = (answer: string): string => [...answer.matchAll(/"id":"(\d)","collection":\{"@ref":\{"id":"s"/g)].map(([, id]) => id).sort().join();

/** One step in the life of engines; what was asked is noted. */
async function step(gen: Gen, now: Ts, times: Ts[], reach: Ts, ask: (query: string) => Promise<string>, upkeep: () => Promise<void>): Promise<string> {
  if (gen.below(3) === 0) {
    const rounds = gen.pick([1, 2, 4, 5]);
    for (let round = 0; round < rounds; round++) {
      await ask(FILLER);
      await upkeep();
    }
    return `${rounds} × upkeep`;
  }
  const query = change(gen, now, times, reach);
  times.push(now);
  return `${query} → ${(await ask(query)).slice(0, 3)}`;
}

describe('trimming', () => {
  it(`is seen by no reader, as long as history is rewritten only where it is kept (${COUNT} lives)`, { timeout: 600_000 }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const gen = new Gen(seed);
      const [trimmed, whole] = [await life(300), await life(Infinity)];
      const log: string[] = [];
      const both = async (query: string): Promise<string> => {
        const [found, expected] = [await trimmed.ask(query), await whole.ask(query)];
        if (found !== expected) expect(found, `seed ${seed}\n${log.join('\n')}\n${query}`).toBe(expected);
        return found;
      };
      const times: Ts[] = [];
      let now = BEGIN;
      for (const query of SCHEMA) await both(query);
      for (let at = 0; at < STEPS; at++) {
        now += gen.pick(PAUSES);
        for (const { set } of [trimmed, whole]) set(now);
        log.push(`day ${(now - BEGIN) / DAY}: ${await step(gen, now, times, 29 * DAY, both, () => trimmed.client.engine.upkeep())}`);
        if (gen.below(3) === 0) for (const query of reads(gen, now)) await both(query);
      }
      for (const query of reads(gen, now)) await both(query);
      for (const { client } of [trimmed, whole]) await client.engine.close();
    }
  });

  it(`leaves indexes with the documents that are there, and no others, wherever history is rewritten (${COUNT} lives)`, { timeout: 600_000 }, async () => {
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const gen = new Gen(seed);
      const { client, set, ask } = await life(300);
      const log: string[] = [];
      const times: Ts[] = [];
      let now = BEGIN;
      for (const query of [...SCHEMA, MIXED]) await ask(query);
      for (let at = 0; at < STEPS; at++) {
        now += gen.pick(PAUSES);
        set(now);
        log.push(`day ${(now - BEGIN) / DAY}: ${await step(gen, now, times, Infinity, ask, () => client.engine.upkeep())}`);
        const { exists, ...sets } = await presence(ask, { ...SETS, mixed: '{"match":{"index":"mixed"}}' });
        for (const [name, ids] of Object.entries(sets)) if (ids !== exists) expect(ids, `${name}, seed ${seed}\n${log.join('\n')}`).toBe(exists);
      }
      await client.engine.close();
    }
  });

  it.each([
    ['kept whole', Infinity],
    ['trimmed', 300],
  ])('changes nothing in what a version taken out leaves, where history is not kept: the document ends there (%s)', async (_, flushAt) => {
    const { client, set, ask } = await life(flushAt);
    for (const query of SCHEMA) await ask(query);
    for (const [minute, write] of ['create', 'update'].entries()) {
      set(BEGIN + minute * MINUTE);
      expect(await ask(`{"${write}":${doc(1)},"params":{"object":{"data":{"object":{"n":0}}}}}`)).toMatch(/^20/);
    }
    set(BEGIN + 64 * DAY);
    for (let round = 0; round < 5; round++) {
      await ask(FILLER);
      await client.engine.upkeep();
    }
    expect(await presence(ask)).toEqual({ exists: '1', documents: '1', all: '1', 'by n': '1' });
    await ask(`{"remove":${doc(1)},"ts":{"epoch":${BEGIN + MINUTE},"unit":"microseconds"},"action":"create"}`);
    expect(await presence(ask)).toEqual({ exists: '', documents: '', all: '', 'by n': '' });
  });

  it('leaves in an index what a source keeps longest, as long as it is one and after that', async () => {
    const { client, set, ask } = await life(300);
    for (const query of [...SCHEMA, MIXED]) await ask(query);
    await ask(`{"create":${doc(1)},"params":{"object":{"data":{"object":{"n":0}}}}}`);
    set(BEGIN + MINUTE);
    await ask(`{"delete":${doc(1)}}`);
    set(BEGIN + 60 * MINUTE);
    for (let round = 0; round < 40; round++) {
      await ask(FILLER);
      await client.engine.upkeep();
    }
    const mixed = '{"match":{"index":"mixed"}}';
    const at = (time: Ts): Promise<string> => ask(`{"paginate":${mixed},"ts":{"epoch":${time},"unit":"microseconds"}}`);
    expect(await at(BEGIN + 1000)).toMatch(/^400/);
    await ask('{"delete":{"collection":"forgets"}}');
    expect(idsOf(await at(BEGIN + 1000))).toBe('1');
    await ask(`{"remove":${doc(1)},"ts":{"epoch":${BEGIN + MINUTE},"unit":"microseconds"},"action":"delete"}`);
    expect(await presence(ask, { ...SETS, mixed })).toEqual({ exists: '1', documents: '1', all: '1', 'by n': '1', mixed: '1' });
  });

  it.each(['oldest', 'newest'])('lets all versions be taken out, the %s first, wherever they stand', async (order) => {
    const { set, ask } = await life(Infinity);
    for (const query of SCHEMA) await ask(query);
    const times = [0, 1, 2, 50, 51].map((day) => BEGIN + day * DAY);
    for (const [at, time] of times.entries()) {
      set(time);
      expect(await ask(`{"${at === 0 ? 'create' : 'update'}":${doc(1)},"params":{"object":{"data":{"object":{"n":${at % 3}}}}}}`)).toMatch(/^20/);
    }
    set(BEGIN + 52 * DAY);
    const events = async (): Promise<readonly { ts: Ts; action: string }[]> =>
      (JSON.parse((await ask(`{"paginate":{"events":${doc(1)}}}`)).slice(4)) as { resource: { data: { ts: Ts; action: string }[] } }).resource.data;
    let steps = 0;
    for (let left = await events(); left.length > 0 && steps < 10; left = await events(), steps++) {
      const { ts, action } = left.at(order === 'oldest' ? 0 : -1) as (typeof left)[0];
      expect(await ask(`{"remove":${doc(1)},"ts":{"epoch":${ts},"unit":"microseconds"},"action":"${action}"}`)).toBe('200 {"resource":null}');
    }
    expect(steps).toBeLessThan(10);
    expect(await presence(ask)).toEqual({ exists: '', documents: '', all: '', 'by n': '' });
  });

  it('leaves an entry that was told anew of a time long ago', async () => {
    const { client, set, ask } = await life(300);
    for (const query of SCHEMA) await ask(query);
    await ask(`{"create":${doc(1)},"params":{"object":{"data":{"object":{"n":0}}}}}`);
    set(BEGIN + 32 * DAY);
    await ask(`{"insert":${doc(1)},"ts":{"epoch":${BEGIN - 200 * DAY},"unit":"microseconds"},"action":"create","params":{"object":{"data":{"object":{"n":0}}}}}`);
    for (let round = 0; round < 8; round++) {
      await ask(FILLER);
      await client.engine.upkeep();
      expect(await presence(ask)).toEqual({ exists: '1', documents: '1', all: '1', 'by n': '1' });
    }
  });

  it('takes nothing from the gateway: enums, embedded types and inputs of an import', async () => {
    const { client, set, ask } = await life(300);
    await client.send('POST', '/import', 'enum E { A B } type Thing { e: E } type Part @embedded { x: Int } type Whole { part: Part }');
    const described = async (): Promise<string> => {
      const types = ['E', 'Thing', 'Whole'].map((name) => `${name}: __type(name: \\"${name}\\") { fields { name } enumValues { name } }`);
      return (await client.send('POST', '/graphql', `{"query":"{ ${types.join(' ')} }"}`)).text;
    };
    const before = await described();
    expect(before).toContain('"enumValues":[{"name":"A"},{"name":"B"}]');
    for (let round = 1; round <= 20; round++) {
      set(BEGIN + round * DAY);
      await ask('{"create":{"collection":"Thing"},"params":{"object":{"data":{"object":{"e":"A"}}}}}');
      await client.engine.upkeep();
    }
    // Of a catalog that is read anew.
    await ask('{"create_collection":{"object":{"name":"Other"}}}');
    expect(await described()).toBe(before);
    expect((await client.send('POST', '/graphql', '{"query":"mutation { createThing(data: {e: A}) { e } }"}')).text).toBe('{"data":{"createThing":{"e":"A"}}}');
  });
});

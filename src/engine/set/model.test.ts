// Long random lives of a database, told to the engine and to a model that is nothing but a
// list of versions. Whatever is read afterwards, at any time, must be the same.
import { describe, expect, it } from 'vitest';
import { type Expected, expectedElements, expectedEvents, pageOf } from '../../testing/laws/set.ts';
import { documentEventText, HOUR, INDEXES, json, keepsHistory, queryOf, World } from '../../testing/set-world.ts';

interface Life {
  readonly seed: number;
  readonly steps: number;
  readonly rewrites: boolean;
  readonly engines?: number;
  readonly unique?: boolean;
}

/** Writes, lets time pass, makes indexes in between. */
async function live({ seed, steps, rewrites, ...options }: Life): Promise<World> {
  const world = await World.make(seed, options);
  const { gen } = world;
  const unmade = Object.values(INDEXES);
  await world.write();
  for (let step = 0; step < steps; step++) {
    const chance = gen.below(20);
    const index = chance === 0 ? unmade.pop() : undefined;
    if (index !== undefined) await world.makeIndex(index);
    else if (chance === 1) world.sleep(2 * HOUR);
    else if (rewrites && chance < 8) await world.rewrite();
    else await world.write();
  }
  await world.makeIndexes();
  await world.settle();
  return world;
}

/** Commits, the moments beside them, and between any two. */
function someTimes({ gen, times, now }: World, count: number): number[] {
  const any = (): number => gen.pick([gen.pick(times) + gen.below(3) - 1, Math.floor((gen.pick(times) + gen.pick(times)) / 2), now - 1000]);
  return Array.from({ length: count }, any);
}

async function agrees(world: World): Promise<number> {
  let reads = 0;
  for (const [name, set] of world.sets()) {
    for (const time of someTimes(world, 4)) {
      const { query, items } = expectedElements(name, set, world, time);
      const { data } = await pageOf(world, `{"paginate":${query},"ts":${time},"size":100000}`);
      expect({ name, time, data }).toEqual({ name, time, data: items });
      reads++;
    }
    if (set.kind !== 'document') await foldsAgree(world, expectedElements(name, set, world, world.now));
    if (!keepsHistory(set)) continue;
    const { query, items } = expectedEvents(name, set, world);
    const { data } = await pageOf(world, `{"paginate":${query},"size":100000}`);
    expect({ name, data }).toEqual({ name, data: items });
    reads++;
    if (items.length === 0) continue;
    const last = `{"select":["data",0],"from":{"paginate":${query},"before":null,"size":1}}`;
    expect({ name, found: await world.ask(`{"contains_value":${last},"in":${query}}`) }).toEqual({ name, found: 'true' });
  }
  for (const ref of world.model.refs) {
    const { data } = await pageOf(world, `{"paginate":{"events":${json(ref)}},"size":100000}`);
    // In which order the changed fields are told says nothing.
    const told = data.map((text) => JSON.parse(text) as unknown);
    expect(told).toEqual(world.model.documentEvents(ref).map((event) => JSON.parse(documentEventText(ref, event)) as unknown));
    reads++;
  }
  return reads;
}

/** Whatever reads a set without paging sees what is on its pages. */
async function foldsAgree(world: World, { name, query, items }: Expected): Promise<void> {
  const folded = JSON.parse(
    await world.ask(`{"object":{
      "count":{"count":${query}},
      "empty":{"is_empty":${query}},
      "all":{"reduce":{"lambda":["sum","item"],"expr":{"append":[{"var":"item"}],"collection":{"var":"sum"}}},"initial":[],"collection":${query}},
      "ends":${items.length === 0 ? '[]' : `[{"first":${query}},{"last":${query}}]`},
      "found":${items.length === 0 ? 'true' : `{"contains_value":${items[0] ?? ''},"in":${query}}`}
    }}`),
  ) as { all: unknown[]; ends: unknown[] };
  const all = items.map((item) => JSON.parse(item) as unknown);
  const ends = all.length === 0 ? [] : [all[0], all.at(-1)];
  expect({ name, ...folded }).toEqual({ name, count: items.length, empty: items.length === 0, all, ends, found: true });
}

const PATIENCE = 120_000;

const LIVES: readonly Life[] = [
  { seed: 11, steps: 90, rewrites: false },
  { seed: 12, steps: 150, rewrites: true },
  { seed: 13, steps: 150, rewrites: true },
];

describe.each(LIVES)('a life of seed $seed, history rewritten: $rewrites', (life) => {
  it('reads as the list of its versions says, at any time, with all events', async () => {
    expect(await agrees(await live(life))).toBeGreaterThan(200);
  }, PATIENCE);
});

/** Engines take turns on one log; flushes, merges and builds of indexes fall between and into anything. */
const SHARED_LIVES: readonly Life[] = [
  { seed: 51, steps: 90, rewrites: true, engines: 3 },
  { seed: 52, steps: 90, rewrites: false, engines: 2, unique: true },
];

describe.each(SHARED_LIVES)('a life of seed $seed in $engines engines, unique: $unique', (life) => {
  it('reads as the list of its versions says, whichever engine is asked', async () => {
    expect(await agrees(await live(life))).toBeGreaterThan(200);
  }, PATIENCE);
});

it('reads the past as it was read when it was the present, as long as nothing runs out', async () => {
  const world = await World.make(21);
  await world.makeIndexes();
  const read: { query: string; time: string; text: string }[] = [];
  for (let step = 0; step < 40; step++) {
    await world.write();
    if (step % 10 === 5) world.sleep(HOUR / 100);
    const [, set] = world.gen.pick(world.sets());
    const query = `{"paginate":${queryOf(set)},"size":100000}`;
    const [time = '', text = ''] = [await world.ask('{"to_micros":{"now":null}}'), await world.ask(query)];
    read.push({ query, time, text });
  }
  for (const { query, time, text } of read) {
    expect(await world.ask(`{"at":${time},"expr":${query}}`)).toBe(text);
  }
});

it('answers the same for the same seed', async () => {
  const tell = async (): Promise<string[]> => {
    const world = await live({ seed: 31, steps: 40, rewrites: true });
    const answers: string[] = [];
    for (const [, set] of world.sets()) answers.push(await world.ask(`{"paginate":${queryOf(set)},"size":100000}`));
    return answers;
  };
  expect(await tell()).toEqual(await tell());
});

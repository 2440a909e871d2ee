import { describe, expect, it } from 'vitest';
import { expectedElements, expectedEvents, pageOf, pagesMeet, type PageText } from '../../testing/laws/set.ts';
import type { Element, SetExpr } from '../../testing/set-model.ts';
import { INDEXES, keepsHistory, queryOf, textOf, World } from '../../testing/set-world.ts';

/** The pages are some ten thousand. */
const PATIENCE = 120_000;

const upTo = (most: number): number[] => Array.from({ length: most }, (_, at) => at + 1);

async function populated(seed: number, transactions: number): Promise<World> {
  const world = await World.make(seed);
  await world.makeIndexes();
  for (let count = 0; count < transactions; count++) await world.write();
  return world;
}

describe.each([1, 2])('over random data of seed %i', (seed) => {
  it('pages of every set meet, forward and backward, at every size', async () => {
    const world = await populated(seed, 20);
    let pages = 0;
    for (const [name, set] of world.sets()) {
      pages += await pagesMeet(world, expectedElements(name, set, world, world.now));
    }
    expect(pages).toBeGreaterThan(1000);
  }, PATIENCE);

  it('pages of every set as it was meet, while it is another by now', async () => {
    const world = await populated(seed, 8);
    const past = world.now;
    for (let count = 0; count < 12; count++) await world.write();
    await world.rewrite();
    for (const [name, set] of world.sets()) await pagesMeet(world, expectedElements(name, set, world, past), `,"ts":${past}`, [1, 3]);
  }, PATIENCE);

  it('pages of every small set meet at each size there is', async () => {
    const world = await populated(seed, 4);
    for (const [name, set] of world.sets()) {
      const expected = expectedElements(name, set, world, world.now);
      if (expected.items.length <= 12) await pagesMeet(world, expected, '', upTo(expected.items.length + 1));
    }
  }, PATIENCE);

  it('pages of sets that cover different values meet', async () => {
    const world = await populated(seed, 12);
    // One value, two and none: their directions agree as far as they go, the ref's among them.
    const sets: readonly SetExpr[] = [
      { kind: 'match', index: INDEXES.numbers, terms: [] },
      { kind: 'match', index: INDEXES.doubled, terms: ['red'] },
      { kind: 'match', index: INDEXES.everything, terms: [] },
    ];
    const union: SetExpr = { kind: 'union', members: sets };
    const query = queryOf(union);
    const { data: items } = await pageOf(world, `{"paginate":${query},"size":100000}`);
    expect([...items].sort()).toEqual(world.model.elements(union, world.now).map(textOf).sort());
    await pagesMeet(world, { name: 'union', query, items });
    const none = `{"intersection":[${sets.map(queryOf).join()}]}`;
    expect((await pageOf(world, `{"paginate":${none}}`)).data).toEqual([]);
  });

  it('pages of the events of every set that keeps them meet', async () => {
    const world = await populated(seed, 12);
    for (const [name, set] of world.sets().filter(([, candidate]) => keepsHistory(candidate) && candidate.kind !== 'join')) {
      await pagesMeet(world, expectedEvents(name, set, world));
    }
  }, PATIENCE);

  it('so do those of joins', async () => {
    const world = await populated(seed, 6);
    for (const [name, set] of world.sets().filter(([, { kind }]) => kind === 'join')) {
      await pagesMeet(world, expectedEvents(name, set, world));
    }
  }, PATIENCE);
});

describe('while writes go on', () => {
  it.each([41, 42, 43])('what is there all the time is on just one page, in either direction, seed %i', async (seed) => {
    const world = await populated(seed, 15);
    for (const [name, set] of world.sets().filter(([, { kind }]) => STEADY.has(kind))) {
      for (const direction of ['after', 'before'] as const) {
        const all = world.model.elements(set, world.now).map(identityOf);
        if (all.length < 2) continue;
        // Backward from the last element, which is not read itself.
        const { after: last } = await pageOf(world, `{"paginate":${queryOf(set)},"size":${all.length - 1}}`);
        let always = direction === 'after' ? all : all.slice(0, -1);
        const read: string[] = [];
        for (let cursor: string | null = direction === 'after' ? '' : `,"before":${last ?? ''}`; cursor !== null; ) {
          const page: PageText = await pageOf(world, `{"paginate":${queryOf(set)},"size":2${cursor}}`);
          read.push(...page.data);
          const next: string | null = page[direction];
          cursor = next === null ? null : `,"${direction}":${next}`;
          await world.write(2);
          const now = new Set(world.model.elements(set, world.now).map(identityOf));
          always = always.filter((identity) => now.has(identity));
        }
        const counts = new Map<string, number>();
        for (const text of read) counts.set(text, (counts.get(text) ?? 0) + 1);
        const missed = [...countsOf(always)].filter(([text, least]) => (counts.get(text) ?? 0) < least).map(([text]) => text);
        expect({ name, direction, missed }).toEqual({ name, direction, missed: [] });
        if (set.kind === 'distinct' || set.kind === 'documents') {
          expect({ name, direction, read: new Set(read).size }).toEqual({ name, direction, read: read.length });
        }
      }
    }
  });
});

/** Kinds whose elements depend on one document alone, or on a value being there at all. */
const STEADY: ReadonlySet<SetExpr['kind']> = new Set(['match', 'documents', 'distinct', 'range', 'reverse', 'filter', 'difference']);

/** What an element is, and of which document; those of a set of groups are of none. */
const identityOf = (element: Element): string => `${textOf(element)}\n${element.ref.identity}`;

function countsOf(identities: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const identity of identities) {
    const text = identity.split('\n')[0] ?? '';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

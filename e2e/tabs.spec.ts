// Two tabs, two engines, one log.
import type { Page } from 'playwright/test';
import { counter, incrementOften } from './support/increments.ts';
import { cutNetwork, openControlled, ready } from './support/page.ts';
import { create, createCollections, field, increment, object, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, test } from './support/test.ts';

type Run = <T>(page: Page, expression: unknown) => Promise<T>;

let first: Page;
let second: Page;

test.beforeEach(async ({ context }) => {
  first = await context.newPage();
  second = await context.newPage();
  for (const page of [first, second]) {
    await openControlled(page);
  }
  await cutNetwork(context);
  await query(first, createCollections('counters'));
  await query(first, create(counter, { n: 0 }));
});

for (const [how, run] of [['fetch', query], ['the page API', queryByPageApi]] as const satisfies readonly (readonly [string, Run])[]) {
  test(`by ${how}, a tab reads at once what the other has written`, async () => {
    const seen: number[] = [];
    for (let n = 1; n <= 100; n++) {
      const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
      await run(writer, { update: counter, params: object({ data: object({ n }) }) });
      seen.push(await run(reader, field(counter, 'n')));
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });
}

test('a tab reads at once by fetch what the other has written by the page API, and the other way round', async () => {
  for (let n = 1; n <= 20; n++) {
    const [write, read] = n % 2 === 0 ? [query, queryByPageApi] : [queryByPageApi, query];
    await write(first, { update: counter, params: object({ data: object({ n }) }) });
    expect(await read(second, field(counter, 'n'))).toBe(n);
  }
});

test('a collection and an index made in one tab serve the other at once', async () => {
  await query(first, createCollections('spells'));
  await query(second, {
    create_index: object({ name: 'spells_by_name', source: { collection: 'spells' }, terms: [object({ field: ['data', 'name'] })] }),
  });
  await query(first, create(ref('spells', 7), { name: 'Fire Beak' }));
  expect(await query(second, { exists: { match: { index: 'spells_by_name' }, terms: 'Fire Beak' } })).toBe(true);
});

test('increments of two tabs at the same time all count', async () => {
  const [a, b] = await Promise.all([first, second].map((page) => incrementOften(page, 40)));
  const n = await query<number>(first, field(counter, 'n'));
  expect(n).toBe((a?.acknowledged ?? 0) + (b?.acknowledged ?? 0));
  // Under contention some are refused, never most of them.
  expect(a?.acknowledged).toBeGreaterThan(20);
  expect(b?.acknowledged).toBeGreaterThan(20);
  expect([...(a?.refusals ?? []), ...(b?.refusals ?? [])].filter((code) => code !== 'contended transaction')).toEqual([]);
  expect(await queryByPageApi(second, field(counter, 'n'))).toBe(n);
});

test('a unique value is taken by one of two tabs', async () => {
  await query(first, createCollections('people'));
  await query(first, {
    create_index: object({ name: 'people_by_mail', source: { collection: 'people' }, terms: [object({ field: ['data', 'mail'] })], unique: true }),
  });
  for (let n = 0; n < 20; n++) {
    const claim = create({ collection: 'people' }, { mail: `${n}@example.org` });
    const claimed = await Promise.allSettled([query(first, claim), query(second, claim)]);
    expect(claimed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('a tab goes on when the one that opened the database is closed', async () => {
  await query(first, increment(counter));
  await first.close();
  await query(second, increment(counter));
  expect(await query(second, field(counter, 'n'))).toBe(2);
});

test('reset in one tab is seen by the other', async ({ context }) => {
  await first.evaluate(() => (window as unknown as { vivarium: { reset(): Promise<void> } }).vivarium.reset());
  expect(await query(second, { exists: counter })).toBe(false);
  expect(await queryByPageApi(second, { exists: { collection: 'counters' } })).toBe(false);
  const third = await context.newPage();
  await third.goto('/');
  await ready(third);
  expect(await query(third, { exists: { collection: 'counters' } })).toBe(false);
});

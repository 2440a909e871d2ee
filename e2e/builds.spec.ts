// An older build and the present one, of the same storage format, on one database.
import type { Page } from 'playwright/test';
import { answersTo, buildOf, makeQuestions, test } from './support/builds.ts';
import { send } from './support/http.ts';
import { counter, incrementOften } from './support/increments.ts';
import { controlled, openIn } from './support/page.ts';
import { create, createCollections, field, idsOf, increment, object, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, notInWebKit } from './support/test.ts';
import { keepWorkers } from './support/threads.ts';
import { V4 } from './support/wire.ts';

interface Api {
  subscribe(expression: unknown, options: { onResult(result: unknown): void }): Promise<unknown>;
  export(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  import(file: Blob, options: object): Promise<void>;
  status(): Promise<{ durability: string }>;
  close(): Promise<void>;
}
declare const window: { vivarium: Api; seen: unknown[]; started: Worker[] };

// Each build installs itself first.
test.setTimeout(180_000);

const update = (n: number): unknown => ({ update: counter, params: object({ data: object({ n }) }) });

test.describe('two builds at the same time', () => {
  let older: Page;
  let present: Page;

  test.beforeEach(async ({ host, context }) => {
    await host.deploy('older', 'format 3');
    await host.deploy('present', 'present');
    [older, present] = [await host.open(context, 'older'), await host.open(context, 'present')];
    for (const page of [older, present]) await controlled(page);
    expect([await buildOf(older), await buildOf(present)]).toEqual(['older', 'present']);
    await query(older, createCollections('counters'));
    await query(present, create(counter, { n: 0 }));
  });

  for (const [how, run] of [['fetch', query], ['the page API', queryByPageApi]] as const) {
    test(`by ${how}, each reads at once what the other has written`, async () => {
      for (let n = 1; n <= 30; n++) {
        const [writer, reader] = n % 2 === 0 ? [older, present] : [present, older];
        await run(writer, update(n));
        expect(await run(reader, field(counter, 'n'))).toBe(n);
      }
    });
  }

  test('increments of both all count', async () => {
    const outcomes = await Promise.all([older, present].map((page) => incrementOften(page, 60)));
    const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.acknowledged, 0);
    for (const outcome of outcomes) expect(outcome.acknowledged).toBeGreaterThan(0);
    expect(outcomes.flatMap(({ refusals }) => refusals).filter((code) => code !== 'contended transaction')).toEqual([]);
    for (const page of [older, present]) expect(await queryByPageApi(page, field(counter, 'n'))).toBe(acknowledged);
  });

  test('a unique value is taken by one of them, in an index that the other has made', async () => {
    await query(older, createCollections('people'));
    await query(present, {
      create_index: object({ name: 'people_by_mail', source: { collection: 'people' }, terms: [object({ field: ['data', 'mail'] })], unique: true }),
    });
    for (let n = 0; n < 20; n++) {
      const claim = create({ collection: 'people' }, { mail: `${n}@example.org` });
      const claimed = await Promise.allSettled([query(older, claim), query(present, claim)]);
      expect(claimed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(claimed.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason))).toEqual([expect.stringContaining('instance not unique')]);
    }
  });

  for (const [first, second] of [['older', 'present'], ['present', 'older']] as const) {
    test(`the ${first} build changes settings, and the ${second} one goes on, and has them when it is opened`, async ({ host, context }) => {
      const opened = second === 'older' ? older : present;
      await host.open(context, first, { durability: 'relaxed' });
      await query(opened, increment(counter));
      const again = await host.open(context, second);
      expect(await again.evaluate(async () => (await window.vivarium.status()).durability)).toBe('relaxed');
      for (const page of [older, present, again]) expect(await query(page, field(counter, 'n'))).toBe(1);
    });
  }

  test('live queries of each tell what the other writes', async () => {
    for (const page of [older, present]) {
      await page.evaluate(async (expression) => {
        window.seen = [];
        await window.vivarium.subscribe(expression, { onResult: (n) => window.seen.push(n) });
      }, field(counter, 'n'));
    }
    for (const [writer, reader, n] of [[older, present, 1], [present, older, 2]] as const) {
      await query(writer, update(n));
      await expect.poll(() => reader.evaluate(() => window.seen.at(-1))).toBe(n);
    }
  });

  for (const [first, second] of [['older', 'present'], ['present', 'older']] as const) {
    test(`a request that the ${first} build has carried out is not carried out again by the ${second} one, which gives the same answer`, async ({ host, context }) => {
      const body = JSON.stringify([create({ collection: 'counters' }, { n: 1 }), increment(counter), { create_key: object({ role: 'admin' }) }]);
      const headers = { ...V4.headers, 'x-vivarium-request-id': crypto.randomUUID(), 'x-vivarium-sent-at': String((Date.now() - 300_000) * 1000) };
      // Sent before either service worker began, it may have reached another one.
      /** From a page that has opened no database, and so gives no ids of its own. */
      const sendBy = async (folder: string): Promise<string> => {
        const page = await host.visit(context, folder);
        await controlled(page);
        return (await send(page, 'fetch', { path: './', body, headers })).text;
      };
      // So that there is one engine each time.
      const [own, others] = first === 'older' ? [older, present] : [present, older];
      await others.close();
      const answer = await sendBy(first);
      expect(answer).toContain('"resource"');
      const again = await host.open(context, second);
      await own.close();
      expect(await sendBy(second)).toBe(answer);
      expect(await query(again, field(counter, 'n'))).toBe(1);
      expect((await idsOf(again, 'counters'))[0]).toHaveLength(2);
    });

    // In WebKit the older build's end, and that build's alone, may leave the stores locked: src/storage/turns.ts.
    const where = first === 'older' ? notInWebKit : {};
    test(`increments under way in the ${first} build are each written once when its worker ends: the ${second} one goes on with them`, where, async ({ host, context }) => {
      const page = await host.visit(context, first);
      await page.evaluate(keepWorkers);
      await openIn(page, {}, 'vivarium.js');
      await controlled(page);
      const [own, others] = first === 'older' ? [older, present] : [present, older];
      await own.close();
      const { statuses, left } = await page.evaluate(async ({ body, headers }) => {
        let left = 20;
        const send = (): Promise<number> => fetch('./', { method: 'POST', headers, body }).then(({ status }) => (left--, status));
        // One after the other, as those of one message are answered together.
        const sending = Array.from({ length: left }, (_, at) => new Promise((resolve) => setTimeout(resolve, at)).then(send));
        await Promise.race(sending);
        window.started[0]?.terminate();
        const underWay = left;
        return { statuses: await Promise.all(sending), left: underWay };
      }, { body: JSON.stringify(increment(counter)), headers: V4.headers });
      expect(left).toBeGreaterThan(0);
      expect(statuses).toEqual(Array(20).fill(200));
      expect(await query(others, field(counter, 'n'))).toBe(20);
    });
  }
});

const exported = (page: Page): Promise<string> => page.evaluate(async () => new Response(await window.vivarium.export()).text());

for (const [first, second] of [['format 3', 'present'], ['present', 'format 3']] as const) {
  const [from, to] = first === 'present' ? ['the present build', 'an older one'] : ['an older build', 'the present one'];

  test(`what ${from} has left, ${to} reads, adds to, and leaves to it`, async ({ host, context }) => {
    await host.deploy('first', first);
    await host.deploy('second', second);
    const opening = await host.open(context, 'first');
    const questions = await makeQuestions(opening);
    let answers = await answersTo(opening, questions);
    await opening.evaluate(() => window.vivarium.close());
    await opening.close();
    for (const [at, folder] of ['second', 'first'].entries()) {
      const page = await host.open(context, folder);
      expect(await answersTo(page, questions)).toEqual(answers);
      // So much that it goes into blocks, beside what is there and over it.
      for (let part = 0; part < 4; part++) {
        const ids = Array.from({ length: 100 }, (_, n) => 1000 * (at + 1) + 100 * part + n);
        await query(page, ids.map((id) => create(ref('spells', id), { name: 'renamed', n: id, pad: `${id} ⚡ `.repeat(80) })));
      }
      await query(page, Array.from({ length: 20 }, (_, n) => ({ delete: ref('spells', 1000 * (at + 1) + n) })));
      answers = await answersTo(page, questions);
      await page.evaluate(() => window.vivarium.close());
      await page.close();
    }
  });

  test(`a file of ${from} is imported by ${to}`, async ({ host, context }) => {
    await host.deploy('first', first);
    await host.deploy('second', second);
    const page = await host.open(context, 'first');
    const questions = await makeQuestions(page);
    const [answers, file] = [await answersTo(page, questions), await exported(page)];
    const other = await host.open(context, 'second', { name: 'other' });
    await other.evaluate((text) => window.vivarium.import(new Blob([text]), {}), file);
    // Before it is asked: what may write and is sent again leaves a mark.
    expect(await exported(other)).toBe(file);
    expect(await answersTo(other, questions)).toEqual(answers);
  });
}

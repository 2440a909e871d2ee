// A database that is removed underneath: by a page, by the user, by a browser that is short of room.
import type { Page } from 'playwright/test';
import { controlled, openIn, PLAIN } from './support/page.ts';
import { ask, create, createCollections, field, query, ref } from './support/queries.ts';
import { expect, inChromium, test } from './support/test.ts';

const spell = ref('spells', '1');

const byPage = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase('vivarium'), { onsuccess: resolve, onerror: reject })));

async function byBrowser(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'indexeddb' });
  await session.detach();
}

/** A page that asks for nothing by itself: the playground, looking at the database, may be who is told. */
async function openQuietly(page: Page): Promise<void> {
  await page.goto(PLAIN);
  await openIn(page);
  await controlled(page);
}

for (const [by, remove, where] of [['a page of the same site', byPage, {}], ['the browser', byBrowser, inChromium]] as const) {
  test(`a database removed by ${by} is reported as evicted once, to each tab, and is empty then`, where, async ({ context }) => {
    const [first, second] = [await context.newPage(), await context.newPage()];
    for (const page of [first, second]) await openQuietly(page);
    await query(first, createCollections('spells'));
    await query(first, create(spell, { name: 'Fire Beak' }));
    expect(await query(second, field(spell, 'name'))).toBe('Fire Beak');
    await remove(first);
    for (const page of [first, second]) {
      const { status, body } = await ask(page, field(spell, 'name'));
      expect({ status, body }).toMatchObject({ status: 503, body: { errors: [{ code: 'storage evicted' }] } });
      expect((await ask(page, field(spell, 'name'))).status).toBe(400);
    }
    await query(second, createCollections('spells'));
    await query(second, create(spell, { name: 'anew' }));
    expect(await query(first, field(spell, 'name'))).toBe('anew');
  });
}

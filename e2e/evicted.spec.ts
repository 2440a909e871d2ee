// A database that is removed underneath: by a page, by the user, by a browser that is short of room.
import type { Page } from 'playwright/test';
import { controlled, openIn } from './support/page.ts';
import { ask, create, createCollections, field, query, ref } from './support/queries.ts';
import { expect, test } from './support/test.ts';

const spell = ref('spells', '1');

const REMOVALS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'by a page of the same site': (page) =>
    page.evaluate(() => new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase('vivarium'), { onsuccess: resolve, onerror: reject }))),
  'by the browser': async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'indexeddb' });
    await session.detach();
  },
};

/** A page that asks for nothing by itself: the playground, looking at the database, may be who is told. */
async function openQuietly(page: Page): Promise<void> {
  await page.goto('/reference.html');
  await openIn(page);
  await controlled(page);
}

for (const [by, remove] of Object.entries(REMOVALS)) {
  test(`a database removed ${by} is reported as evicted once, to each tab, and is empty then`, async ({ context }) => {
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

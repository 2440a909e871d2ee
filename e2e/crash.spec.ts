// What Chromium makes of its own storage after it died in the middle of writing it.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { life, logOf, opened, withProfile } from './support/profile.ts';
import { ask, create, createCollections, query } from './support/queries.ts';
import { expect, test } from './support/test.ts';

const COUNT = { count: { documents: { collection: 'things' } } };

test('a log that ends in the middle of a record is not gone on with: nothing is lost at the start after the next', async ({ baseURL }) => {
  await withProfile(async (profile) => {
    for (let nth = 0; nth < 4; nth++) {
      const before = nth > 0 ? await logOf(profile) : '';
      // The head of a record that is longer than what follows it.
      if (nth > 0) await appendFile(before, Buffer.from([1, 2, 3, 4, 0x00, 0x70, 1]));
      await life(profile, baseURL, async (page) => {
        await opened(page);
        if (nth === 0) await query(page, createCollections('things'));
        expect(await query(page, COUNT)).toBe(nth);
        // Told as written, it stands in another log: from here on the browser may die at any moment.
        await query(page, create({ collection: 'things' }, { nth }));
        expect(await logOf(profile)).not.toBe(before);
        expect((await page.evaluate(() => indexedDB.databases())).map(({ name }) => name)).toEqual(['vivarium']);
      });
    }
  });
});

test('a store that Chromium finds damaged, and deletes, is told as evicted once, and is empty then', async ({ baseURL }) => {
  await withProfile(async (profile) => {
    await life(profile, baseURL, async (page) => {
      await opened(page);
      await query(page, createCollections('things'));
      for (let n = 0; n < 50; n++) await query(page, create({ collection: 'things' }, { n }));
    });
    const log = await logOf(profile);
    const bytes = await readFile(log);
    await writeFile(log, bytes.fill(7, 100, 200));
    await life(profile, baseURL, async (page) => {
      await expect(opened(page)).rejects.toThrow('VivariumError: evicted: the data was removed underneath');
      await opened(page);
      expect(await ask(page, COUNT)).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid ref' }] } });
      await query(page, createCollections('things'));
      expect(await query(page, COUNT)).toBe(0);
    });
  });
});

// How much of the disk a database takes.
import { bytesOf, life, opened, withProfile } from './support/profile.ts';
import { createCollections, query } from './support/queries.ts';
import { expect, test } from './support/test.ts';

const THINGS = { collection: 'things' };
const TEXT = 200;
const BULK = 1_000;

/** Creates with texts that hardly get smaller where they are compressed. */
const bulk = (from: number): unknown => ({
  foreach: { lambda: 'text', expr: { create: THINGS, params: { object: { data: { object: { text: { var: 'text' } } } } } } },
  collection: Array.from({ length: BULK }, (_, at) => scrambled(from + at)),
});

function scrambled(seed: number): string {
  let text = '';
  for (let bits = seed + 1; text.length < TEXT; bits = (bits * 48_271) % 0x7fffffff) text += bits.toString(36);
  return text.slice(0, TEXT);
}

test("what went into blocks takes no room in Chromium's own log any more, once it is quiet", async ({ baseURL }) => {
  await withProfile(async (profile) => {
    // All of it comes to 2.5 MB: at 4 MB Chromium begins a new log by itself.
    const bulks = 3;
    await life(profile, baseURL, async (page) => {
      await opened(page);
      await query(page, createCollections('things'));
      for (let nth = 0; nth < bulks; nth++) await query(page, bulk(nth * BULK));
      expect(await bytesOf(profile, '.log')).toBeGreaterThan(500_000);
      await expect.poll(() => bytesOf(profile, '.log'), { timeout: 20_000 }).toBeLessThan(100_000);
    });
    // The browser was killed.
    await life(profile, baseURL, async (page) => {
      await opened(page);
      expect(await query(page, { count: { documents: THINGS } })).toBe(bulks * BULK);
    });
  });
});

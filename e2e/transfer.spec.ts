// The database as a file: downloaded and restored, by the page's buttons and by the page API.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { openControlled, openOffline, PLAIN, ready } from './support/page.ts';
import { ask, countOf, create, createCollections, field, object, query, ref } from './support/queries.ts';
import { expect, notInWebKit, test } from './support/test.ts';

/** The playground's database, as an application has it. */
interface Api {
  export(options?: object): Promise<ReadableStream<Uint8Array>>;
  import(file: Blob | ReadableStream<Uint8Array>, options?: object): Promise<void>;
  reset(): Promise<void>;
}
type WithApi = Window & { readonly vivarium: Api };

async function fill(page: Page, documents: number): Promise<void> {
  await query(page, createCollections('spells'));
  await query(page, { create_index: object({ name: 'by_n', source: { collection: 'spells' }, terms: [object({ field: ['data', 'n'] })] }) });
  const ids = Array.from({ length: documents }, (_, at) => at + 1);
  await query(page, ids.map((n) => create(ref('spells', n), { n, pad: `${n} ⚡ `.repeat(40) })));
  await query(page, { update: ref('spells', 1), params: object({ data: object({ n: 0 }) }) });
}

const exportText = (page: Page): Promise<string> =>
  page.evaluate(async () => new Response(await (window as unknown as WithApi).vivarium.export()).text());

/** How an import ends: `ok`, or the error's status and message. */
const importText = (page: Page, text: string, options: object = {}): Promise<string> =>
  page.evaluate(
    ({ text, options }) =>
      (window as unknown as WithApi).vivarium.import(new Blob([text]), options).then(
        () => 'ok',
        ({ status, message }: { status: number; message: string }) => `${status} ${message}`,
      ),
    { text, options },
  );

/** Runs in the page: how many blocks are in the store. */
function blocks(): Promise<number> {
  return new Promise((resolve) => {
    indexedDB.open('vivarium').onsuccess = ({ target }) => {
      const db = (target as IDBOpenDBRequest).result;
      db.transaction('blocks').objectStore('blocks').count().onsuccess = (counted) => {
        db.close();
        resolve((counted.target as IDBRequest<number>).result);
      };
    };
  });
}

test('what was exported is imported after a reset, history and all, and is exported as the same file again', async ({ page }) => {
  await openOffline(page);
  await fill(page, 300);
  const events = { paginate: ref('spells', 1), events: true };
  const [file, before] = [await exportText(page), await query(page, events)];
  await page.evaluate(() => (window as unknown as WithApi).vivarium.reset());
  expect((await ask(page, events)).status).toBe(400);
  expect(await importText(page, file)).toBe('ok');
  expect(await query(page, events)).toEqual(before);
  expect(await query(page, { exists: { match: { index: 'by_n' }, terms: 300 } })).toBe(true);
  expect(await exportText(page)).toBe(file);
});

test('what was downloaded is restored after a reset, and downloads as the same file again', notInWebKit, async ({ page }) => {
  await openOffline(page);
  await fill(page, 300);
  await page.reload();
  await ready(page);
  const download = async (): Promise<{ name: string; text: string }> => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('download').click()]);
    await expect(page.getByTestId('file-status')).toContainText('Downloaded');
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  const { name, text } = await download();
  expect(name).toMatch(/^vivarium-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/);
  const before = await query(page, { paginate: ref('spells', 1), events: true });

  await page.getByTestId('reset').click();
  await page.getByTestId('reset-confirm').click();
  await expect(page.getByTestId('collections')).toHaveText('None yet');

  await page.getByTestId('restore-file').setInputFiles({ name: 'kept.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) });
  await expect(page.getByRole('alertdialog')).toContainText('kept.ndjson');
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('file-status')).toContainText('Restored');
  await expect(page.locator('#collections .count')).toHaveText(['300']);
  expect(await query(page, { paginate: ref('spells', 1), events: true })).toEqual(before);
  expect((await download()).text).toBe(text);
});

test('a file that is no good is named, and what is there stays', async ({ page }) => {
  await openOffline(page);
  await fill(page, 3);
  const file = await exportText(page);
  expect(await importText(page, file)).toBe('409 database not empty: The database is not empty: an import has to be told to replace it.');
  expect(await importText(page, 'Once upon a time', { replace: true })).toMatch(/^400 not an export: /);
  expect(await importText(page, file.slice(0, -20), { replace: true })).toMatch(/^400 truncated export: /);
  expect(await importText(page, file.replace('"by_n"', '"my_n"'), { replace: true })).toMatch(/^400 damaged export: /);
  expect(await exportText(page)).toBe(file);
  expect(await importText(page, file, { replace: true })).toBe('ok');
});

test('a file that is none is named in the playground, too, and what is there stays', async ({ page }) => {
  await openOffline(page);
  await fill(page, 3);
  await page.getByTestId('restore-file').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71, 10]) });
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('file-status')).toHaveText('The file is not the export of a database.');
  expect(await query(page, countOf('spells'))).toBe(3);
});

test('a tab that is closed while it imports leaves what was there; the next import stands, in the other tab too', async ({ page, context }) => {
  const other = await openControlled(await context.newPage());
  await openOffline(page);
  await fill(page, 2000);
  const file = await exportText(page);
  await query(page, { update: ref('spells', 2), params: object({ data: object({ n: 'since' }) }) });
  // Half of the file, and then nothing: the import waits for more when the tab ends.
  await page.evaluate((half) => {
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(half)) });
    const { vivarium } = window as unknown as WithApi;
    return new Promise<void>((resolve) => void vivarium.import(stream, { replace: true, onProgress: () => resolve() }));
  }, file.slice(0, file.length / 2));
  await expect.poll(() => page.evaluate(blocks), { message: 'blocks of the import' }).toBeGreaterThan(2);
  await page.close({ runBeforeUnload: false });

  expect(await query(other, field(ref('spells', 2), 'n'))).toBe('since');
  expect(await importText(other, file, { replace: true })).toBe('ok');
  expect(await query(other, field(ref('spells', 2), 'n'))).toBe(2);
  expect(await exportText(other)).toBe(file);
  expect(await ask(other, create(ref('spells', 9001), { n: 1 }))).toMatchObject({ status: 201 });
});

test('a tab that is closed while it imports a copy as it is stored leaves what is told of, and the next import begins anew', async ({ page, context }) => {
  await openOffline(page);
  await fill(page, 300);
  const other = await context.newPage();
  await other.goto(PLAIN);
  const copy = await other.evaluate(copied);
  await page.goto(PLAIN);
  await other.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase('vivarium').onsuccess = resolve)));
  // All but header, manifest and end.
  await page.evaluate(importHalf, copy.slice(0, copy.indexOf('["meta"')));
  expect(await other.evaluate(importCopy, copy)).toBe('database exists: Another import of vivarium is under way.');
  await page.close({ runBeforeUnload: false });

  await other.goto('/');
  await expect(other.locator('#banner')).toContainText('the import of a copy has not come to its end; if none is under way, import it again');
  await expect.poll(() => other.evaluate(importCopy, copy)).toBe('ok');
  await other.reload();
  await ready(other);
  expect(await query(other, countOf('spells'))).toBe(300);
});

/** `raw-copy.js`. */
type Copying = typeof import('../src/storage/raw-copy.ts');

/** Runs in the page: the database as it is stored. */
async function copied(): Promise<string> {
  const { exportStores } = (await import(new URL('raw-copy.js', location.href).href)) as Copying;
  return new Response(exportStores()).text();
}

/** Runs in the page: an import that waits for more than there is, when something of it is stored. */
async function importHalf(text: string): Promise<void> {
  const { importStores } = (await import(new URL('raw-copy.js', location.href).href)) as Copying;
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
  return new Promise((resolve, reject) => void importStores(stream, { onProgress: () => resolve() }).catch(reject));
}

/** Runs in the page: how an import ends. */
async function importCopy(text: string): Promise<string> {
  const { importStores } = (await import(new URL('raw-copy.js', location.href).href)) as Copying;
  return importStores(new Blob([text])).then(
    () => 'ok',
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );
}

test.describe('a database that cannot be opened', () => {
  test('is told of, and can be saved as it is stored', notInWebKit, async ({ page }) => {
    await page.goto(PLAIN);
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open('vivarium', 99);
          opening.onupgradeneeded = () => opening.result.createObjectStore('meta').put({ from: 'the future' }, 'header');
          opening.onsuccess = () => (opening.result.close(), resolve());
          opening.onerror = () => reject(opening.error ?? new Error('not opened'));
        }),
    );
    await page.goto('/');
    await expect(page.getByRole('alert')).toContainText('written by a newer version of Vivarium');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('rescue').click()]);
    expect(file.suggestedFilename()).toMatch(/^vivarium-stores-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ vivarium: 'stores', native: 99, stores: ['meta'] });
    expect(lines[1]).toContain('the future');
    await expect(page.getByTestId('rescue-status')).toHaveText(/^Saved 1 KB\. importStores\(\) of raw-copy\.js puts it back\.$/);
    // Unchanged.
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name, version }) => [name, version]))).toEqual([['vivarium', 99]]);
  });
});

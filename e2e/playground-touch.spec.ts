// The playground under a finger, on small screens and magnified; and in languages that are written otherwise.
import type { Locator, Page } from 'playwright/test';
import { openOffline } from './support/page.ts';
import { answered, errors, proposal, result, runQuery, status, write } from './support/playground.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';

/** Whether nothing of the page is to be found only by scrolling it sideways. */
const fits = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** Where a text stands on the screen, from the left, by its letters. */
const leftOf = (where: Locator, text: string): Promise<number> =>
  where.evaluate((element, text) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = (node.nodeValue ?? '').indexOf(text);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      return range.getBoundingClientRect().left;
    }
    return Number.NaN;
  }, text);

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, deviceScaleFactor: 2.625, viewport: { width: 320, height: 640 } });

  test.beforeEach(async ({ page }) => {
    await openOffline(page);
  });

  test('a swipe that begins on an answer which is all there moves the page', inChromium, async ({ page, context }) => {
    await runQuery(page, '{"add":[1,2]}');
    await expect(result(page)).toBeInViewport();
    const { x = 0, y = 0 } = (await result(page).boundingBox()) ?? {};
    const before = await page.evaluate(() => scrollY);
    const finger = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) => finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', { x: x + 40, y: y + 20 });
    for (let moved = 10; moved <= 150; moved += 10) {
      await touch('touchMove', { x: x + 40, y: y + 20 + moved });
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await touch('touchEnd');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(before);
  });

  test('a mistake that is tapped is explained, and so it is when it is sent', inChromium, async ({ page }) => {
    await write(page, 'fql-editor', '{ "get": { “ref”: 1 } }');
    await page.locator('#fql-editor .cm-lintRange').tap();
    const words = await page.locator('.cm-tooltip-lint').innerText();
    await page.getByTestId('fql-run').tap();
    await expect(errors(page)).toContainText(words.trim());
  });

  test('what is proposed is as high as a finger needs', inChromium, async ({ page }) => {
    await page.getByTestId('tab-code').tap();
    await write(page, 'code-editor', '');
    await page.keyboard.type('Get(Coll');
    const { height = 0 } = (await proposal(page, 'Collection').boundingBox()) ?? {};
    // WCAG 2.5.8
    expect(height).toBeGreaterThanOrEqual(24);
  });

  test('that everything was deleted comes into sight, unless something is being written', inChromium, async ({ page }) => {
    await page.getByTestId('reset').tap();
    await page.getByTestId('reset-confirm').tap();
    await expect(status(page)).toHaveText('Everything was deleted.');
    await expect(status(page)).toBeInViewport();
    await expect(status(page)).toHaveText('');
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByTestId('reset').tap();
    // Before it is done.
    await page.getByTestId('fql-editor').evaluate((editor) => document.addEventListener('close', () => editor.focus(), { capture: true, once: true }));
    await page.getByTestId('reset-confirm').tap();
    await expect(status(page)).toHaveText('Everything was deleted.');
    await expect(page.getByTestId('fql-editor')).toBeInViewport();
    await expect(status(page)).not.toBeInViewport();
  });

  test('long names make neither the page nor a question wider', inChromium, async ({ page }) => {
    const file = await page.evaluate(async () => new Response(await (window as unknown as { vivarium: { export(): Promise<ReadableStream> } }).vivarium.export()).text());
    await page.getByTestId('restore-file').setInputFiles({ name: `${'backup_of_all'.repeat(8)}.ndjson`, mimeType: '', buffer: Buffer.from(file) });
    await page.getByTestId('restore-confirm').tap();
    await expect(page.getByTestId('file-status')).toContainText('backup_of_all');
    expect(await fits(page)).toBe(true);
    await page.getByTestId('tab-schema').tap();
    await write(page, 'schema-editor', `type ${'OrganizationMembership'.repeat(4)} { name: String }`);
    await page.getByTestId('schema-run').tap();
    await answered(page);
    await page.getByTestId('schema-mode').selectOption('override');
    await page.getByTestId('schema-run').tap();
    const dialog = page.locator('dialog');
    await expect(dialog).toContainText('OrganizationMembership');
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  });

  test('magnified to twice its size, no part lies over another', inChromium, async ({ page }) => {
    await page.setViewportSize({ width: 195, height: 420 });
    await runQuery(page, '{"add":[1,2]}');
    const [status, copy] = await Promise.all([page.getByTestId('result-status').boundingBox(), page.getByTestId('result-copy').boundingBox()]);
    const isApart = (copy?.x ?? 0) >= (status?.x ?? 0) + (status?.width ?? 0) || (copy?.y ?? 0) >= (status?.y ?? 0) + (status?.height ?? 0);
    expect(isApart).toBe(true);
    const ends = await page.getByTestId('load-sample').evaluate((button) => [button, button.closest('.card') ?? button].map((box) => box.getBoundingClientRect().right));
    expect(ends[0]).toBeLessThanOrEqual(ends[1] ?? 0);
    expect(await fits(page)).toBe(true);
  });
});

test.describe('in other languages', () => {
  test.beforeEach(async ({ page }) => {
    await openOffline(page);
  });

  test('texts that run from the right keep their order in what is written in GraphQL', notInWebKit, async ({ page }) => {
    await page.getByTestId('tab-gql').click();
    await write(page, 'gql-editor', '{ find(list: ["مرحبا", "سلام"]) }');
    const editor = page.getByTestId('gql-editor');
    expect(await leftOf(editor, 'مرحبا')).toBeLessThan(await leftOf(editor, 'سلام'));
  });

  test('names that run from the right keep their order in the lists and in the place of an error', async ({ page }) => {
    await runQuery(page, '{"create_class":{"object":{"name":"books"}}}');
    const terms = ['الاسم', 'البلد'].map((name) => ({ object: { field: ['data', name] } }));
    await runQuery(page, JSON.stringify({ create_index: { object: { name: 'by_both', source: { class: 'books' }, terms } } }));
    const about = page.locator('#indexes .about');
    await expect(about).toContainText('by');
    expect(await leftOf(about, 'الاسم')).toBeLessThan(await leftOf(about, 'البلد'));
    await runQuery(page, '{"let":{"الاسم":{"let":{"البلد":{"get":1}},"in":1}},"in":2}');
    await expect(errors(page)).toBeVisible();
    expect(await leftOf(errors(page), 'الاسم')).toBeLessThan(await leftOf(errors(page), 'البلد'));
  });

  test('what is wrong in a line of GraphQL is marked, however wide its letters are', async ({ page }) => {
    await page.getByTestId('tab-schema').click();
    await page.getByTestId('schema-run').click();
    await answered(page);
    await page.getByTestId('tab-gql').click();
    await write(page, 'gql-editor', '{ find(a: "标题标题标题", b: !) }');
    await page.getByTestId('gql-run').click();
    await expect(errors(page).locator('.drawing')).toHaveText(/^\{ find\(a: "标题标题标题", b: !\) \}\s*$/);
    await expect(errors(page).locator('mark')).toHaveText('!');
  });

  test('a page that is translated keeps data and code as they are', async ({ page }) => {
    await runQuery(page, '{"create_class":{"object":{"name":"books"}}}');
    await runQuery(page, '{"get":{"class":"none"}}');
    const parts = ['#result-body', '#collections .name', '#result-errors .code', '#result-errors .at code'];
    const translated = await page.evaluate((parts) => parts.filter((part) => document.querySelector<HTMLElement>(part)?.translate !== false), parts);
    expect(translated).toEqual([]);
    expect(await page.locator('#result-errors .description').evaluate((element: HTMLElement) => element.translate)).toBe(true);
  });
});

test('Escape that gives up a word which is being composed keeps the search', async ({ page }) => {
  await page.goto('/reference.html');
  const search = page.getByTestId('search');
  await search.fill('create');
  const press = (isComposing: boolean): Promise<void> => search.evaluate((field, isComposing) => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, isComposing })), isComposing);
  await press(true);
  await expect(search).toHaveValue('create');
  await press(false);
  await expect(search).toHaveValue('');
});

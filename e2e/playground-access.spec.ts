// The page for those who read from the right, hear it, magnify it, use no pointer, print it, or get only a part of it.
import type { Locator, Page } from 'playwright/test';
import { openOffline, ready } from './support/page.ts';
import { result, runQuery, status, write } from './support/playground.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';

/** Where a text begins on the screen, within an element. */
const leftOf = (page: Page, within: string, text: string): Promise<number> =>
  page.locator(within).evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue?.indexOf(wanted) ?? -1;
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      return range.getBoundingClientRect().left;
    }
    throw new Error(`no ${wanted}`);
  }, text);

/** What an element has said since this was called; it soon takes that back, the editor's after a fifth of a second. */
async function allSaidBy(element: Locator): Promise<() => Promise<string>> {
  const said = await element.evaluateHandle((watched) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(watched.textContent)).observe(watched, { childList: true });
    return texts;
  });
  return () => said.evaluate((texts) => texts.join('\n'));
}

test('text that runs from the right stays where it belongs, in a query and in its answer', async ({ page }) => {
  await openOffline(page);
  await runQuery(page, '{"object":{"שם":["אחת","שתיים","שלוש",4]}}');
  for (const within of ['[data-testid="fql-editor"]', '[data-testid="result-body"]']) {
    const places: number[] = [];
    for (const text of ['שם', 'אחת', 'שתיים', 'שלוש']) places.push(await leftOf(page, within, text));
    expect([within, places]).toEqual([within, places.toSorted((a, b) => a - b)]);
  }
});

test.describe('without a pointer', () => {
  test.beforeEach(({ page }) => openOffline(page));

  test('how to leave an editor is told by it, also where the page is magnified, and no time runs', notInWebKit, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    const editor = page.getByTestId('fql-editor');
    await expect(page.locator('#keys')).toBeVisible();
    await expect(editor).toHaveAccessibleDescription(/Esc Tab leaves the editor/);
    await write(page, 'fql-editor', '{ "add": [1, 2] }');
    await page.keyboard.press('Escape');
    // More than the two seconds that the editor's library gives.
    await page.waitForTimeout(2500);
    await page.keyboard.press('Tab');
    await expect(editor).not.toBeFocused();
    await expect(editor).toHaveText('{ "add": [1, 2] }');
    // Another key ends it: Tab is one of the editor again.
    await editor.focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await expect(editor).toBeFocused();
  });

  test('a mistake that F8 goes to is read out', async ({ page }) => {
    await write(page, 'fql-editor', '{"add": [1, 2}');
    await expect(page.locator('#fql-editor .cm-lintRange-error')).toBeAttached();
    const said = await allSaidBy(page.locator('#fql-editor .cm-announced'));
    await page.keyboard.press('F8');
    const shown = await page.locator('.cm-tooltip-lint').innerText();
    expect(shown).toMatch(/\w/);
    await expect.poll(said).toContain(shown.trim());
  });

  test('a mistake at the end, where the cursor is, is shown by F8, over nothing above the editor, until Escape or until the editor is left', notInWebKit, async ({ page }) => {
    const shown = page.locator('.cm-tooltip-lint');
    for (const [tab, editor] of [['tab-fql', 'fql-editor'], ['tab-code', 'code-editor']] as const) {
      await page.getByTestId(tab).click();
      await write(page, editor, tab === 'tab-fql' ? '{ "get": { "ref": ' : 'Get(Ref(');
      await expect(page.locator(`#${editor} .cm-lintRange, #${editor} .cm-lintPoint`).first()).toBeAttached();
      await page.keyboard.press('F8');
      await expect(shown).toBeVisible();
      const own = await page.locator(`#${editor}`).boundingBox();
      // It is put there in the next frame.
      await expect.poll(async () => (await shown.boundingBox())?.y).toBeGreaterThanOrEqual(own?.y ?? Infinity);
      await page.keyboard.press('Escape');
      await expect(shown).toBeHidden();
      await page.keyboard.press('F8');
      await expect(shown).toBeVisible();
      // Its words may be selected: the editor loses the focus then.
      await shown.click();
      await expect(page.getByTestId(editor)).not.toBeFocused();
      await expect(shown).toBeVisible();
      await page.getByTestId(editor).focus();
      await page.mouse.move(0, 0);
      await page.keyboard.press('F8');
      await page.getByTestId('secret').focus();
      await expect(shown).toBeHidden();
    }
    // Where there is nothing to explain, the cursor stays.
    await write(page, 'code-editor', 'Now()');
    await expect(page.locator('#code-editor :is(.cm-lintRange, .cm-lintPoint)')).toHaveCount(0);
    await page.keyboard.press('F8');
    await page.keyboard.type('x');
    await expect(page.getByTestId('code-editor')).toHaveText('Now()x');
  });

  test('where a part of the editor is out of sight, what is shown by F8 is in the window', notInWebKit, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 400 });
    await write(page, 'fql-editor', `${'\n'.repeat(6)}{ "get": `);
    await expect(page.locator('#fql-editor :is(.cm-lintRange, .cm-lintPoint)').first()).toBeAttached();
    // Its line is the first that is seen: above it there is the editor, but no window.
    await page.locator('#fql-editor .cm-line').last().evaluate((line) => scrollBy(0, line.getBoundingClientRect().top - 6));
    await page.keyboard.press('F8');
    const box = async (): Promise<{ y: number; height: number }> => (await page.locator('.cm-tooltip-lint').boundingBox()) ?? { y: -1, height: 0 };
    await expect.poll(async () => (await box()).y).toBeGreaterThanOrEqual(0);
    const { y, height } = await box();
    expect(y + height).toBeLessThanOrEqual(400);
  });

  test('that everything was deleted is read out', async ({ page }) => {
    await runQuery(page, '1');
    await page.getByTestId('reset').click();
    await page.getByTestId('reset-confirm').click();
    await expect(page.getByRole('status').filter({ hasText: 'Everything was deleted.' })).toBeVisible();
  });

  test('that an answer was copied is read out, and the place for that is there before', async ({ page }) => {
    for (const id of ['result-copied', 'result-status', 'sample-status', 'file-status']) await expect(page.getByTestId(id)).not.toHaveCSS('display', 'none');
    await runQuery(page, '{"add":[1,2]}');
    const said = await allSaidBy(page.getByTestId('result-copied'));
    await page.getByTestId('result-copy').click();
    await expect.poll(said).toMatch(/Copied|Not allowed/);
  });

  test('what the reference has the focus on is in sight', notInWebKit, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/reference.html#fn-to_string');
    await page.locator('.toc a').nth(60).focus();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Shift+Tab');
      const isSeen = await page.evaluate(() => {
        const { left, top, height } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
        return document.elementFromPoint(left + 2, top + height / 2) === document.activeElement;
      });
      expect([step, isSeen]).toEqual([step, true]);
    }
  });
});

// Only there the protocol lets a page be as on paper.
test('on paper there is all of an answer, and nothing else', inChromium, async ({ page }) => {
  await openOffline(page);
  await runQuery(page, `[${Array.from({ length: 300 }, (_, at) => `"row ${at}"`).join()}]`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByTestId('fql-editor')).toBeHidden();
  await expect(page.getByTestId('load-sample')).toBeHidden();
  const { top, bottom, cut } = await result(page).evaluate((body) => {
    const scroller = body.parentElement as HTMLElement;
    const last = [...body.querySelectorAll('.line')].at(-2)?.getBoundingClientRect();
    return { top: body.getBoundingClientRect().top, bottom: last?.bottom ?? 0, cut: scroller.scrollHeight - scroller.clientHeight };
  });
  expect(cut).toBeLessThanOrEqual(1);
  expect(bottom - top).toBeGreaterThan(300 * 15);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThanOrEqual(bottom);
  // Dark ink, whatever was chosen for the screen.
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
  await expect(result(page)).toHaveCSS('color', 'rgb(28, 35, 24)');

  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/reference.html');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByTestId('search')).toBeHidden();
  expect(await page.locator('#functions').evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(800);
});

test.describe('what does not come', () => {
  test('is told where it is the page itself', async ({ page }) => {
    await page.route(/assets\/(index|reference)-.*\.js/, (route) => route.abort());
    for (const address of ['/', '/reference.html']) {
      await page.goto(address);
      await expect(page.getByRole('alert')).toHaveText('The page could not be loaded completely. Check the connection, then reload.');
    }
  });

  test('is told where it is the editors, and nothing offers to run them', async ({ page }) => {
    await page.route(/assets\/editors-.*\.js/, (route) => route.abort());
    await page.goto('/');
    await ready(page);
    await expect(page.getByRole('alert')).toContainText('The editors could not be loaded.');
    for (const id of ['fql-run', 'code-run', 'code-json', 'gql-run', 'schema-run']) await expect(page.locator(`#${id}`)).toBeDisabled();
    await expect(page.getByTestId('load-sample')).toBeEnabled();
  });
});

test('that a reset has failed is not said any longer once one has not', async ({ page }) => {
  await openOffline(page);
  const reset = async (): Promise<void> => {
    await page.getByTestId('reset').click();
    await page.getByTestId('reset-confirm').click();
  };
  await page.evaluate(() => {
    const { vivarium: database } = window as unknown as { vivarium: { reset(): Promise<void> } };
    const once = database.reset;
    database.reset = () => {
      database.reset = once;
      return Promise.reject(new Error('Not now.'));
    };
  });
  await reset();
  await expect(page.getByRole('alert')).toHaveText('Nothing was deleted: Not now.');
  await reset();
  await expect(page.getByRole('alert')).toBeHidden();
});

// Of other engines it is not known how much they keep.
test('a draft that there is no room for takes an older one along', inChromium, async ({ page }) => {
  await openOffline(page);
  await write(page, 'fql-editor', '"an older draft"');
  await page.reload();
  await ready(page);
  await expect(page.getByTestId('fql-editor')).toHaveText('"an older draft"');
  await write(page, 'fql-editor', `"${'x'.repeat(6_000_000)}"`);
  await page.reload();
  await ready(page);
  await expect(page.getByTestId('fql-editor')).not.toHaveText('"an older draft"');
  await runQuery(page, '{"add":[1,2]}');
  await expect(status(page)).toContainText('200');
});

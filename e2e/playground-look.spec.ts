// The page as it looks: at any size, in forced colours; nothing lies over another thing or out of sight.
import type { Page } from 'playwright/test';
import { openOffline } from './support/page.ts';
import { answered, proposal, result, runQuery, status, write } from './support/playground.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await openOffline(page);
});

test('at any height each list entry and button of the sidebar can be seen and clicked', notInWebKit, async ({ page }) => {
  const indexes = Array.from({ length: 9 }, (_, at) => `{"create_index":{"object":{"name":"index_${at}","source":{"class":"spells"}}}}`);
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await runQuery(page, `[${indexes.join(',')}]`);
  await expect(page.locator('#indexes button')).toHaveCount(9);
  for (const height of [700, 900, 1400]) {
    await page.setViewportSize({ width: 1400, height });
    for (const button of await page.locator('.side button:visible:enabled').all()) await button.click({ trial: true, timeout: 10_000 });
  }
});

test('on a phone the editor comes first, and a collection that is tapped brings its documents into sight', notInWebKit, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByTestId('fql-editor')).toBeInViewport();
  expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth <= innerWidth])).toEqual([390, true]);
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  const tapped = page.locator('#collections [data-name="spells"]');
  await tapped.click();
  await answered(page);
  await expect(page.locator('#result-title')).toBeInViewport();
  // The lists were read again by now, and have kept the focus.
  await page.waitForTimeout(500);
  await expect(tapped).toBeFocused();
  await expect(page.locator('#result-title')).toBeInViewport();
});

/** In which order some elements have the focus when Tab is pressed again and again. */
async function orderOfTab(page: Page, ids: readonly string[]): Promise<string[]> {
  const reached: string[] = [];
  for (let step = 0; step < 25; step++) {
    // Which sets Tab free in an editor, and does nothing elsewhere.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement?.id ?? ''));
  }
  return [...new Set(reached)].filter((id) => ids.includes(id));
}

test('on a phone all that can be used is reached by Tab, the editor first', notInWebKit, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const order = ['tab-fql', 'fql-run', 'secret', 'load-sample', 'download'];
  expect(await orderOfTab(page, order)).toEqual(order);
});

// Elsewhere no browser knows `reading-flow` yet, and Tab goes by the order of the page's text.
test('on a wide screen Tab goes from the left to the right', inChromium, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const order = ['load-sample', 'download', 'tab-fql', 'fql-run', 'secret'];
  expect(await orderOfTab(page, order)).toEqual(order);
});

test('nothing of a name or of what is said of it is cut', notInWebKit, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const name = 'a_function_with_a_name_that_no_line_of_the_list_has_room_for';
  await runQuery(page, `{"create_function":{"object":{"name":"${name}","body":{"query":{"lambda":["firstParameter","secondParameter","third"],"expr":1}}}}}`);
  const button = page.locator(`#functions [data-name="${name}"]`);
  await expect(button).toContainText('(firstParameter, secondParameter, third)');
  expect(await button.locator('span').evaluateAll((spans) => spans.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))).toEqual([0, 0, 0]);
});

test('what is selected in an editor is read as well as before', inChromium, async ({ page }) => {
  for (const theme of ['light', 'dark']) {
    const ratios = await page.evaluate((chosen) => {
      document.documentElement.dataset['theme'] = chosen;
      // As the browser paints them, one over the other.
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      if (canvas === null) throw new Error('no canvas');
      const probe = document.body.appendChild(document.createElement('i'));
      const painted = (...colours: readonly string[]): number[] => {
        for (const colour of colours) {
          probe.style.color = colour;
          canvas.fillStyle = getComputedStyle(probe).color;
          canvas.fillRect(0, 0, 1, 1);
        }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const luminance = (rgb: readonly number[]): number => {
        const [r = 0, g = 0, b = 0] = rgb.map((channel) => channel / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const selection = document.querySelector('#fql-editor .cm-editor')?.appendChild(document.createElement('div'));
      if (selection === undefined) throw new Error('no editor');
      selection.className = 'cm-selectionBackground';
      const ground = luminance(painted('var(--surface)', getComputedStyle(selection).backgroundColor));
      selection.remove();
      return ['ink', 'muted', 'code-key', 'code-string', 'code-number', 'code-atom'].map((name) => {
        const text = luminance(painted(`var(--${name})`));
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      });
    }, theme);
    // WCAG 1.4.3
    expect([theme, Math.min(...ratios) >= 4.5]).toEqual([theme, true]);
  }
});

test('a list that is shown whole has no shadow at its edges', inChromium, async ({ page }) => {
  await runQuery(page, '{"create_class":{"object":{"name":"spells"}}}');
  await expect(page.locator('#collections .count')).toHaveText('0');
  const colours = async (list: string): Promise<number> => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.getByTestId(list).boundingBox()) ?? {};
    // At its end, where no name reaches.
    const image = await page.screenshot({ clip: { x: x + width - 30, y: y - 2, width: 20, height: height + 4 } });
    return page.evaluate(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      canvas?.drawImage(bitmap, 0, 0);
      return new Set(new Uint32Array(canvas?.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer ?? new ArrayBuffer())).size;
    }, `data:image/png;base64,${image.toString('base64')}`);
  };
  for (const width of [360, 640, 768, 900]) {
    await page.setViewportSize({ width, height: 1600 });
    expect([width, await colours('indexes'), await colours('functions')]).toEqual([width, 1, 1]);
  }
});

test('in a low window nothing lies over another thing', notInWebKit, async ({ page }) => {
  await page.getByTestId('tab-gql').click();
  for (const [width, height] of [[960, 540], [1024, 600], [1279, 720], [1366, 768]] as const) {
    await page.setViewportSize({ width, height });
    const secret = page.getByTestId('secret');
    await secret.scrollIntoViewIfNeeded();
    const [variables, below] = [await page.locator('#gql-variables').boundingBox(), await page.locator('.under').boundingBox()];
    expect((variables?.y ?? 0) + (variables?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
    await secret.click({ trial: true, timeout: 10_000 });
  }
});

test('a line that is longer than its editor is broken, and nothing of it hides behind the numbers', async ({ page }) => {
  await write(page, 'fql-editor', `[${'"a text", '.repeat(40)}1]`);
  const scroller = page.locator('#fql-editor .cm-scroller');
  expect(await scroller.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(page.locator('#fql-editor .cm-line')).toHaveCount(1);
  // Nor do the numbers stand against it, as another digit would.
  await expect(page.locator('#fql-editor .cm-gutters')).toHaveCSS('padding-right', '6px');
});

test('the braces around a whole query are those of an object, whose fields are all alike', async ({ page }) => {
  await page.getByTestId('tab-code').click();
  await write(page, 'code-editor', '{ first: 1, second: 2 }');
  const colours = await Promise.all(['first', 'second'].map((name) => page.locator('#code-editor .cm-line span', { hasText: name }).evaluate((element) => getComputedStyle(element).color)));
  expect(new Set(colours).size).toBe(1);
});

test('the proposal that is chosen has the colours of the page', async ({ page }) => {
  await page.getByTestId('tab-code').click();
  await write(page, 'code-editor', '');
  await page.keyboard.type('Coun');
  const [run, chosen] = [page.getByTestId('code-run'), proposal(page, 'Count')];
  for (const name of ['background-color', 'color']) await expect(chosen).toHaveCSS(name, await run.evaluate((button, of) => getComputedStyle(button).getPropertyValue(of), name));
});

test('in forced colours only the tab that is shown is underlined', inChromium, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const underline = (tab: string): Promise<string> => page.getByTestId(tab).evaluate((element) => getComputedStyle(element).borderBottomWidth);
  expect([await underline('tab-fql'), await underline('tab-gql'), await underline('tab-schema')]).toEqual(['4px', '0px', '0px']);
});

test('a result is broken where its pane ends', notInWebKit, async ({ page }) => {
  const lines = async (): Promise<number> => {
    await runQuery(page, '{"object":{"greeting":"Hello, vivarium","numbers":[1,2,3],"more":true}}');
    return (await result(page).innerText()).split('\n').length;
  };
  await page.setViewportSize({ width: 2200, height: 900 });
  expect(await lines()).toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await lines()).toBeGreaterThan(4);
  await runQuery(page, JSON.stringify('long '.repeat(1000)));
  expect(await page.locator('.result-scroll').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('what a line of a result has no room for goes on below it, further in than it began', notInWebKit, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await runQuery(page, JSON.stringify([[], 'long '.repeat(40)]));
  const lefts = await result(page).locator('.string').evaluate((text) => [...text.getClientRects()].map(({ left }) => left));
  expect(lefts.length).toBeGreaterThan(3);
  const [first = 0, ...more] = lefts;
  expect(Math.min(...more)).toBeGreaterThan(first);
});

test('a thousand documents are in colours, line by line as they are copied', async ({ page }) => {
  const numbers = Array.from({ length: 1000 }, (_, at) => at);
  const document = { object: { name: 'a fern', light: 'shade', needs: ['water', 'warmth'], more: { object: { n: { var: 'n' } } } } };
  await runQuery(page, JSON.stringify({ map: { lambda: 'n', expr: document }, collection: numbers }));
  await expect(result(page).locator('.number')).toHaveCount(1000);
  const text = await result(page).textContent();
  expect(JSON.parse(text ?? '')).toMatchObject({ resource: { length: 1000, 999: { more: { n: 999 } } } });
  // An editor that has the focus takes the selection back at some moment.
  await page.locator('.result-scroll').focus();
  await result(page).evaluate((body) => getSelection()?.selectAllChildren(body));
  // What was out of sight is laid out now, as it is selected.
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(text);
});

test('the status of an answer is read apart from its time, and errors apart from the path', async ({ page }) => {
  await runQuery(page, '1');
  await expect(status(page)).toHaveText(/^200 [\d.]+\sms · 14\sB · POST\s\/$/);
  await runQuery(page, '{"add":["a"]}');
  await expect(status(page)).toHaveText(/^400 [\d.]+\sms · \d+\sB · POST\s\/ · 1\serror/);
});

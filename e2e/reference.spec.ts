// The function reference: there for every function, found as one types, opened by a link, without a network.
import type { Page } from 'playwright/test';
import { openOffline } from './support/page.ts';
import { expect, notInWebKit, test } from './support/test.ts';

/** From the playground, without a network. */
async function openReference(page: Page, hash = ''): Promise<void> {
  await openOffline(page);
  await page.goto(`/reference.html${hash}`);
  await expect(page.locator('html')).toHaveAttribute('data-ready', 'true');
}

const shownNames = (page: Page): Promise<string[]> => page.locator('article.function:not([hidden]) h3').allTextContents();

test('the playground leads to it, and it is found by words as they are typed', async ({ page }) => {
  await openOffline(page);
  await page.getByTestId('functions-link').click();
  await expect(page.getByTestId('found')).toHaveText(/^2\d\d functions$/);
  const all = await shownNames(page);
  for (const name of ['let', 'lambda', 'paginate', 'add', 'containsstrregex', 'create_access_provider', 'is_role']) expect(all).toContain(name);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('time diff');
  await expect(page.getByTestId('found')).toHaveText(`1 of ${all.length} functions`);
  expect(await shownNames(page)).toEqual(['time_diff']);
  await page.getByTestId('search').fill('nothing like this');
  await expect(page.getByText('No function has all these words.')).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await shownNames(page)).toEqual(all);
});

test('a link leads to one function, also one that a search had hidden', async ({ page }) => {
  await openReference(page, '#fn-time_add');
  await expect(page.getByTestId('fn-time_add')).toBeInViewport();
  await expect(page.getByTestId('fn-time_add')).toContainText('"offset"');
  await page.getByTestId('search').fill('substring');
  await expect(page.getByTestId('fn-time_add')).toBeHidden();
  await page.evaluate(() => (location.hash = '#fn-round'));
  await expect(page.getByTestId('fn-round')).toBeInViewport();
});

test('a link leads to the beginning of its function, however far that is from where a search was, and Escape leaves the reader where he reads', async ({ page }) => {
  await openReference(page);
  const atTop = (name: string): Promise<boolean> => page.getByTestId(`fn-${name}`).evaluate((article) => {
    const { top } = article.getBoundingClientRect();
    return top >= 0 && top < 110;
  });
  for (const [words, name] of [['zzzz', 'paginate'], ['paginate', 'create_index'], ['time', 'paginate']] as const) {
    await page.getByTestId('search').fill(words);
    await page.evaluate((hash) => (location.hash = hash), `#fn-${name}`);
    await expect.poll(async () => [name, await atTop(name)]).toEqual([name, true]);
  }
  // Another function is read than the one that the address names.
  await page.getByTestId('search').fill('time_add');
  await expect.poll(() => shownNames(page)).toEqual(['time_add']);
  await page.keyboard.press('Escape');
  await expect.poll(() => atTop('time_add')).toBe(true);
  expect((await shownNames(page)).length).toBeGreaterThan(200);
});

test('an example opens in the playground and has the answer that is told', async ({ page }) => {
  const run = async (): Promise<void> => {
    await expect(page.locator('html')).toHaveAttribute('data-ready', 'true', { timeout: 20_000 });
    await page.getByTestId('fql-run').click();
    await expect(page.getByTestId('result-status')).toContainText(/20[01]/);
  };
  await openReference(page);
  await page.getByTestId('world').click();
  await run();

  await page.goto('/reference.html#fn-paginate');
  const example = page.getByTestId('fn-paginate').locator('.example').first();
  const told = await example.locator('.answer').innerText();
  await example.getByText('Try it').click();
  await expect(page.getByTestId('fql-version')).toHaveValue('4');
  await run();
  const answer = JSON.parse(await page.getByTestId('result-body').innerText()) as { resource: unknown };
  expect(answer.resource).toEqual(JSON.parse(told));
});

test('the spelling of drivers is found', async ({ page }) => {
  await openReference(page);
  await page.getByTestId('search').fill('CreateIndex');
  expect(await shownNames(page)).toContain('create_index');
});

test('no example has to be scrolled sideways', notInWebKit, async ({ page }) => {
  await openReference(page);
  for (const width of [390, 900, 1400]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.locator('.example pre').evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length)).toBe(0);
  }
});

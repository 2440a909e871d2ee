// The sample: loaded by its button through the public interface, there after a reload, never twice.
import type { Page } from 'playwright/test';
import { openOffline, ready } from './support/page.ts';
import { countOf, graphql, query } from './support/queries.ts';
import { expect, test } from './support/test.ts';

const status = (page: Page) => page.getByTestId('sample-status');

async function load(page: Page): Promise<void> {
  await page.getByTestId('load-sample').click();
  await expect(status(page)).toContainText(/^(Loaded|All)/, { timeout: 40_000 });
}

const counts = (page: Page): Promise<unknown> => query(page, [countOf('Country'), countOf('City')]);

/** Every value the progress bar takes is kept in the page as `progress`. */
const watchProgress = (page: Page): Promise<void> =>
  page.getByTestId('sample-progress').evaluate((bar: HTMLProgressElement) => {
    const seen: string[] = [];
    Object.assign(window, { progress: seen });
    new MutationObserver(() => {
      if (!bar.hidden && bar.hasAttribute('value')) seen.push(`${bar.value}/${bar.max}`);
    }).observe(bar, { attributes: true });
  });

test.describe.configure({ timeout: 180_000 });

test('loads with a progress bar, stays over a reload, and is not doubled by loading again', async ({ page }) => {
  await openOffline(page);
  await watchProgress(page);
  await load(page);
  await expect(status(page)).toContainText('Loaded 252 countries and 1,544 cities');
  await expect(page.getByTestId('sample-progress')).toBeHidden();
  const progress = await page.evaluate(() => (window as unknown as { progress: string[] }).progress);
  expect(progress.at(-1)).toBe('1796/1796');
  const values = progress.map((step) => Number.parseInt(step, 10));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(new Set(values).size).toBeGreaterThan(10);
  await expect(page.locator('#collections [data-name="City"] .count')).toHaveText('1,544');

  await page.reload();
  await ready(page);
  await expectAllThere(page);
  await expect(page.locator('#collections [data-name="Country"] .count')).toHaveText('252');

  await load(page);
  await expect(status(page)).toContainText('All 1,796 records are already here; nothing was added.');
  expect(await counts(page)).toEqual([252, 1544]);
});

async function expectAllThere(page: Page): Promise<void> {
  expect(await counts(page)).toEqual([252, 1544]);

  // One document each way: by the index of a unique field, by a list, over a relation and back.
  const japan = { get: { match: { index: 'unique_Country_code' }, terms: 'JP' } };
  expect(await query(page, { select: ['data', 'capital'], from: japan })).toBe('Tokyo');
  const country = { get: { select: ['data', 'country'], from: { get: { var: 'city' } } } };
  const countries = {
    map: { lambda: 'city', expr: { select: ['data', 'name'], from: country } },
    collection: { paginate: { match: { index: 'citiesByName' }, terms: 'Valencia' } },
  };
  const { data } = await query<{ data: string[] }>(page, countries);
  expect(data.toSorted()).toEqual(['Spain', 'Venezuela']);

  expect(
    await graphql(page, `{
      countryByCode(code: "AT") { name native continent currencies languages { name } cities { data { name isCapital } } }
    }`),
  ).toEqual({
    countryByCode: {
      name: 'Austria',
      native: 'Österreich',
      continent: 'EUROPE',
      currencies: ['EUR'],
      languages: [{ name: 'German' }],
      cities: { data: [{ name: 'Vienna', isCapital: true }] },
    },
  });
  expect(
    await graphql(page, '{ citiesByName(name: "Reykjavík") { data { population location { latitude longitude } country { code } } } }'),
  ).toEqual({
    citiesByName: { data: [{ population: 118918, location: { latitude: 64.13548, longitude: -21.89541 }, country: { code: 'IS' } }] },
  });
}

/** Loads the sample, and interrupts that once a part of it is there: by the button of that name, or by a reload. */
async function interrupt(page: Page, button: string | null): Promise<void> {
  await page.evaluate((name) => {
    const place = document.querySelector('[data-testid="sample-status"]') as HTMLElement;
    const observer = new MutationObserver(() => {
      if (!/^[\d,]{3,} of 1,796 records/.test(place.textContent)) return;
      observer.disconnect();
      if (name === null) location.reload();
      else document.querySelector<HTMLElement>(`[data-testid="${name}"]`)?.click();
    });
    observer.observe(place, { childList: true, characterData: true, subtree: true });
  }, button);
  await page.getByTestId('load-sample').click();
}

test('a load that was interrupted by a reload goes on where it stopped', async ({ page }) => {
  await openOffline(page);
  const left = page.waitForEvent('load');
  await interrupt(page, null);
  await left;
  await ready(page);
  await load(page);
  expect(await counts(page)).toEqual([252, 1544]);
});

test('can be cancelled, and reset empties the database for good', async ({ page }) => {
  await openOffline(page);
  await interrupt(page, 'sample-cancel');
  await expect(status(page)).toContainText('Cancelled at');
  const [, cities] = (await counts(page)) as number[];
  expect(cities).toBeLessThan(1544);

  const reset = page.getByTestId('reset');
  await reset.click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  expect(await query(page, { exists: { collection: 'Country' } })).toBe(true);
  await expect(page.locator('#collections')).toContainText('Country');

  await reset.click();
  await page.getByTestId('reset-confirm').click();
  await expect(page.locator('#collections')).toHaveText('None yet');
  await page.reload();
  await ready(page);
  expect(await query(page, { exists: { collection: 'Country' } })).toBe(false);
  await expect(page.locator('#indexes')).toHaveText('None yet');
  await load(page);
  expect(await counts(page)).toEqual([252, 1544]);
});

test('of a load that a reset has ended nothing is said', async ({ page }) => {
  await openOffline(page);
  const live = status(page).evaluate(
    (place) =>
      new Promise((resolve) => {
        const look = (): void => void (/^[\d,]{3,} of 1,796 records/.test(place.textContent) && resolve(place.getAttribute('aria-live')));
        new MutationObserver(look).observe(place, { childList: true });
      }),
  );
  await page.getByTestId('load-sample').click();
  // Numbers that follow each other quickly are for the eye alone.
  expect(await live).toBe('off');
  await page.getByTestId('reset').click();
  await page.getByTestId('reset-confirm').click();
  await expect(page.locator('#collections')).toHaveText('None yet');
  await expect(page.getByTestId('load-sample')).toBeEnabled();
  await expect(status(page)).toHaveText('');
});

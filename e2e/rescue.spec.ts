// A database that cannot be opened, in the playground: deleted to begin anew, after asking.
import type { Page } from 'playwright/test';
import { ready } from './support/page.ts';
import { expect, test } from './support/test.ts';

/** Writes what is no header, while no page has the database open. */
async function damage(page: Page): Promise<void> {
  await page.goto('/');
  await ready(page);
  await page.goto('/reference.html');
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('vivarium');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('meta', 'readwrite');
          transaction.objectStore('meta').put('no header', 'header');
          transaction.oncomplete = () => resolve(request.result.close());
        };
      }),
  );
  await page.goto('/');
}

test('a database that is damaged stays until its user says that it be deleted; then there is a new one', async ({ page }) => {
  await damage(page);
  await expect(page.locator('#banner')).toContainText('The database could not be opened. corrupt:');
  await page.getByTestId('discard').click();
  await expect(page.getByRole('alertdialog', { name: 'Delete what is stored?' })).toContainText('no way back');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByTestId('discard')).toBeFocused();
  await expect(page.getByTestId('discard')).toBeEnabled();

  await page.getByTestId('discard').click();
  await page.getByTestId('discard-confirm').click();
  await ready(page);
  await expect(page.locator('#banner')).toBeHidden();
  await expect(page.getByTestId('collections')).toHaveText('None yet');
  await page.getByTestId('fql-run').click();
  await expect(page.getByTestId('result-status')).toContainText('200');
});

test('while another tab holds on to it, its user is told', async ({ page, context }) => {
  await damage(page);
  const other = await context.newPage();
  await other.goto('/reference.html');
  await other.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('vivarium');
        // Held open on purpose: nobody listens for `versionchange`.
        request.onsuccess = () => resolve(void Object.assign(window, { held: request.result }));
      }),
  );
  await page.bringToFront();
  await page.getByTestId('discard').click();
  await page.getByTestId('discard-confirm').click();
  await expect(page.getByTestId('rescue-status')).toHaveText('Another tab has it open. It is deleted as soon as that tab is closed.');
  await other.close();
  await ready(page);
  await expect(page.getByTestId('collections')).toHaveText('None yet');
});

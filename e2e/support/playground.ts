// The playground in the hands of a user.
import { expect, type Page } from 'playwright/test';

export const result = (page: Page) => page.getByTestId('result-body');
export const status = (page: Page) => page.getByTestId('result-status');
export const errors = (page: Page) => page.getByTestId('result-errors');

/** A name the editor proposes for what is being written. */
export const proposal = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

/** Puts a text in place of an editor's. */
export async function write(page: Page, editor: string, text: string): Promise<void> {
  await page.getByTestId(editor).focus();
  await page.keyboard.press('ControlOrMeta+A');
  if (text === '') return page.keyboard.press('Delete');
  // Typing would have brackets closed by the editor, and what Playwright calls insertion is typing in some engines.
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    // Firefox lets no script fill the clipboard of an event.
    const event = Object.defineProperty(new Event('paste', { bubbles: true, cancelable: true }), 'clipboardData', { value: clipboardData });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

/** Puts a secret in place of that in its field, and leaves the field. */
export async function writeSecret(page: Page, secret: string): Promise<void> {
  await page.getByTestId('secret').selectText();
  // Key by key: a value that a script has set is no change to Firefox when the field is left.
  await page.keyboard.type(secret);
  await page.getByTestId('secret').blur();
}

/** Runs a query by the keyboard and waits for its answer. */
export async function runQuery(page: Page, text: string): Promise<void> {
  await write(page, 'fql-editor', text);
  await page.keyboard.press('ControlOrMeta+Enter');
  await answered(page);
}

export async function answered(page: Page): Promise<void> {
  await expect(page.getByTestId('result')).not.toHaveAttribute('aria-busy', 'true');
  await expect(status(page)).not.toHaveText('');
}

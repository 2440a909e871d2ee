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
  // As pasting does: typing would have brackets closed by the editor.
  await page.keyboard.insertText(text);
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

// Threads that stand still, as those of a tab in the background may at any moment: nothing runs in them, no event tells
// them so, and their locks, ports and connections stay what they were.
import type { BrowserContext, Page } from 'playwright/test';

/** An address that is answered when all that asks for it is to go on. */
const THAW = '/thaw';

export interface Freezer {
  /** Resolves when so many threads stand still. */
  frozen(threads: number): Promise<void>;
  thaw(): void;
}

/** Holds whoever asks for the thaw. */
export async function freezer(context: BrowserContext): Promise<Freezer> {
  let asked = 0;
  let heard = (): void => undefined;
  let thaw = (): void => undefined;
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  await context.route(`**${THAW}`, async (route) => {
    asked++;
    heard();
    await thawed;
    await route.fulfill({ body: 'thawed' });
  });
  return {
    frozen: (threads) =>
      new Promise((resolve) => {
        heard = () => asked >= threads && resolve();
        heard();
      }),
    thaw: () => thaw(),
  };
}

/** Runs in a page or a worker: after so many milliseconds nothing else does, until the thaw. */
function standStill({ address, after }: { readonly address: string; readonly after: number }): void {
  setTimeout(() => {
    const waiting = new XMLHttpRequest();
    waiting.open('GET', address, false);
    waiting.send();
  }, after);
}

/** By then the engine has ended what its page has asked of it: it stands still between native transactions, not inside one. */
const DRAINED_MS = 500;

/** Both threads of a tab stand still: its page's, and then that of its engine. Resolves to what gives them back. */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  const { frozen, thaw } = await freezer(page.context());
  const [worker] = page.workers();
  if (worker === undefined) throw new Error('the page has no worker');
  await worker.evaluate(standStill, { address: THAW, after: DRAINED_MS });
  await page.evaluate(standStill, { address: THAW, after: 0 });
  await frozen(2);
  return async () => {
    thaw();
    // It is back once it says so.
    await page.evaluate(() => null);
    await page.context().unroute(`**${THAW}`);
  };
}

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

/** By then the engine has ended what its page has asked of it. */
const DRAINED_MS = 500;

/** The page's word to its worker. */
const STANDS_STILL = 'stands still';

/** An event of a page's window. */
export const STAND_STILL = 'stand-still';

/** Runs in a page: at the event it says so to its worker, and stands still until the thaw. */
function standStill([event, address, channel]: readonly [string, string, string]): void {
  addEventListener(event, () => {
    new BroadcastChannel(channel).postMessage(null);
    const waiting = new XMLHttpRequest();
    waiting.open('GET', address, false);
    waiting.send();
  });
}

/** Runs in a page's worker: so many milliseconds after its page it stands still, too, as soon as it is inside no native transaction. */
function followPage([address, channel, drained]: readonly [string, string, number]): void {
  let inside = 0;
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
    const begun = transaction.apply(this, args);
    inside++;
    for (const end of ['complete', 'abort']) begun.addEventListener(end, () => inside--);
    return begun;
  };
  const follow = (): void => {
    if (inside > 0) {
      setTimeout(follow);
      return;
    }
    IDBDatabase.prototype.transaction = transaction;
    const waiting = new XMLHttpRequest();
    waiting.open('GET', address, false);
    waiting.send();
  };
  new BroadcastChannel(channel).onmessage = () => setTimeout(follow, drained);
}

export interface Freezable {
  /** Resolves when both threads of the tab stand still: its page's, since its event `STAND_STILL`, and then that of its engine, between native transactions. */
  readonly frozen: Promise<void>;
  /** Resolves when it is back. */
  thaw(): Promise<void>;
}

/** Has a tab stand still from its event `STAND_STILL` on. */
export async function freezable(page: Page): Promise<Freezable> {
  const { frozen, thaw } = await freezer(page.context());
  const [worker] = page.workers();
  if (worker === undefined) throw new Error('the page has no worker');
  await worker.evaluate(followPage, [THAW, STANDS_STILL, DRAINED_MS] as const);
  await page.evaluate(standStill, [STAND_STILL, THAW, STANDS_STILL] as const);
  return {
    frozen: frozen(2),
    thaw: async () => {
      thaw();
      // It is back once it says so.
      await page.evaluate(() => null);
      await page.context().unroute(`**${THAW}`);
    },
  };
}

/** Both threads of a tab stand still. Resolves to what gives them back. */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  const { frozen, thaw } = await freezable(page);
  await page.evaluate((event) => void setTimeout(() => dispatchEvent(new Event(event))), STAND_STILL);
  await frozen;
  return thaw;
}

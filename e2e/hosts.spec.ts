// Who answers: the shim, the service worker by way of a page's engine, or the service worker's
// own. The answers are the same, and there is always one.
import type { Page } from 'playwright/test';
import { freezer, freezeTab } from './support/freeze.ts';
import { LENGTHS, lengths } from './support/lengths.ts';
import { answeredBy, controlled, cutNetwork, loadStatus, openControlled, openOffline, openPlainPage, PLAIN, ready } from './support/page.ts';
import { ask, countOf, create, createCollections, field, increment, object, query, queryByPageApi, ref } from './support/queries.ts';
import { expect, inChromium, notInWebKit, test } from './support/test.ts';
import { keepWorkers, stopServiceWorker } from './support/threads.ts';

const counter = ref('counters', 1);

async function makeCounter(page: Page): Promise<void> {
  await query(page, createCollections('counters'));
  await query(page, create(counter, { n: 0 }));
}

test.describe('on the first load', () => {
  test('requests are answered from the tick in which the database is open until the service worker has taken over', async ({ page }) => {
    await page.addInitScript(askFromTheFirstTick);
    await openControlled(page);
    await cutNetwork(page.context());
    const answers = await page.evaluate(() => (window as unknown as { finish(): Promise<unknown[]> }).finish());
    expect(answers.length).toBeGreaterThan(1);
    expect(answers).toEqual(answers.map(() => '{"resource":3}'));
    expect(await answeredBy(page)).toBe('service-worker');
  });

  // No other browser lets anyone answer for the script of a service worker.
  test('it is the shim that answers the first request', inChromium, async ({ page }) => {
    // A service worker that installs only once the test says so.
    let install = (): void => undefined;
    const held = new Promise<void>((resolve) => (install = resolve));
    let isAsked = false;
    await page.context().route('**/sw.js*', async (route) => {
      isAsked = true;
      await held;
      await route.continue();
    });
    await page.goto('/');
    await ready(page);
    expect(await answeredBy(page)).toBe('shim');
    await makeCounter(page);
    await expect.poll(() => isAsked).toBe(true);
    install();
    await controlled(page);
    await cutNetwork(page.context());
    expect(await answeredBy(page)).toBe('service-worker');
    await query(page, increment(counter));
    expect(await query(page, field(counter, 'n'))).toBe(1);
  });
});

/** Runs in the page before all else: asks on and on from the moment `window.vivarium` is set. */
function askFromTheFirstTick(): void {
  const answers: Promise<unknown>[] = [];
  let done = false;
  const askOnce = (): Promise<string> =>
    fetch('/', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '{"add":[1,2]}' }).then(
      (response) => response.text(),
      (error: unknown) => String(error),
    );
  const askOn = async (): Promise<void> => {
    while (!done) {
      const asking = askOnce();
      answers.push(asking);
      await asking;
    }
  };
  let database: unknown;
  Object.defineProperty(window, 'vivarium', {
    get: () => database,
    set: (opened: unknown) => {
      database = opened;
      void askOn();
    },
  });
  Object.assign(window, {
    finish: () => {
      done = true;
      return Promise.all(answers);
    },
  });
}

test('a shift-reload goes round the service worker, which then takes the page back', inChromium, async ({ page }) => {
  // The server stays: a shift-reload needs one.
  await openControlled(page);
  await makeCounter(page);
  await page.addInitScript(() => Object.assign(window, { first: navigator.serviceWorker.controller }));

  const devtools = await page.context().newCDPSession(page);
  const loaded = page.waitForEvent('load');
  await devtools.send('Page.reload', { ignoreCache: true });
  await loaded;
  await ready(page);
  expect(await page.evaluate(() => (window as unknown as { first: unknown }).first)).toBeNull();
  await query(page, increment(counter));
  await controlled(page);
  await cutNetwork(page.context());
  expect(await answeredBy(page)).toBe('service-worker');
  expect(await query(page, field(counter, 'n'))).toBe(1);
});

test.describe('where service workers are blocked', () => {
  test.use({ serviceWorkers: 'block' });

  test('the shim answers fetch and XMLHttpRequest', async ({ page }) => {
    await page.goto('/');
    await ready(page);
    await makeCounter(page);
    await loadStatus(page);
    await cutNetwork(page.context());
    expect(await answeredBy(page)).toBe('shim');
    expect(await query(page, field(counter, 'n'))).toBe(0);
    const text = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const request = new XMLHttpRequest();
          request.open('POST', 'https://db.fauna.com/');
          request.setRequestHeader('Authorization', 'Bearer secret');
          request.onload = () => resolve(request.responseText);
          request.onerror = reject;
          request.send('{"add":[1,2]}');
        }),
    );
    expect(text).toBe('{"resource":3}');
  });

  test('without a network, what needs a part that was never loaded is refused, and all else goes on', inChromium, async ({ page, context }) => {
    await page.goto('/');
    await ready(page);
    await makeCounter(page);
    await cutNetwork(context);
    const createIndex = { create_index: object({ name: 'every', source: { collection: 'counters' } }) };
    const missing = { code: 'unavailable', description: 'A part of the database that this request needs could not be loaded.' };
    expect(await ask(page, createIndex)).toEqual({ status: 503, body: { errors: [missing] } });
    await query(page, increment(counter));
    expect(await query(page, field(counter, 'n'))).toBe(1);

    await context.unroute('**/*');
    await context.setOffline(false);
    expect((await ask(page, createIndex)).status).toBe(201);
  });
});

test.describe('when the service worker is stopped', () => {
  test('between any two requests, each is answered', inChromium, async ({ page }) => {
    await openOffline(page);
    await makeCounter(page);
    const devtools = await page.context().newCDPSession(page);
    for (let n = 1; n <= 5; n++) {
      await stopServiceWorker(devtools);
      await query(page, increment(counter));
      expect(await query(page, field(counter, 'n'))).toBe(n);
    }
    expect(await answeredBy(page)).toBe('service-worker');
  });

  test('however often, nothing of what it asked of a page stays there', inChromium, async ({ page }) => {
    await openOffline(page);
    const devtools = await page.context().newCDPSession(page);
    for (let n = 1; n <= 3; n++) {
      await stopServiceWorker(devtools);
      await query(page, { add: [1, 2] });
    }
    const lives = (): Promise<number | undefined> =>
      page.evaluate(async () => (await navigator.locks.query()).held?.filter(({ name }) => name?.startsWith('vivarium:life:')).length);
    // The service worker's own, and what the page's worker shows it.
    // A page that was not quick enough for the last of them is met by a later request.
    await expect(async () => {
      await query(page, { add: [1, 2] });
      expect(await lives()).toBe(2);
    }).toPass();
  });

  test('while requests are under way, each is answered and counts once', inChromium, async ({ page }) => {
    await openOffline(page);
    await makeCounter(page);
    const devtools = await page.context().newCDPSession(page);
    for (let n = 1; n <= 3; n++) {
      // The browser starts it again and hands it the same requests a second time.
      const sending = page.evaluate(sendThirty, JSON.stringify(increment(counter)));
      await stopServiceWorker(devtools);
      expect(await sending).toEqual(Array(30).fill(200));
      expect(await query<number>(page, field(counter, 'n'))).toBe(30 * n);
    }
  });
});

/** Runs in the page; half of them go by XMLHttpRequest. Resolves to their statuses. */
function sendThirty(body: string): Promise<readonly number[]> {
  const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
  const byFetch = (): Promise<number> => fetch('./', { method: 'POST', headers, body }).then(({ status }) => status, () => -1);
  const byXhr = (): Promise<number> =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open('POST', './');
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.onloadend = () => resolve(request.status);
      request.send(body);
    });
  return Promise.all(Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? byFetch() : byXhr())));
}

test.describe('the service worker answers with an engine of its own', () => {
  test('when no page has one', inChromium, async ({ page, context }) => {
    await openControlled(page);
    await makeCounter(page);
    const plain = await openPlainPage(context);
    await page.close();
    await cutNetwork(context);
    await query(plain, increment(counter));
    expect(await query(plain, field(counter, 'n'))).toBe(1);

    const devtools = await context.newCDPSession(plain);
    await stopServiceWorker(devtools);
    await query(plain, increment(counter));
    expect(await query(plain, field(counter, 'n'))).toBe(2);

    const back = await context.newPage();
    await back.goto('/');
    await ready(back);
    expect(await queryByPageApi(back, field(counter, 'n'))).toBe(2);
  });

  test('when the only page that has one is frozen, and that page sees the write as soon as it is back', inChromium, async ({ page, context }) => {
    await openControlled(page);
    await makeCounter(page);
    const plain = await openPlainPage(context);
    await cutNetwork(context);
    const thaw = await freezeTab(page);
    await query(plain, increment(counter));
    expect(await query(plain, field(counter, 'n'))).toBe(1);
    await thaw();
    expect(await queryByPageApi(page, field(counter, 'n'))).toBe(1);
    await query(page, increment(counter));
    expect(await query(plain, field(counter, 'n'))).toBe(2);
  });

  test('when the only page that has one is busy', inChromium, async ({ page, context }) => {
    await openControlled(page);
    await makeCounter(page);
    const plain = await openPlainPage(context);
    await cutNetwork(context);
    // A service worker that does not know the page's engine yet has to ask the page itself.
    await stopServiceWorker(await context.newCDPSession(plain));
    const held = await freezer(context);
    let isBusy = true;
    const busy = page
      .evaluate(() => {
        const waiting = new XMLHttpRequest();
        waiting.open('GET', '/thaw', false);
        waiting.send();
      })
      .then(() => (isBusy = false));
    await held.frozen(1);
    await query(plain, increment(counter));
    expect(isBusy).toBe(true);
    held.thaw();
    await busy;
    expect(await queryByPageApi(page, field(counter, 'n'))).toBe(1);
  });
});

test('a worker that ends in silence is missed at once, not when its silence tells', async ({ page }) => {
  await page.addInitScript(keepWorkers);
  await openOffline(page);
  await makeCounter(page);
  const outcome = await page.evaluate(async (body) => {
    (window as unknown as { started: Worker[] }).started[0]?.terminate();
    const headers = { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' };
    // Its silence would tell after ten seconds.
    const late = new Promise((resolve) => setTimeout(resolve, 9_000, 'late'));
    return Promise.race([late, fetch('./', { method: 'POST', headers, body }).then(({ status }) => status)]);
  }, JSON.stringify(increment(counter)));
  expect(outcome).toBe(200);
  expect(await query(page, field(counter, 'n'))).toBe(1);
});

test('after close() the service worker goes on answering', async ({ page }) => {
  await openOffline(page);
  await makeCounter(page);
  await page.evaluate(() => (window as unknown as { vivarium: { close(): Promise<void> } }).vivarium.close());
  await query(page, increment(counter));
  expect(await query(page, field(counter, 'n'))).toBe(1);
});

test('a page that comes back by the back button has a database', notInWebKit, async ({ page, context }) => {
  await openControlled(page);
  await makeCounter(page);
  await page.goto(PLAIN);
  await cutNetwork(context);
  await query(page, increment(counter));
  await page.goBack();
  await ready(page);
  expect(await query(page, field(counter, 'n'))).toBe(1);
  expect(await queryByPageApi(page, countOf('counters'))).toBe(1);
});

test('an answer by way of the service worker says how long it is', async ({ page }) => {
  await openControlled(page);
  expect(await lengths(page)).toEqual(LENGTHS);
});

test('requests that are not ours are left alone', async ({ page }) => {
  await openControlled(page);
  const seen = await page.evaluate(async () => {
    const statusOf = (path: string, method: string): Promise<number> => fetch(path, { method }).then(({ status }) => status);
    return [await statusOf('/nowhere.json', 'HEAD'), (await fetch('/manifest.webmanifest')).headers.get('content-type')];
  });
  expect(seen[1]).toContain('manifest');
  expect((await ask(page, { add: [1, 2] })).body).toEqual({ resource: 3 });
});

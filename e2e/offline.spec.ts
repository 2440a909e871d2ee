// After the first visit the page opens with its server gone, at the root and below a path.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { freePort } from '../scripts/free-port.mjs';
import { root } from '../scripts/run.mjs';
import { answeredBy, controlled, ready } from './support/page.ts';
import { ask, create, createCollections, field, query, ref } from './support/queries.ts';
import { serve } from './support/site.ts';
import { expect, notInWebKit, test } from './support/test.ts';

test.describe.configure({ timeout: 180_000 });

/** Visits a site, ends its server, and uses the page in this and in a new tab as if nothing had happened. */
async function expectToOutliveItsServer(page: Page, address: string, stop: () => Promise<void>): Promise<void> {
  const troubles: string[] = [];
  const noteErrors = (of: Page): unknown =>
    of.on('pageerror', ({ message }) => {
      // WebKit looks for a newer service worker by itself, and tells the page that the server is not there.
      if (!/\/sw\.js\?\S* due to access control checks\.$/.test(message)) troubles.push(message);
    });
  noteErrors(page);
  await page.goto(address);
  await ready(page);
  await controlled(page);
  await query(page, createCollections('spells'));
  await query(page, create(ref('spells', 1), { name: 'Fire Beak' }));
  // The page has asked for what it shows: WebKit tells it of requests that its reload cuts off.
  await expect(page.locator('#collections .count')).toHaveText('1');
  await stop();
  await expect(fetch(address)).rejects.toThrow();

  await page.reload();
  await ready(page);
  expect(await answeredBy(page)).toBe('service-worker');
  expect(await query(page, field(ref('spells', 1), 'name'))).toBe('Fire Beak');

  const second = await page.context().newPage();
  second.on('requestfailed', (request) => troubles.push(`${request.url()} failed`));
  noteErrors(second);
  await second.goto(address);
  await ready(second);
  expect(await query(second, field(ref('spells', 1), 'name'))).toBe('Fire Beak');
  // The parts that are loaded when first needed are there too: editors, the gateway, the sample.
  await expect(second.getByTestId('fql-editor')).toBeVisible();
  await second.getByTestId('load-sample').click();
  await expect(second.getByTestId('sample-status')).toContainText('Loaded 252 countries', { timeout: 40_000 });
  expect(troubles).toEqual([]);
}

test('the page opens and works after its server has ended', async ({ page }) => {
  const site = await serve(join(root, 'dist'));
  await expectToOutliveItsServer(page, site.address, site.stop);
});

// WebKit itself holds a document that was asked for before that for one under control, whoever claims it: a reload alone helps there.
for (const [starting, where] of [['document', notInWebKit], ['worker', {}]] as const) {
  test(`a tab whose ${starting} was just starting when the service worker took control does without its server too`, where, async ({ page: first, context }) => {
    const script = gate();
    const start = gate();
    const second = await context.newPage();
    let isSecond = false;
    const site = await serve(join(root, 'dist'), {
      hold: (name, destination) => {
        // The service worker is not in control before it has this one.
        if (name === 'sw-engine.js') return script.pass();
        return isSecond && destination === starting ? start.pass() : undefined;
      },
    });
    await first.goto(site.address);
    await ready(first);
    await script.reached;
    isSecond = true;
    const opening = second.goto(site.address);
    await start.reached;
    script.open();
    await controlled(first);
    start.open();
    await opening;
    await ready(second);
    await controlled(second);
    // Nobody is told when a worker is taken in; what the page has said for it is long on its way by the end of these.
    for (let times = 0; times < 20; times++) expect((await ask(second, 1)).body).toEqual({ resource: 1 });
    await site.stop();
    // Needs a part of the engine that was never loaded.
    expect(await ask(second, createCollections('spells'))).toMatchObject({ status: 200 });
  });
}

/** What the status says of it. */
const serviceWorkerOf = (page: Page): Promise<unknown> =>
  page.evaluate(async () => (await (window as unknown as { vivarium: { status(): Promise<{ serviceWorker: unknown }> } }).vivarium.status()).serviceWorker);

/** What holds up whoever passes until it is opened. */
function gate() {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const pass = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { open, reached, pass };
}

test('so it does below a path', async ({ page }) => {
  const site = await serve(join(root, 'dist'), { base: '/app/' });
  await expectToOutliveItsServer(page, site.address, site.stop);
  const text = await page.evaluate(async () => {
    const headers = { Authorization: 'Bearer secret' };
    const post = async (path: string): Promise<string> => (await fetch(path, { method: 'POST', headers, body: '{"add":[1,2]}' })).text();
    return [await post('/app/'), await post('https://db.fauna.com/'), await post('/').catch((error: Error) => error.name)];
  });
  // Below its path the service is all there is; the rest of the origin is not its own.
  expect(text).toEqual(['{"resource":3}', '{"resource":3}', 'TypeError']);
});

test('so it does on a host that leaves index.html and .html out of addresses', async ({ page }) => {
  const site = await serve(join(root, 'dist'), { cleanUrls: true });
  // Not by this page: WebKit tells it of the requests of one that it leaves.
  expect((await fetch(`${site.address}index.html`)).url).toBe(site.address);
  await expectToOutliveItsServer(page, site.address, site.stop);
  for (const name of ['reference', 'reference.html']) {
    await page.goto(site.address + name);
    await expect(page).toHaveTitle('Functions – Vivarium');
  }
});

test('so it does where a part of the service worker was lost on the way at first: the next visit fetches it', async ({ page, context }) => {
  const lost = new Set(['sw-engine.js']);
  const site = await serve(join(root, 'dist'), { lost });
  // In a tab of its own: WebKit tells a page of the requests of one that it leaves.
  const first = await context.newPage();
  await first.goto(site.address);
  await ready(first);
  await expect.poll(() => serviceWorkerOf(first)).toEqual({ state: 'failed', reason: expect.stringContaining('/sw.js could not be registered') as unknown });
  expect(await answeredBy(first)).toBe('shim');
  await first.close();
  lost.clear();
  await expectToOutliveItsServer(page, site.address, site.stop);
});

test('npm run preview serves the build at the port it is given', async ({ page }) => {
  const port = await freePort();
  const preview = spawn('npm', ['run', 'preview', '--', '--port', String(port), '--strictPort'], { cwd: root, detached: true, stdio: 'ignore' });
  try {
    await expect.poll(() => fetch(`http://localhost:${port}/`).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
    await page.goto(`http://localhost:${port}/`);
    await ready(page);
    expect(await query(page, { add: [1, 2] })).toBe(3);
  } finally {
    // npm and the server it has started.
    process.kill(-(preview.pid ?? Number.NaN), 'SIGTERM');
    await once(preview, 'exit');
  }
});

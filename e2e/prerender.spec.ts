// A page that the browser loads before its user asks for it has no worker until it is shown. Nothing may be attached to
// this browser, or it loads nothing ahead: what happens in the page is told to its server.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright/test';
import { findBrowser, launchFlags } from '../scripts/browser.mjs';
import { root } from '../scripts/run.mjs';
import { serve } from './support/site.ts';
import { expect, test } from './support/test.ts';

/** Longer than a database may take to open. */
const AHEAD_MS = 17_000;

const FROM = `<!doctype html><script type="speculationrules">{ "prerender": [{ "urls": ["/ahead.html"], "eagerness": "immediate" }] }</script>
  <script>setTimeout(() => (location.href = '/ahead.html'), ${AHEAD_MS});</script>`;
const AHEAD = `<!doctype html><script type="module">
  import { open } from './vivarium.js';
  const tell = (what) => fetch('/told?' + encodeURIComponent(what));
  const begun = document.prerendering ? 'loaded ahead, ' : '';
  open().then((db) => db.query({ add: [1, 2] })).then((sum) => tell(begun + sum), ({ message }) => tell(begun + message));
</script>`;

test('open() waits until a page that was loaded ahead is shown', async () => {
  const site = await serve(join(root, 'dist'));
  const profile = await mkdtemp(join(tmpdir(), 'vivarium-e2e-'));
  let tell = (_what: string): void => undefined;
  const told = new Promise<string>((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', site.address);
    const page = { '/from.html': FROM, '/ahead.html': AHEAD, '/told': '' }[pathname];
    if (pathname === '/told') tell(decodeURIComponent(search.slice(1)));
    if (page !== undefined) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const file = await fetch(new URL(pathname, site.address));
    response.writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? 'text/plain' }).end(Buffer.from(await file.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const from = `http://localhost:${(server.address() as AddressInfo).port}/from.html`;
  const browser = spawn(findBrowser() ?? chromium.executablePath(), [...launchFlags, '--headless=new', `--user-data-dir=${profile}`, from], { detached: true, stdio: 'ignore' });
  try {
    // Without the first words the browser, short of memory perhaps, has loaded nothing ahead, and nothing was shown.
    expect(await told).toBe('loaded ahead, 3');
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
    server.close();
    server.closeAllConnections();
    await site.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

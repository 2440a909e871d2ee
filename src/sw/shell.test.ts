import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openShell } from './shell.ts';

const scope = new URL('https://app.example/base/');
const html = (init: ResponseInit = {}): Response => new Response('<!doctype html>', { ...init, headers: { 'content-type': 'text/html' } });
const fromHost = vi.fn<(request: Request) => Promise<Response>>();
const kept = new Map<string, Response>();
const cache = {
  put: async (address: string, response: Response) => void kept.set(address, response),
  match: async (address: string) => kept.get(address)?.clone(),
};
beforeEach(() => {
  kept.clear();
  fromHost.mockReset().mockImplementation(async ({ url }) => (url.endsWith('.html') ? html() : new Response('…')));
  vi.stubGlobal('caches', { open: async () => cache });
  vi.stubGlobal('fetch', fromHost);
});

/** Of one file the host has something else to say. */
const instead = (name: string, answer: () => Response): void => {
  const usual = fromHost.getMockImplementation();
  fromHost.mockImplementation(async (request) => (request.url.endsWith(name) ? answer() : (usual?.(request) ?? html())));
};
const missing = (name: string): void => instead(name, () => html({ status: 404 }));

const shell = openShell(scope, ['index.html', 'main.js', 'main.css', 'reference.html'], '1');
const keptNames = (): string[] => [...kept.keys()].map((address) => address.slice(scope.href.length)).sort();

/** As the browser asks; only what is looked at of a request. */
const asked = (path: string, mode: 'navigate' | 'cors'): Promise<Response> | null => {
  const url = new URL(path, scope);
  return shell.answer({ method: 'GET', mode, url: url.href } as Request, url);
};

it('installs every file', async () => {
  await shell.install();
  expect(keptNames()).toEqual(['index.html', 'main.css', 'main.js', 'reference.html']);
});

it.each([
  ['is missing', () => html({ status: 404 })],
  ['is answered with a page, as by hosts of applications with one page', () => html()],
  ['is empty, as in recordings of what a service worker fetched', () => new Response('')],
])('installs without a file that %s', async (_, answer) => {
  instead('main.css', answer);
  await shell.install();
  expect(keptNames()).toEqual(['index.html', 'main.js', 'reference.html']);
});

it('keeps a file that could not be had at install once it is asked for and can be', async () => {
  const text = async (): Promise<string | undefined> => (await asked('main.css', 'cors'))?.text();
  instead('main.css', () => html({ status: 404 }));
  await shell.install();
  // What its host says is what whoever asks is told, and is not kept.
  expect(await text()).toBe('<!doctype html>');
  expect(keptNames()).not.toContain('main.css');
  instead('main.css', () => new Response('a {}'));
  expect(await text()).toBe('a {}');
  fromHost.mockRejectedValue(new TypeError('offline'));
  expect(kept.get(`${scope.href}main.css`)?.bodyUsed).toBe(false);
  expect(await text()).toBe('a {}');
});

it('fetches a file once that there is no room to keep', async () => {
  instead('main.css', () => html({ status: 404 }));
  await shell.install();
  instead('main.css', () => new Response('a {}'));
  fromHost.mockClear();
  const full = vi.spyOn(cache, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  expect(await (await asked('main.css', 'cors'))?.text()).toBe('a {}');
  expect(full).toHaveBeenCalledOnce();
  expect(fromHost).toHaveBeenCalledOnce();
  await expect(shell.install()).rejects.toThrow('full');
  full.mockRestore();
});

describe('the script of a page’s worker', () => {
  const script = 'vivarium/worker-abcdefgh.js';
  const ofWorker = openShell(scope, [script], '1');
  const start = async (): Promise<Response | undefined> => {
    const url = new URL(script, scope);
    return (await ofWorker.answer({ method: 'GET', mode: 'same-origin', destination: 'worker', url: url.href } as Request, url)) ?? undefined;
  };
  const said = (text: string, headers: Readonly<Record<string, string>> = {}): Response => new Response(text, { headers: { 'content-type': 'text/javascript', ...headers } });
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  it('isolates, and has by the next time what its host says of it', async () => {
    instead(script, () => said('good'));
    await ofWorker.install();
    instead(script, () => said('good', { 'x-policy': 'new' }));
    const first = await start();
    expect([await first?.text(), first?.headers.get('cross-origin-embedder-policy'), first?.headers.get('x-policy')]).toEqual(['good', 'require-corp', null]);
    await settled();
    expect((await start())?.headers.get('x-policy')).toBe('new');
  });

  it.each([
    ['another text', () => said('{"error":"sign in"}')],
    ['an error', () => html({ status: 502 })],
    ['nothing', () => said('')],
  ])('stays as it is where a gateway answers with %s', async (_, answer) => {
    instead(script, () => said('good'));
    await ofWorker.install();
    instead(script, answer);
    await start();
    await settled();
    expect(await (await start())?.text()).toBe('good');
  });

  it('is waited for where it is not kept, however long the network takes', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    instead(script, () => said('good'));
    expect(await (await start())?.text()).toBe('good');
    expect(limit).not.toHaveBeenCalled();
    limit.mockRestore();
  });
});

it('does not install without the page', async () => {
  missing('index.html');
  await expect(shell.install()).rejects.toThrow('no https://app.example/base/index.html');
});

it('of a build that has no page, installs its files', async () => {
  await openShell(scope, ['main.js'], '1').install();
  expect(keptNames()).toEqual(['main.js']);
});

it('keeps a page that came by way of another address as one that did not: the browser would refuse it', async () => {
  instead('index.html', () => Object.defineProperty(html({ statusText: 'as it was' }), 'redirected', { value: true }));
  await shell.install();
  const page = kept.get(`${scope.href}index.html`);
  expect(page?.redirected).toBe(false);
  expect([page?.statusText, page?.headers.get('content-type'), await page?.text()]).toEqual(['as it was', 'text/html', '<!doctype html>']);
});

describe('while another build is being uploaded', () => {
  const [PART, OTHER] = ['vivarium/page-AAAA_AA1.js', 'vivarium/page-BBBB-BB2.js'];
  const site = openShell(scope, ['index.html', 'vivarium.js', PART, 'assets/index-CCCCCCC3.js'], '1');
  const vivarium = (part: string) => () => new Response(`export{open}from"./${part}";`);
  const ask = (path: string): Promise<Response> | null => site.answer({ method: 'GET', mode: 'cors', url: new URL(path, scope).href } as Request, new URL(path, scope));

  it('a script that names files of another one is not kept, and is once it is that of this one', async () => {
    instead('vivarium.js', vivarium(OTHER));
    await site.install();
    expect(keptNames()).toEqual(['assets/index-CCCCCCC3.js', 'index.html', PART]);
    expect(await (await ask('vivarium.js'))?.text()).toContain(OTHER);
    expect(keptNames()).not.toContain('vivarium.js');
    instead('vivarium.js', vivarium(PART));
    expect(await (await ask('vivarium.js'))?.text()).toContain(PART);
    expect(keptNames()).toContain('vivarium.js');
  });

  it('a page that does keeps it from being installed, whatever its host has added is no matter', async () => {
    const page = (name: string) => () => new Response(`<script src="./assets/${name}.js"></script><script src="https://cdn.example/assets/a-DDDDDDD4.js"></script><script src="/others/assets/a-DDDDDDD4.js"></script>`, { headers: { 'content-type': 'text/html' } });
    instead('index.html', page('index-DDDDDDD4'));
    await expect(site.install()).rejects.toThrow('index.html is of another build');
    instead('index.html', page('index-CCCCCCC3'));
    await site.install();
    expect(keptNames()).toContain('index.html');
  });

  it('files of a later one are found offline where its service worker has kept them, and are else not ours', async () => {
    const match = vi.fn(async (url: string) => (url === scope.href + OTHER ? new Response('kept by the later one') : undefined));
    vi.stubGlobal('caches', { open: async () => cache, match });
    expect(await (await ask(OTHER))?.text()).toBe('…');
    fromHost.mockRejectedValue(new TypeError('offline'));
    expect(await (await ask(OTHER))?.text()).toBe('kept by the later one');
    expect((await ask('assets/none-EEEEEEE5.js'))?.type).toBe('error');
    expect(ask('others/none-EEEEEEE5.js')).toBeNull();
    const ofApplication = openShell(scope, ['vivarium.js'], '1');
    expect(ofApplication.answer({ method: 'GET', mode: 'cors', url: scope.href + OTHER } as Request, new URL(OTHER, scope))).toBeNull();
  });
});

it('gives the kept page where a server behind another one does not answer, and what its host says else', async () => {
  await shell.install();
  instead('index.html', () => new Response('bad gateway', { status: 502 }));
  expect(await (await asked('index.html', 'navigate'))?.text()).toBe('<!doctype html>');
  instead('index.html', () => new Response('gone', { status: 410 }));
  expect(await (await asked('index.html', 'navigate'))?.text()).toBe('gone');
});

it.each(['', 'index.html', 'index', 'reference.html', 'reference', 'reference?a=1'])('answers for the page /base/%s', async (path) => {
  await shell.install();
  fromHost.mockRejectedValue(new TypeError('offline'));
  expect(await (await asked(path, 'navigate'))?.text()).toBe('<!doctype html>');
});

it.each(['main.js', 'other', 'other.html', 'reference/', '../'])('leaves the page /base/%s alone', (path) => {
  expect(asked(path, 'navigate')).toBeNull();
});

it('of an application, leaves every page and every file but its own alone', () => {
  const own = openShell(scope, ['vivarium.js'], '1');
  const ask = (path: string, mode: 'navigate' | 'cors'): unknown => own.answer({ method: 'GET', mode, url: new URL(path, scope).href } as Request, new URL(path, scope));
  for (const page of ['', 'index.html', 'todos/5']) expect(ask(page, 'navigate')).toBeNull();
  for (const file of ['index.html', 'app.js', 'manifest.webmanifest', 'vivarium.js?v=2']) expect(ask(file, 'cors')).toBeNull();
  expect(ask('vivarium.js', 'cors')).not.toBeNull();
});

const NAME = 'sw-engine.js?v=1';
const sealed = { address: scope.href + NAME, hash: createHash('sha256').update('engine').digest('base64') };

it('keeps one more file for itself', async () => {
  instead(NAME, () => new Response('engine'));
  expect(await shell.keep(sealed, () => true)).toBe(true);
  expect(asked(NAME, 'cors')).toBeNull();
  fromHost.mockRejectedValue(new TypeError('offline'));
  expect(await shell.text(sealed)).toBe('engine');
  expect(await shell.text(sealed)).toBe('engine');
});

it('does not keep it where what its host says of it is against that', async () => {
  instead(NAME, () => new Response('engine', { headers: { 'content-security-policy': `default-src 'self'` } }));
  expect(await shell.keep(sealed, (headers) => headers.get('content-security-policy') === null)).toBe(false);
  expect(keptNames()).toEqual([]);
});

it.each([
  ['there is none', () => html({ status: 404 }), `no ${sealed.address}`],
  ['there is another one', () => new Response('engine, changed'), `${sealed.address} is not that of this build`],
])('does not keep it where %s', async (_, answer, message) => {
  instead(NAME, answer);
  await expect(shell.keep(sealed, () => true)).rejects.toThrow(message);
  expect(keptNames()).toEqual([]);
});

it.each([
  ['was thrown away', () => undefined],
  ['was replaced', () => void kept.set(sealed.address, new Response('engine of somebody else'))],
])('fetches it again where it %s, and keeps it', async (_, happen) => {
  happen();
  instead(NAME, () => new Response('engine'));
  expect(await shell.text(sealed)).toBe('engine');
  fromHost.mockRejectedValue(new TypeError('offline'));
  expect(await shell.text(sealed)).toBe('engine');
});

it('fetches it where nothing can be kept', async () => {
  vi.stubGlobal('caches', { open: async () => Promise.reject(new DOMException('refused by the test', 'SecurityError')) });
  instead(NAME, () => new Response('engine'));
  expect(await shell.text(sealed)).toBe('engine');
});

it('gives nothing else for it, wherever that comes from', async () => {
  kept.set(sealed.address, new Response('engine of somebody else'));
  instead(NAME, () => new Response('engine of a later build'));
  await expect(shell.text(sealed)).rejects.toThrow('is not that of this build');
});

it('what was kept and cannot be read comes from the network', async () => {
  await shell.install();
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('damaged', 'UnknownError')) });
  expect(await (await asked('', 'navigate'))?.text()).toBe('…');
  expect(await (await asked('main.css', 'cors'))?.text()).toBe('…');
});

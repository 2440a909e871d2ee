// The package as an application gets it: packed, installed, its files put in place by its command, compiled, built
// and served by a bundler that knows nothing of it.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { createServer } from 'vite';
import { root } from '../scripts/run.mjs';
import { controlled } from './support/page.ts';
import { serve } from './support/site.ts';
import { expect, test } from './support/test.ts';

test.describe.configure({ mode: 'serial' });

const execute = promisify(execFile);

/** Folder of an application with nothing but the package installed. */
let app = '';
const run = async (program: string, ...args: readonly string[]): Promise<string> => (await execute(program, args, { cwd: app })).stdout;
const runTool = (file: string, ...args: readonly string[]): Promise<string> => run(process.execPath, join(root, 'node_modules', file), ...args);
const init = (): Promise<string> => run('npx', '--no', 'vivarium', 'init', 'public');

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(app, name)), { recursive: true });
    await writeFile(join(app, name), text);
  }
}

/** As the README says. */
const POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'";
const page = (deploy: string): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${deploy}</title><script type="module" src="/src/main.ts"></script>`;

/** Says in the page what has come of it. Options stand in the address. */
const MAIN = `
  import { open, VivariumError, type Status, type Vivarium } from 'vivarium';
  const say = (text: string): void => void (document.body.dataset['said'] = text);
  try {
    const database: Vivarium = await open(JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}'));
    const sum: unknown = await database.query({ add: [1, 2] });
    const refused: unknown = await database.query({ get: 1 }).catch((error: unknown) => error);
    const { base }: Status = await database.status();
    say(JSON.stringify([sum, base, refused instanceof VivariumError && refused.status]));
  } catch (error) {
    say(error instanceof VivariumError ? error.message : String(error));
  }`;

/** Types of the modules for pages without a bundler. */
const DIRECT = `
  import { open, type VivariumOptions } from 'vivarium/dist/vivarium.js';
  import { CopyError, exportStores } from 'vivarium/dist/raw-copy.js';
  const options: VivariumOptions = { durability: 'relaxed' };
  export const file: Promise<ReadableStream<Uint8Array>> = open(options).then((database) => database.export());
  interface Title { readonly title: string }
  export const find = async (title: Title): Promise<unknown> => (await open()).graphql({ query: 'query($title: String!) { todo(title: $title) { _id } }', variables: title });
  export const copy: ReadableStream<Uint8Array> = exportStores({ name: 'x' });
  export const isCopyError = (error: unknown): boolean => error instanceof CopyError && error.code === 'no database';`;

/** Without a bundler, and not beside the file it imports. */
const PLAIN = `<!doctype html><title>plain</title><body><script type="module">
  import { open } from '../vivarium.js';
  const database = await open();
  document.body.dataset.said = JSON.stringify([await database.query({ add: [1, 2] }), (await database.status()).base]);
</script>`;

const settings = (module: string, moduleResolution: string): string =>
  JSON.stringify({ compilerOptions: { strict: true, noEmit: true, target: 'es2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [], module, moduleResolution }, include: ['src'] });

const optionsIn = (options: Readonly<Record<string, string>>): string => `#${encodeURIComponent(JSON.stringify(options))}`;

const said = (of: Page, text: string): Promise<void> => expect(of.locator('body')).toHaveAttribute('data-said', text);

test.beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'vivarium-app-'));
  await write({
    'package.json': '{ "private": true, "type": "module" }',
    'index.html': page('first'),
    'src/main.ts': MAIN,
    'src/direct.ts': DIRECT,
    'tsconfig.json': settings('esnext', 'bundler'),
    'tsconfig.node16.json': settings('node16', 'node16'),
    'public/robots.txt': 'mine',
    'public/deep/plain.html': PLAIN,
  });
  // What there is was built before the tests.
  await run('npm', 'pack', root, '--ignore-scripts', '--silent');
  await run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', './vivarium-0.1.0.tgz');
});
test.afterAll(() => rm(app, { recursive: true, force: true }));

test('without its files the error names the address, and what to do', async ({ page }) => {
  const server = await createServer({ root: app, configFile: false, logLevel: 'silent', server: { port: 0 } });
  try {
    await server.listen();
    const address = server.resolvedUrls?.local[0] ?? '';
    await page.goto(address);
    await expect(page.locator('body')).toHaveAttribute('data-said', new RegExp(`^unavailable: ${address}vivarium\\.js could not be loaded: an HTML page is there instead; .*npx --no vivarium init`));

    expect(await init()).toMatch(/^Vivarium .* \(\d+ written\)/);
    expect(await readFile(join(app, 'public/robots.txt'), 'utf8')).toBe('mine');
    const notices = await readFile(join(app, 'public/vivarium/licenses.txt'), 'utf8');
    for (const words of ['vivarium 0.1.0 (Apache-2.0)', 'GraphQL Contributors', 'Jake Archibald', 'comlink ']) expect(notices).toContain(words);
    expect(await readFile(join(root, 'dist/licenses.txt'), 'utf8')).toMatch(/faunadb .*\(MPL-2\.0\), https:.*Mozilla Public License/s);
    // While it is developed, too.
    await page.goto(address);
    await said(page, '[3,"/",400]');
  } finally {
    await server.close();
  }
});

test('there is nothing in it but what a page needs and what an application imports, and it compiles, in both ways to look for modules', async () => {
  expect((await readdir(join(app, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['vivarium']);
  const inside = join(app, 'node_modules/vivarium');
  expect((await readdir(inside)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'scripts']);
  const types = ['load.d.ts', 'raw-copy.d.ts', 'vivarium.d.ts'];
  expect((await readdir(join(inside, 'dist'))).sort()).toEqual([...types, 'load.js', 'raw-copy.js', 'sw-engine.js', 'sw.js', 'vivarium', 'vivarium.js'].sort());
  await init();
  for (const project of ['tsconfig.json', 'tsconfig.node16.json']) await runTool('typescript/bin/tsc', '--project', project);
});

test('what does not know of `exports`, as Parcel by default, finds the same', async () => {
  const { main, types, exports } = JSON.parse(await readFile(join(app, 'node_modules/vivarium/package.json'), 'utf8')) as { main: string; types: string; exports: Record<string, unknown> };
  expect({ types, default: main }).toEqual(exports['.']);
});

test('built and served, it is there; its files are kept, and the application’s pages and files are left alone', async ({ page: tab }) => {
  const build = (): Promise<string> => runTool('vite/bin/vite.js', 'build', '--logLevel', 'warn');
  await init();
  await build();
  const site = await serve(join(app, 'dist'));
  await tab.goto(site.address);
  await said(tab, '[3,"/",400]');
  await controlled(tab);

  await write({ 'index.html': page('second') });
  await build();
  await tab.reload();
  await expect(tab).toHaveTitle('second');
  await said(tab, '[3,"/",400]');

  for (const name of ['vivarium.js', 'vivarium']) await rm(join(app, 'dist', name), { recursive: true });
  await tab.reload();
  await said(tab, '[3,"/",400]');
  // Without a window there is no page to tell of an error in the place of an empty one.
  const gone = await tab.goto(`${site.address}todos/5`).then((response) => response?.status(), String);
  expect(String(gone)).toMatch(/^404$|ERR_HTTP_RESPONSE_CODE_FAILURE/);

  await site.stop();
  await expect(tab.goto(site.address)).rejects.toThrow('ERR_CONNECTION_REFUSED');
});

test('below a path it is found by the application’s own base', async ({ page: tab }) => {
  await init();
  await runTool('vite/bin/vite.js', 'build', '--logLevel', 'warn', '--base', '/app/', '--outDir', 'below');
  const site = await serve(join(app, 'below'), { base: '/app/' });
  await tab.goto(site.address);
  await said(tab, '[3,"/app/",400]');
  await tab.goto(`${site.address}?${optionsIn({ base: '/app/db/', script: '/app/vivarium.js' })}`);
  await said(tab, '[3,"/app/db/",400]');
  await tab.goto(`${site.address}deep/plain.html`);
  await said(tab, '[3,"/app/"]');
  await site.stop();
});

/** The README's, as an application would take it from there. */
async function ownServiceWorker(): Promise<string> {
  const [, script] = /```js\n(\/\/ my-sw\.js.*?)```/s.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
  if (script === undefined) throw new Error('the README has no such service worker');
  return script;
}

test('a service worker of the application’s own takes it in, and keeps the pages', async ({ page: tab }) => {
  await write({ 'public/my-sw.js': await ownServiceWorker() });
  await init();
  await runTool('vite/bin/vite.js', 'build', '--logLevel', 'warn');
  const site = await serve(join(app, 'dist'));
  const address = site.address + optionsIn({ serviceWorker: 'my-sw.js' });
  await tab.goto(address);
  await said(tab, '[3,"/",400]');
  await controlled(tab);
  // The first load was not its own.
  await tab.reload();
  await said(tab, '[3,"/",400]');
  await site.stop();
  await tab.reload();
  await said(tab, '[3,"/",400]');
  const post = (): Promise<string> => fetch('/', { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{"add":[1,2]}' }).then((response) => response.text());
  expect(await tab.evaluate(post)).toBe('{"resource":3}');
  expect(await tab.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toContain('/my-sw.js?');
});

test('the same answers for what the page is made of, and leaves its own calls and parts of films to the network', async () => {
  type Asked = { readonly request: { readonly destination: string; readonly headers: Headers }; respondWith(answer: Promise<unknown>): void };
  let onFetch = (_event: Asked): void => undefined;
  const script = new Function('importScripts', 'addEventListener', 'caches', await ownServiceWorker());
  script(() => undefined, (_type: string, listener: (event: Asked) => void) => (onFetch = listener), { open: () => new Promise(() => undefined) });
  const isAnswered = (destination: string, headers: Record<string, string> = {}): boolean => {
    let answered = false;
    onFetch({ request: { destination, headers: new Headers(headers) }, respondWith: () => (answered = true) });
    return answered;
  };
  expect(['document', 'script', 'image', 'video'].map((kind) => isAnswered(kind))).toEqual([true, true, true, true]);
  expect([isAnswered(''), isAnswered('video', { range: 'bytes=0-' })]).toEqual([false, false]);
});

import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { open, VivariumError } from './load.ts';

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'https://app.example/todos/list?a=1' });
  vi.stubGlobal('Worker', class {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** As address, a module whose `open()` does this; it has an error class of its own, as `vivarium.js` has. */
const moduleThat = (does: string): string =>
  `data:text/javascript,${encodeURIComponent(`export class VivariumError extends Error { name = 'VivariumError' } export const open = async (options) => { ${does} };`)}`;
const given = moduleThat('return options');
const failure = (options: Parameters<typeof open>[0]): Promise<unknown> => open(options).catch((error: unknown) => error);

it('importing it does nothing, so it may be imported where there is no browser', async () => {
  vi.resetModules();
  const before = Object.keys(globalThis);
  await import('./load.ts');
  expect(Object.keys(globalThis)).toEqual(before);
});

it('open() without a page is a clear error', async () => {
  vi.unstubAllGlobals();
  expect(await failure({})).toMatchObject({ status: 503, message: 'unavailable: open() needs a document.' });
});

it('open() in a page that is none of a browser says so', async () => {
  vi.stubGlobal('Worker', undefined);
  expect(await failure({})).toMatchObject({ status: 503, message: 'unavailable: open() needs a page in a browser: there are no workers here, as in jsdom and happy-dom.' });
});

it('an empty file is told from one that holds a database', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { headers: { 'content-type': 'text/javascript' } }));
  expect(await failure({ script: 'data:text/javascript,' })).toMatchObject({ status: 503, message: expect.stringContaining('could not be loaded: an empty file or another one is there; put') as string });
});

it.each([
  [{}, {}],
  [{ name: 'notes', rest: true }, { name: 'notes', rest: true }],
  [{ base: '/db' }, { base: '/db/' }],
  // From the application's base, and not from the document's folder.
  [{ base: 'db' }, { base: '/app/db/' }],
  [{ base: '' }, { base: '/app/' }],
])('what is loaded is given %j as %j', async (options, expected) => {
  vi.stubEnv('BASE_URL', '/app/');
  expect(await open({ ...options, script: given })).toEqual(expected);
});

it.each(['/app', '/app/', '/app/_nuxt/'])('%s, which a tool says, is the application’s base', async (said) => {
  vi.stubEnv('BASE_URL', said);
  expect(await open({ base: 'db', script: given })).toEqual({ base: '/app/db/' });
});

it.each(['', './'])('where a tool says nothing of a base (%j), it is the folder of the document', async (said) => {
  vi.stubEnv('BASE_URL', said);
  for (const folder of ['/todos/', '/todos/_nuxt/']) {
    vi.stubGlobal('document', { baseURI: `https://app.example${folder}list` });
    expect(await open({ base: 'db', script: given })).toEqual({ base: `${folder}db/` });
  }
});

it.each<unknown>(['https://other.example/app', '//other.example/app', 'https://', 'data:x', null, 7])('base %s is refused by its name, and nothing is loaded', async (base) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  for (const options of [{}, { script: given }]) {
    expect(await failure({ ...options, base: base as string })).toEqual(new TypeError('open(): base must be a path on this origin.'));
  }
});

it.each<[unknown, string]>([
  [null, 'options must be an object.'],
  ['x', 'options must be an object.'],
  [{ durabilty: 'relaxed' }, 'there is no option durabilty.'],
  [{ constructor: 1 }, 'there is no option constructor.'],
  [{ script: 5 }, 'script must be an address.'],
  [{ script: null }, 'script must be an address.'],
  [{ script: 'http://[' }, 'script must be an address.'],
])('%j is refused with what is wrong in it, and nothing is loaded', async (options, wrong) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await failure(options as object)).toEqual(new TypeError(`open(): ${wrong}`));
});

it('may be called by an event, and with options that are undefined', async () => {
  await open({ script: new URL(given) });
  expect(await open({ name: 'notes', script: { toJSON: () => given } as unknown as URL })).toEqual({ name: 'notes' });
  for (const event of [new Event('load'), { _reactName: 'onClick', preventDefault() {} }]) expect(await open(event as object)).toEqual({});
  expect(await open({ name: undefined, script: undefined })).toEqual({ name: undefined });
});

it('without an address it is the one found before, wherever the page has gone meanwhile', async () => {
  await open({ script: given });
  vi.stubGlobal('document', { baseURI: 'https://app.example/elsewhere/' });
  expect(await open({ name: 'notes' })).toEqual({ name: 'notes' });
});

it.each([
  ['says where the application lies', {}, 'https://app.example/app/vivarium.js'],
  ['is webpack, which says where its scripts lie', { 'import.meta.webpack': '5' }, 'https://app.example/todos/vivarium.js'],
])('where the bundler %s', async (_, define, address) => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  const lib = { entry: fileURLToPath(new URL('load.ts', import.meta.url)), formats: ['es' as const] };
  const [output] = [await build({ configFile: false, logLevel: 'error', base: '/app/', define, build: { write: false, lib } })].flat();
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  const built = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(output.output[0].code)}`)) as { open: typeof open };
  await expect(built.open()).rejects.toThrow(`${address} could not be loaded: the answer is 404`);
});

it('errors of what is loaded are errors of this module, too', async () => {
  const error = await failure({ script: moduleThat("throw new VivariumError('from there')") });
  expect(error).toBeInstanceOf(VivariumError);
  expect(error).toMatchObject({ message: 'from there' });
});

it('where one is missing that it imports, it says what to do, too', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { headers: { 'content-type': 'text/javascript' } }));
  const script = `data:text/javascript,${encodeURIComponent("import 'data:text/javascript,missing'")}`;
  expect(await failure({ script })).toMatchObject({ status: 503, message: expect.stringMatching(/could not be loaded: .*missing.*; put Vivarium’s files there/) as string });
});

it.each([
  ['there is nothing', async () => new Response('', { status: 404 }), 'the answer is 404; put'],
  ['there is a page', async () => new Response('', { headers: { 'content-type': 'text/html; charset=utf-8' } }), 'an HTML page is there instead; put'],
  ['nobody answers', async () => Promise.reject(new TypeError('offline')), 'it cannot be reached.'],
])('where %s it says so, and names the address', async (_, fetch, reason) => {
  vi.stubGlobal('fetch', fetch);
  expect(await failure({ base: '/app/' })).toMatchObject({
    status: 503,
    message: expect.stringContaining(`unavailable: https://app.example/app/vivarium.js could not be loaded: ${reason}`) as string,
  });
});

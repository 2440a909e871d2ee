import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkOptions, otherIn, resolveOptions } from './options.ts';

beforeEach(() => void vi.stubGlobal('document', { baseURI: 'http://localhost:8080/app/page.html' }));
afterEach(() => void vi.unstubAllGlobals());

it.each<object>([
  {},
  { name: undefined, durability: undefined },
  { name: 'mine', secret: 'sesame', durability: 'relaxed', cacheBytes: 0, rest: true, persist: false },
  { name: '\u2028', secret: '\\"', base: '/\u2028' },
  Object.assign(Object.create(null) as object, { rest: true }),
  { base: '' },
  { base: 'db' },
  { base: '/db:1/' },
  { aliases: [] },
  { aliases: ['db.test', 'db.test:8443', '*.test', '[::1]:8443'] },
  { serviceWorker: false },
  { serviceWorker: 'own.js' },
  { serviceWorker: new URL('http://localhost:8080/own.js') },
  // It may be called by an event.
  new Event('load'),
])('%o is taken', (options) => {
  expect(() => checkOptions(options)).not.toThrow();
  expect(() => resolveOptions(options)).not.toThrow();
});

it.each<unknown>([null, 'vivarium', 7])('%s is no object', (options) => {
  expect(() => checkOptions(options as object)).toThrow(new TypeError('open(): options must be an object.'));
});

it.each<[string, readonly unknown[], string]>([
  ['name', ['', null, 5], 'a non-empty text'],
  ['secret', ['', null, 123, () => 'secret', 'open sesame', '\tx', 'a\n', '\u00a0x', 'a:b', 'a:'], 'a text without spaces and colons'],
  ['base', ['http://x.y/z', '//x.y/z', 'data:x', null, 7, new URL('http://localhost:8080/')], 'a path on this origin'],
  ['aliases', ['host', null, ['https://api.test'], ['api.test/v1'], ['a,b'], ['*'], ['*.'], [''], ['a\\b'], [1]], 'a list of name, name:port or *.name'],
  ['durability', ['fast', null, '', true, 'toString'], "'strict' or 'relaxed'"],
  ['cacheBytes', [-1, 0.5, NaN, Infinity, '64', null, 1e21], 'a number of bytes'],
  ['serviceWorker', ['', null, true, {}], 'an address or false'],
  ['rest', [1, 'yes', null], 'true or false'],
  ['persist', [1, 'yes', null], 'true or false'],
])('%s is refused where it is none', (name, values, must) => {
  for (const value of values) expect(() => checkOptions({ [name]: value })).toThrow(new TypeError(`open(): ${name} must be ${must}.`));
});

it('hosts are the same in capitals', () => {
  expect(resolveOptions({ aliases: ['*.Example.COM'] }).aliases).toEqual(['*.example.com']);
});

const { base, aliases } = resolveOptions({});

it.each<[object, object]>([
  [{ secret: 'sesame' }, {}],
  [{ secret: 'sesame' }, { secret: 'sesame', durability: undefined }],
  [{}, { name: 'vivarium', base, aliases, rest: false, persist: false, serviceWorker: 'sw.js' }],
  [{ name: 'mine', rest: true }, { name: undefined, serviceWorker: 'sw.js', persist: false }],
  [{ base: '/db' }, { base: '/db/' }],
  [{ aliases: ['Db.test'] }, { aliases: ['db.test'] }],
  [{ serviceWorker: 'http://localhost:8080/own.js' }, { serviceWorker: new URL('http://localhost:8080/own.js') }],
  // Called by an event.
  [{}, new Event('click')],
])('what was opened with %j has no other option than %j', (before, options) => {
  expect(otherIn(options, before)).toBeUndefined();
});

it.each<[object, object, string]>([
  [{ name: 'mine' }, { name: 'vivarium' }, 'name'],
  [{}, { name: 'vivarium', base: '/db/' }, 'base'],
  [{ base: '/db/' }, { base }, 'base'],
  [{}, { aliases: [] }, 'aliases'],
  [{ persist: true }, { persist: false }, 'persist'],
  [{}, { rest: true }, 'rest'],
  [{ serviceWorker: false }, { serviceWorker: 'sw.js' }, 'serviceWorker'],
  // What they are by default, only the database knows.
  [{}, { durability: 'strict' }, 'durability'],
  [{}, { secret: 'secret' }, 'secret'],
  [{ cacheBytes: 1e6 }, { cacheBytes: 2e6 }, 'cacheBytes'],
])('what was opened with %j has another option than %j', (before, options, other) => {
  expect(otherIn(options, before)).toBe(other);
});

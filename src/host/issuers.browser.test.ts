import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import signatures from '../testing/signatures.json';
import { keySet, verify } from './issuers.ts';

const ADDRESS = 'https://issuer.example/.well-known/jwks.json';
const answers = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));

beforeEach(() => caches.delete('vivarium-issuers'));
afterEach(() => vi.unstubAllGlobals());

it('fetches keys, and keeps them as they were fetched last', async () => {
  answers(() => Promise.resolve(Response.json({ keys: [1] })));
  expect(await keySet(ADDRESS, true)).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
  expect(await keySet(ADDRESS, false)).toEqual([1]);
  expect(vi.mocked(fetch).mock.calls[0]).toMatchObject([ADDRESS, { credentials: 'omit', redirect: 'error' }]);
  answers(() => Promise.reject(new TypeError('offline')));
  expect(await keySet(ADDRESS, true)).toEqual([1]);
  expect(await keySet(ADDRESS, false)).toBeNull();
  answers(() => Promise.resolve(Response.json({ keys: [2] })));
  expect(await keySet(ADDRESS, false)).toEqual([2]);
  expect(await keySet(ADDRESS, true)).toEqual([2]);
});

it.each([
  ['another status', () => Response.json({ keys: [] }, { status: 404 })],
  ['what is no JSON', () => new Response('<html>')],
  ['what is no key set', () => Response.json({ error: 'rate limited' })],
  ['keys that are no list', () => Response.json({ keys: {} })],
])('keeps nothing of %s', async (_, answer) => {
  answers(() => Promise.resolve(Response.json({ keys: [1] })));
  expect(await keySet(ADDRESS, false)).toEqual([1]);
  answers(() => Promise.resolve(answer()));
  expect(await keySet(ADDRESS, false)).toBeNull();
  expect(await keySet(ADDRESS, true)).toEqual([1]);
});

it('gives up after a while', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
  expect(await keySet(`${location.origin}/never`, false)).toBeNull();
  expect(timeout).toHaveBeenCalledWith(3000);
  timeout.mockRestore();
});

it('does without a place to keep things', async () => {
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('insecure', 'SecurityError')) });
  answers(() => Promise.resolve(Response.json({ keys: [1] })));
  expect(await keySet(ADDRESS, true)).toBeNull();
  expect(await keySet(ADDRESS, false)).toEqual([1]);
});

/** Made by Node's WebCrypto: of `what was said`, a pair of keys for each algorithm. */
const family = (algorithm: string): string => algorithm.slice(0, 2);
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

it.each(signatures)('checks signatures of $algorithm', async ({ algorithm, key, signature: base64 }) => {
  const data = new TextEncoder().encode('what was said');
  const signature = bytesOf(base64);
  expect(await verify(algorithm, { ...key, use: 'enc', alg: 'other', key_ops: ['sign'] }, signature, data)).toBe(true);
  expect(await verify(algorithm, key, signature, data.slice(1))).toBe(false);
  expect(await verify(algorithm, key, new Uint8Array(), data)).toBe(false);
  for (const other of signatures.filter((one) => one.algorithm !== algorithm)) {
    expect(await verify(algorithm, other.key, signature, data)).toBe(false);
    expect(await verify(other.algorithm, key, signature, data)).toBe(false);
    if (family(other.algorithm) === family(algorithm)) expect(await verify(algorithm, key, bytesOf(other.signature), data)).toBe(false);
  }
  for (const unknown of ['HS256', 'none', 'toString', '']) expect(await verify(unknown, key, signature, data)).toBe(false);
  for (const none of [{}, { kty: 'oct', k: 'AAAA' }, { kty: 1 }]) expect(await verify(algorithm, none, signature, data)).toBe(false);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Algorithm, signingKey } from '../testing/issuer.ts';
import { fetchJson, verify } from './issuers.ts';

const ADDRESS = 'https://issuer.example/.well-known/jwks.json';
const answers = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));

beforeEach(() => caches.delete('vivarium-issuers'));
afterEach(() => vi.unstubAllGlobals());

it('fetches JSON, and keeps it as it was fetched last', async () => {
  answers(() => Promise.resolve(Response.json({ keys: [1] })));
  expect(await fetchJson(ADDRESS, true)).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
  expect(await fetchJson(ADDRESS, false)).toEqual({ keys: [1] });
  expect(vi.mocked(fetch).mock.calls[0]).toMatchObject([ADDRESS, { credentials: 'omit' }]);
  answers(() => Promise.reject(new TypeError('offline')));
  expect(await fetchJson(ADDRESS, true)).toEqual({ keys: [1] });
  await expect(fetchJson(ADDRESS, false)).rejects.toThrow('offline');
  answers(() => Promise.resolve(Response.json({ keys: [2] })));
  expect(await fetchJson(ADDRESS, false)).toEqual({ keys: [2] });
  expect(await fetchJson(ADDRESS, true)).toEqual({ keys: [2] });
});

it.each([
  ['another status', () => Response.json({ keys: [] }, { status: 404 })],
  ['what is no JSON', () => new Response('<html>')],
])('keeps nothing of %s', async (_, answer) => {
  answers(() => Promise.resolve(answer()));
  await expect(fetchJson(ADDRESS, false)).rejects.toThrow();
  expect(await fetchJson(ADDRESS, true)).toBeNull();
});

it('gives up after a while', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')));
  await expect(fetchJson(`${location.origin}/never`, false)).rejects.toThrow('late');
  expect(timeout).toHaveBeenCalledWith(5000);
  timeout.mockRestore();
});

it('does without a place to keep things', async () => {
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('insecure', 'SecurityError')) });
  answers(() => Promise.resolve(Response.json({ keys: [1] })));
  expect(await fetchJson(ADDRESS, true)).toBeNull();
  expect(await fetchJson(ADDRESS, false)).toEqual({ keys: [1] });
});

it.each<Algorithm>(['RS256', 'RS384', 'RS512', 'ES256', 'ES384'])('checks signatures of %s', async (algorithm) => {
  const [key, other] = await Promise.all([signingKey('a', algorithm), signingKey('b', algorithm)]);
  const data = new TextEncoder().encode('what was said');
  const signature = await key.sign(algorithm, data);
  expect(await verify(algorithm, { ...key.published, use: 'enc', alg: 'other', key_ops: ['sign'] }, signature, data)).toBe(true);
  expect(await verify(algorithm, other.published, signature, data)).toBe(false);
  expect(await verify(algorithm, key.published, signature, data.slice(1))).toBe(false);
  expect(await verify(algorithm, key.published, new Uint8Array(), data)).toBe(false);
  for (const wrong of ['HS256', 'none', 'toString', algorithm.startsWith('RS') ? 'ES256' : 'RS256']) expect(await verify(wrong, key.published, signature, data)).toBe(false);
  for (const wrong of [{}, { kty: 'oct', k: 'AAAA' }, { kty: 1 }]) expect(await verify(algorithm, wrong, signature, data)).toBe(false);
});

import { expect, it, vi } from 'vitest';
import signatures from '../testing/signatures.json';
import { verify } from './issuers.ts';

/** As Java writes a number: with a byte for its sign. */
const signed = (base64: string): string => Buffer.concat([Buffer.of(0), Buffer.from(base64, 'base64url')]).toString('base64url');

it.each(signatures)('imports the numbers of an RSA key without zeros before them, and others as they are: $algorithm', async ({ algorithm, key, signature }) => {
  const { n, e } = key;
  const published = n === undefined ? key : { ...key, n: signed(n), e: signed(e) };
  const imported = vi.spyOn(crypto.subtle, 'importKey');
  const data = new TextEncoder().encode('what was said');
  expect(await verify(algorithm, published, new Uint8Array(Buffer.from(signature, 'base64url')), data)).toBe(true);
  expect(imported.mock.lastCall?.[1]).toMatchObject(key);
  imported.mockRestore();
});

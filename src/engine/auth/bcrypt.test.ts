import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { toBase64 } from '../base/bytes.ts';
import * as bcrypt from './bcrypt.ts';

const isBcryptOf = (text: string, hash: string): boolean => bcrypt.isBcryptOf(new TextEncoder().encode(text), hash);

describe('a hash of bcrypt', () => {
  it.each([4, 5, 6])('is told from others, as by a library, at a cost of %i', (cost) => {
    for (const text of ['', 'sesame', 'pässwörd ⚡', 'x'.repeat(71), 'x'.repeat(72), 'y'.repeat(100)]) {
      const hash = hashSync(text, cost);
      for (const version of ['a', 'b', 'y']) expect(isBcryptOf(text, hash.replace('$2b', `$2${version}`))).toBe(true);
      expect(isBcryptOf(`-${text}`, hash)).toBe(false);
      expect(isBcryptOf(text, hash.replace(/.$/, (last) => (last === 'e' ? 'u' : 'e')))).toBe(false);
    }
  });

  // By OpenBSD's implementation, as bcryptjs and jBCrypt have them among their tests.
  it.each([
    ['a', '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'],
    ['~!@#$%^&*()      ~!@#$%^&*()PNBFRD', '$2a$12$WApznUOJfkEGSmYRfnkrPOr466oFDCaj4b6HY3EXGvfxm43seyhgC'],
  ])('of %j is known', (text, hash) => {
    expect(isBcryptOf(text, hash)).toBe(true);
  });

  it.each(['', '$2a$', 'sesame', '$2x$05$NJdgnrZ23b8BuQrGpboXz.gEQq4caZq48APR.w3hK5P/xSk81lKj6', '$2a$31$NJdgnrZ23b8BuQrGpboXz.gEQq4caZq48APR.w3hK5P/xSk81lKj6', `$2a$05$${'!'.repeat(53)}`])('that is none is that of nothing: %s', (hash) => {
    for (const text of ['', 'sesame', '$2a$']) expect(isBcryptOf(text, hash)).toBe(false);
  });

  it('of a secret is that of its random part, or of the whole', () => {
    const random = new Uint8Array(20).fill(7);
    const secret = toBase64(Uint8Array.of(0x7e, 0x70, 1, 2, 3, 4, 5, 6, 7, 8, ...random), 'url');
    for (const [part, is] of [[toBase64(random, 'url'), true], [secret, true], [secret.slice(1), false]] as const) {
      expect(bcrypt.isBcryptOfSecret(secret, hashSync(part, 4))).toBe(is);
    }
  });
});

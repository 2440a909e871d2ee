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

  const SESAME = '$2a$05$NJdgnrZ23b8BuQrGpboXz.gEQq4caZq48APR.w3hK5P/xSk81lKj6';

  it('is known at a cost of 4 to 12', () => {
    expect(isBcryptOf('sesame', SESAME)).toBe(true);
    expect([4, 11, 12].map((cost) => isBcryptOf('sesame', hashSync('sesame', cost)))).toEqual([true, true, true]);
    expect(isBcryptOf('sesame', hashSync('sesame', 13))).toBe(false);
  });

  it.each(['', '$2a$', 'sesame', SESAME.replace('a', 'x'), SESAME.replace('05', '31'), `${SESAME}x`, ` ${SESAME}`, SESAME.replace(/.{31}$/, '!'.repeat(31)), SESAME.replace('NJ', '!!')])('that is none is that of nothing: %s', (hash) => {
    for (const text of ['', 'sesame', '$2a$']) expect(isBcryptOf(text, hash)).toBe(false);
  });

  it.each([['key', 0x70, 1], ['token', 0x71, 2]])('of the secret of a %s is that of its random part, or of the whole, which has its length', (_, kind, ids) => {
    const random = new Uint8Array(20).fill(7);
    const secretWith = (between: number): string => toBase64(Uint8Array.of(0x7e, kind, ...new Uint8Array(between), ...random), 'url');
    const secret = secretWith(8 * ids);
    for (const [at, [made, is]] of ([[toBase64(random, 'url'), true], [secret, true], [secret.slice(1), false]] as const).entries()) {
      const hash = hashSync(made, 4);
      // Asked again, too.
      for (let time = 0; time < 2; time++) expect(bcrypt.isOfSecret(secret, `digest ${at}`, hash)).toBe(is);
      for (const longer of [7, 9, 8 * (3 - ids), 1000]) expect(bcrypt.isOfSecret(secretWith(longer), `digest of ${longer}`, hash)).toBe(false);
    }
  });

  it('of a secret is worked out once: what has its digest is taken for it', () => {
    const secret = toBase64(Uint8Array.of(0x7e, 0x70, ...new Uint8Array(28)), 'url');
    const hash = hashSync(secret, 4);
    expect(bcrypt.isOfSecret(secret, 'its digest', hash)).toBe(true);
    expect(bcrypt.isOfSecret('', 'its digest', hash)).toBe(true);
    expect(bcrypt.isOfSecret('', 'another', hash)).toBe(false);
  });
});

import { expect, it } from 'vitest';
import { zBase32 } from './z-base32.ts';

it.each([
  [0n, 'yyyyyyyyyyyyy'],
  [1n, 'yyyyyyyyyyyyn'],
  [-1n, '9999999999996'],
  [0xb800000000000000n, 'zyyyyyyyyyyyy'],
  [0xff00ff00ff00ff00n, '9hyx6y89yd9oy'],
])('writes %s as %s', (number, text) => {
  expect(zBase32(number)).toBe(text);
});

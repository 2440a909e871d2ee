import { describe, expect, it } from 'vitest';
import { checksum, crc32 } from './checksum.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('crc32', () => {
  it.each([
    ['', 0x00000000],
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('agrees with the published value for %j', (text, expected) => {
    expect(crc32(ascii(text))).toBe(expected);
  });

  it('is that of the bytes wherever they lie in their buffer', () => {
    const text = 'The quick brown fox jumps over the lazy dog';
    for (let at = 0; at < 8; at++) expect(crc32(ascii('.'.repeat(at) + text + '.').subarray(at, at + text.length))).toBe(0x414fa339);
  });

  it('goes on where another checksum ended', () => {
    expect(crc32(ascii('56789'), crc32(ascii('1234')))).toBe(0xcbf43926);
  });
});

describe('the checksum of numbered bytes', () => {
  it('is that of the number, eight bytes, least first, and the bytes', () => {
    const number = [0x39, 0x30, 0, 0, 0, 0, 0, 0];
    expect(checksum(12345, ascii('body'))).toBe(crc32(Uint8Array.of(...number, ...ascii('body'))));
  });

  it('differs when one bit of the body or the number differs', () => {
    const right = checksum(7, ascii('body'));
    expect(checksum(7, ascii('bodx'))).not.toBe(right);
    expect(checksum(6, ascii('body'))).not.toBe(right);
    expect(checksum(7 + 2 ** 40, ascii('body'))).not.toBe(right);
  });
});

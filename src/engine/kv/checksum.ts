// CRC-32 (ISO-HDLC, as in zip and PNG): finds bytes that changed on their way through a disk.
// It guards against accidents, not against people.

const POLYNOMIAL = 0xedb88320;

/**
 * For four bytes at a step: `TABLE[256 * n + byte]` is what a byte comes to with n others behind it. Every start of the
 * engine makes it, before anything is compiled, so only bytes of one bit are worked out: others are the sum of theirs.
 */
const TABLE = new Int32Array(4 * 256);
fill(TABLE);

function fill(table: Int32Array): void {
  for (let start = 0; start < table.length; start += 256) {
    for (let bit = 1; bit < 256; bit *= 2) {
      const before = table[start - 256 + bit] as number;
      const one = start === 0 ? eightBits(bit) : (before >>> 8) ^ (table[before & 0xff] as number);
      for (let at = 0; at < bit; at++) table[start + bit + at] = one ^ (table[start + at] as number);
    }
  }
}

function eightBits(byte: number): number {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
}

/**
 * Four bytes at a step, read as one number: all browsers run where the least byte comes first. It is written out
 * because it runs over all that a cold start reads, before anything is compiled: calls would take twice as long.
 * @param start checksum of the bytes before these, to go on from
 * @returns an unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, start = 0): number {
  const table = TABLE;
  const whole = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(whole.buffer, whole.byteOffset, whole.length >> 2);
  let rest = ~start;
  // All indexes are in range.
  for (let at = 0; at < words.length; at++) {
    rest ^= words[at] as number;
    rest =
      (table[768 + (rest & 0xff)] as number) ^
      (table[512 + ((rest >> 8) & 0xff)] as number) ^
      (table[256 + ((rest >> 16) & 0xff)] as number) ^
      (table[rest >>> 24] as number);
  }
  for (let at = 4 * words.length; at < whole.length; at++) rest = (rest >>> 8) ^ (table[(rest ^ (whole[at] as number)) & 0xff] as number);
  return ~rest >>> 0;
}

/**
 * Checksum of bytes stored under a number: that of the number (8 bytes, least first) followed
 * by the bytes, so that a record or block found under another number does not pass.
 */
export function checksum(number: number, bytes: Uint8Array): number {
  return crc32(bytes, crc32(new Uint8Array(new BigUint64Array([BigInt(number)]).buffer)));
}

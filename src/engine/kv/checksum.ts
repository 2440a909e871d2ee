// CRC-32 (ISO-HDLC, as in zip and PNG): finds bytes that changed on their way through a disk.
// It guards against accidents, not against people.

const POLYNOMIAL = 0xedb88320;

/** For four bytes at a step: `TABLE[256 * n + byte]` is what a byte comes to with n others behind it. */
const TABLE = new Int32Array(4 * 256);
for (let place = 0; place < TABLE.length; place++) {
  let rest = place < 256 ? place : (TABLE[place - 256] as number);
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  TABLE[place] = rest;
}

/** What the lowest byte of `bits` comes to with so many others behind it. */
const behind = (others: number, bits: number): number => TABLE[others * 256 + (bits & 0xff)] as number;

/**
 * @param start checksum of the bytes before these, to go on from
 * @returns an unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, start = 0): number {
  let rest = ~start;
  let at = 0;
  // All indexes are in range.
  for (; at + 4 <= bytes.length; at += 4) {
    rest ^= (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    rest = behind(3, rest) ^ behind(2, rest >> 8) ^ behind(1, rest >> 16) ^ behind(0, rest >> 24);
  }
  for (; at < bytes.length; at++) rest = (rest >>> 8) ^ behind(0, rest ^ (bytes[at] as number));
  return ~rest >>> 0;
}

/**
 * Checksum of bytes stored under a number: that of the number (8 bytes, least first) followed
 * by the bytes, so that a record or block found under another number does not pass.
 */
export function checksum(number: number, bytes: Uint8Array): number {
  const prefix = new Uint8Array(8);
  new DataView(prefix.buffer).setBigUint64(0, BigInt(number), true);
  return crc32(bytes, crc32(prefix));
}

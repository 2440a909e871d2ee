// CRC-32 (ISO-HDLC, as in zip and PNG): finds bytes that changed on their way through a disk.
// It guards against accidents, not against people.

const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/**
 * @param start checksum of the bytes before these, to go on from
 * @returns an unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, start = 0): number {
  let rest = ~start;
  for (let at = 0; at < bytes.length; at++) {
    // Both indexes are in range; the fallbacks only satisfy the compiler.
    rest = (rest >>> 8) ^ (TABLE[(rest ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
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

// Randomness that follows from a seed: the ChaCha20 key stream (RFC 8439 §2.3). All of a
// request's random bits come from its secret id, so that running it again gives the same
// ids and secrets, and nobody who does not know the id can guess them.

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
const ROUNDS = 10;

export interface Random {
  bytes(length: number): Uint8Array;
}

/**
 * @param seed any text; 64 hexadecimal digits are taken as the key itself
 * @param stream streams of one seed with different numbers tell nothing about each other
 */
export function seededRandom(seed: string, stream: number): Random {
  const key = keyOf(seed);
  let counter = 0;
  let block = new Uint8Array(0);
  let used = 0;
  return {
    bytes(length) {
      const out = new Uint8Array(length);
      for (let at = 0; at < length; at++) {
        if (used === block.length) {
          block = chachaBlock(key, counter++, stream);
          used = 0;
        }
        out[at] = block[used++] ?? 0;
      }
      return out;
    },
  };
}

function keyOf(seed: string): Uint32Array {
  const key = new Uint32Array(8);
  if (/^[0-9a-f]{64}$/.test(seed)) {
    for (let word = 0; word < 8; word++) key[word] = Number.parseInt(seed.slice(word * 8, word * 8 + 8), 16);
    return key;
  }
  // Any other text: absorbed eight words at a time through the block function.
  for (let at = 0; at < seed.length; at += 8) {
    for (let word = 0; word < 8 && at + word < seed.length; word++) key[word] = (key[word] ?? 0) ^ seed.charCodeAt(at + word);
    key.set(new Uint32Array(chachaBlock(key, at, 0xffffffff).buffer, 0, 8));
  }
  return key;
}

/** One block of 64 bytes of the key stream. */
export function chachaBlock(key: Uint32Array, counter: number, nonce: number): Uint8Array<ArrayBuffer> {
  const start = Uint32Array.of(...CONSTANTS, ...key, counter, nonce, 0, 0);
  const state = start.slice();
  const mix = (a: number, b: number, c: number, d: number): void => {
    const add = (to: number, from: number): number => (state[to] = ((state[to] ?? 0) + (state[from] ?? 0)) >>> 0);
    const turn = (at: number, with_: number, bits: number): void => {
      const word = (state[at] ?? 0) ^ with_;
      state[at] = (word << bits) | (word >>> (32 - bits));
    };
    turn(d, add(a, b), 16);
    turn(b, add(c, d), 12);
    turn(d, add(a, b), 8);
    turn(b, add(c, d), 7);
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let column = 0; column < 4; column++) mix(column, 4 + column, 8 + column, 12 + column);
    for (let column = 0; column < 4; column++) mix(column, 4 + ((column + 1) & 3), 8 + ((column + 2) & 3), 12 + ((column + 3) & 3));
  }
  const out = new Uint8Array(64);
  const view = new DataView(out.buffer);
  state.forEach((word, at) => view.setUint32(at * 4, (word + (start[at] ?? 0)) >>> 0, true));
  return out;
}

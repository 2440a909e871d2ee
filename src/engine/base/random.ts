// Randomness that follows from a seed: the ChaCha20 key stream (RFC 8439 §2.3). All of a
// request's random bits come from its secret id, so that running it again gives the same
// ids and secrets, and nobody who does not know the id can guess them.

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
const ROUNDS = 20;

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
      for (let at = 0; at < length; ) {
        if (used === block.length) {
          block = chachaBlock(key, counter++, stream);
          used = 0;
        }
        const piece = block.subarray(used, used + length - at);
        out.set(piece, at);
        at += piece.length;
        used += piece.length;
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

/** One block of 64 bytes of the key stream. All browsers run where the least byte comes first, as it does there. */
export function chachaBlock(key: Uint32Array, counter: number, nonce: number): Uint8Array<ArrayBuffer> {
  const start = new Int32Array(16);
  start.set(CONSTANTS);
  start.set(key, 4);
  start[12] = counter;
  start[13] = nonce;
  const state = start.slice();
  for (let round = 0; round < ROUNDS; round++) {
    // Columns and diagonals take turns.
    const by = round & 1;
    for (let at = 0; at < 4; at++) mix(state, at, 4 + ((at + by) & 3), 8 + ((at + 2 * by) & 3), 12 + ((at + 3 * by) & 3));
  }
  return new Uint8Array(state.map((word, at) => word + (start[at] as number)).buffer);
}

/**
 * A quarter round on four words of the state, all in range. It is written out: every write takes eighty of them,
 * the first ones before anything is compiled, when calls for each word and turn take most of the time.
 */
function mix(state: Int32Array, atA: number, atB: number, atC: number, atD: number): void {
  let a = state[atA] as number;
  let b = state[atB] as number;
  let c = state[atC] as number;
  let d = state[atD] as number;
  a = (a + b) | 0;
  d ^= a;
  d = (d << 16) | (d >>> 16);
  c = (c + d) | 0;
  b ^= c;
  b = (b << 12) | (b >>> 20);
  a = (a + b) | 0;
  d ^= a;
  d = (d << 8) | (d >>> 24);
  c = (c + d) | 0;
  b ^= c;
  b = (b << 7) | (b >>> 25);
  state[atA] = a;
  state[atB] = b;
  state[atC] = c;
  state[atD] = d;
}

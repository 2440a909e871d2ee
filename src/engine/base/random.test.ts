import { describe, expect, it } from 'vitest';
import { chachaBlock, seededRandom } from './random.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the key stream', () => {
  it('is that of ChaCha20 (RFC 8439, appendix A.1, vectors 1 and 2)', () => {
    const key = new Uint32Array(8);
    expect(hex(chachaBlock(key, 0, 0))).toBe(
      '76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586',
    );
    expect(hex(chachaBlock(key, 1, 0))).toBe(
      '9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f',
    );
  });
});

describe('seeded randomness', () => {
  const seed = '00'.repeat(32);

  it('takes 64 hexadecimal digits as the key itself', () => {
    expect(hex(seededRandom(seed, 0).bytes(8))).toBe('76b8e0ada0f13d90');
  });

  it('goes on where it stopped, over the end of a block', () => {
    const random = seededRandom(seed, 0);
    random.bytes(62);
    expect(hex(random.bytes(4))).toBe('65869f07');
  });

  it('differs by stream, and between any other seeds', () => {
    const first = (text: string, stream: number): string => hex(seededRandom(text, stream).bytes(16));
    const all = [first(seed, 0), first(seed, 1), first('request-1', 0), first('request-2', 0), first('request-1', 1)];
    expect(new Set(all).size).toBe(all.length);
    expect(first('request-1', 0)).toBe(first('request-1', 0));
  });
});

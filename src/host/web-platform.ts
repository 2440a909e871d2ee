// The engine's surroundings in a browser's worker or service worker.
import type { Platform } from '../engine/base/platform.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const webPlatform: Platform = {
  // Whole milliseconds, because performance.now() would not follow a clock that is set anew.
  now: () => Date.now() * 1000,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sha256: async (data) => new Uint8Array(await crypto.subtle.digest('SHA-256', plain(data))),
  async pbkdf2(secret, salt, iterations) {
    const key = await crypto.subtle.importKey('raw', plain(secret), 'PBKDF2', false, ['deriveBits']);
    const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt: plain(salt), iterations };
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 256));
  },
  utf8: {
    encode: (text) => encoder.encode(text),
    decode: (bytes) => decoder.decode(bytes),
  },
  keySet: async (address, kept) => (await issuers()).keySet(address, kept),
  verify: async (algorithm, key, signature, data) => (await issuers()).verify(algorithm, key, signature, data),
  later: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

const issuers = (): Promise<typeof import('./issuers.ts')> => import('./issuers.ts');

/** Nothing here lives in shared memory, which is all the wider type leaves open. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

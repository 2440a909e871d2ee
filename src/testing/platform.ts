// A platform for tests in Node: real hashing, a clock and a random source the test owns.
import { createHash, pbkdf2Sync } from 'node:crypto';
import type { Platform, Ts } from '../engine/base/platform.ts';
import { verify } from '../host/issuers.ts';

export interface TestPlatform extends Platform {
  /** Sets the clock, microseconds. */
  setNow(now: Ts): void;
}

let platforms = 0;

/** The clock starts on 2020-01-01 and moves a millisecond at every look. */
export function testPlatform(): TestPlatform {
  let now: Ts = 1_577_836_800_000_000;
  let seed = ++platforms;
  return {
    now: () => (now += 1000),
    setNow: (value) => {
      now = value;
    },
    random: (length) => Uint8Array.from({ length }, () => (seed = (seed * 48271) % 0x7fffffff) & 0xff),
    sha256: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
    pbkdf2: (secret, salt, iterations) => new Uint8Array(pbkdf2Sync(secret, salt, iterations, 32, 'sha256')),
    utf8: { encode: (text) => new TextEncoder().encode(text), decode: (bytes) => new TextDecoder().decode(bytes) },
    // Tests have no network; those that ask for keys bring them.
    keySet: () => Promise.resolve(null),
    verify,
    later: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

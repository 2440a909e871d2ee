import type { MaybePromise } from './maybe.ts';

/** Microseconds since 1970-01-01T00:00:00Z, a safe integer. Commit times strictly grow. */
export type Ts = number;

/**
 * Everything the engine takes from its surroundings. The engine has no clock, no random
 * source, no hashing and no timers of its own, so a test can own them all.
 */
export interface Platform {
  /** Wall clock in microseconds; may jump in either direction. */
  now(): Ts;
  /** Cryptographically strong random bytes. */
  random(length: number): Uint8Array;
  sha256(data: Uint8Array): MaybePromise<Uint8Array>;
  /** PBKDF2-HMAC-SHA-256, 32 bytes. */
  pbkdf2(secret: Uint8Array, salt: Uint8Array, iterations: number): MaybePromise<Uint8Array>;
  readonly utf8: {
    encode(text: string): Uint8Array;
    /** Replaces what is not UTF-8 by U+FFFD. */
    decode(bytes: Uint8Array): string;
  };
  /** The `keys` of the key set (RFC 7517 §5) that is published at an address; `null` where it cannot be had. @param kept takes it as it was when it was fetched last */
  keySet(address: string, kept: boolean): Promise<readonly unknown[] | null>;
  /** Whether a signature is right. @param algorithm one with public keys (RFC 7518 §3.1); by any other no signature is right @param key public, as JSON (RFC 7517) */
  verify(algorithm: string, key: object, signature: Uint8Array, data: Uint8Array): Promise<boolean>;
  /** Resolves after the given milliseconds; 0 gives others a turn. */
  later(milliseconds: number): Promise<void>;
}

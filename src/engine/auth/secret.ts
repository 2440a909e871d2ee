// Secrets of keys and tokens: what a client sends (reference: data/auth.md §1).
import { fromBase64, toBase64 } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { part } from '../errors/part.ts';

/** Loaded for the hashes of secrets and passwords that came from the original. */
const bcrypt = part(() => import('./bcrypt.ts'));

/** A secret as a request brings it, perhaps followed by a scope. */
export interface Presented {
  readonly plain: string;
  /** What follows the first colon. */
  readonly scope: string;
  /** Whether it may be a JSON Web Token. */
  readonly isWebToken: boolean;
  /** `hashSecret` of the plain secret; worked out once, so that a request run again need not wait for it. */
  hash(): MaybePromise<string>;
}

/** @param isBearer no name and password: only such a secret may be a web token */
export function presented(text: string, platform: Pick<Platform, 'sha256' | 'utf8'>, isBearer = false): Presented {
  const colon = text.indexOf(':');
  const [plain, scope] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  let known: string | null = null;
  return { plain, scope, isWebToken: isBearer && colon < 0 && isWebToken(text), hash: () => known ?? andThen(hashSecret(plain, platform), (hash) => (known = hash)) };
}

/** What is stored in place of a secret: its SHA-256, in url-safe base64. */
export const hashSecret = (plain: string, platform: Pick<Platform, 'sha256' | 'utf8'>): MaybePromise<string> =>
  andThen(platform.sha256(platform.utf8.encode(plain)), (hash) => toBase64(hash, 'url'));

/** Whether a stored hash is one of the original's. */
export const isForeign = (hash: unknown): hash is `$2${string}` => typeof hash === 'string' && hash.startsWith('$2');

/** Whether one of the original's was made of this text. It takes a while, in which nothing else runs: others have their turns before. */
export const isForeignHashOf = (text: string, hash: string, { platform, budget }: Asking): MaybePromise<boolean> =>
  andThen(budget.move(Infinity), () => andThen(bcrypt(), ({ isBcryptOf }) => isBcryptOf(platform.utf8.encode(text), hash)));

/** Of the request that asks. */
interface Asking {
  readonly platform: Pick<Platform, 'utf8'>;
  readonly budget: { move(count: number): MaybePromise<void> };
}

/** Whether a stored hash is that of a secret. */
export const isHashOf = (secret: Presented, hash: unknown): MaybePromise<boolean> =>
  andThen(secret.hash(), (own) => (isForeign(hash) ? andThen(bcrypt(), ({ isOfSecret }) => isOfSecret(secret.plain, own, hash)) : own === hash));

/** How a secret begins, and what follows by its kind; then come the ids of its document and, for a token, of its database. */
export const KINDS = { key: 0x70, token: 0x71 } as const;
export const MARK = 0x7e;

/** Whether a secret looks like a JSON Web Token: the first letters are `{"` in Base64. */
export const isWebToken = (secret: string): boolean => secret.startsWith('ey') && secret.includes('.');

/** The id of the key or token a secret belongs to; `null` when it has not the shape of one. */
export function secretOwner(secret: string): { readonly kind: keyof typeof KINDS; readonly id: bigint } | null {
  // Base64 of the mark begins with this letter; most other texts need not be read.
  if (!secret.startsWith('f')) return null;
  const bytes = fromBase64(secret);
  if (bytes === null || bytes.length < 10 || bytes[0] !== MARK) return null;
  const kind = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((name) => KINDS[name] === bytes[1]);
  return kind === undefined ? null : { kind, id: idOf(bytes.subarray(2, 10)) };
}

const idOf = (bytes: Uint8Array): bigint => BigInt.asIntN(64, bytes.reduce((id, byte) => (id << 8n) | BigInt(byte), 0n));

import { fromBase64, toBase64 } from '../engine/base/bytes.ts';
import type { Platform } from '../engine/base/platform.ts';

const ITERATIONS = 100_000;
const SALT_BYTES = 16;

/** A root secret as the header keeps it: `iterations:salt:hash`. @param kept what it keeps now, which is given back where it is of the same secret */
export async function hashRootSecret(secret: string, platform: Platform, kept?: string): Promise<string> {
  const hashed = async (salt: Uint8Array): Promise<string> =>
    [ITERATIONS, toBase64(salt), toBase64(await platform.pbkdf2(platform.utf8.encode(secret), salt, ITERATIONS))].join(':');
  const salt = kept && fromBase64(kept.split(':')[1] ?? '');
  return salt && (await hashed(salt)) === kept ? kept : hashed(platform.random(SALT_BYTES));
}

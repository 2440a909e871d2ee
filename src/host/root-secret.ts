import { toBase64 } from '../engine/base/bytes.ts';
import type { Platform } from '../engine/base/platform.ts';

const ITERATIONS = 100_000;
const SALT_BYTES = 16;

/** A root secret as the header keeps it: `iterations:salt:hash`. */
export async function hashRootSecret(secret: string, platform: Platform): Promise<string> {
  const salt = platform.random(SALT_BYTES);
  const hash = await platform.pbkdf2(platform.utf8.encode(secret), salt, ITERATIONS);
  return [ITERATIONS, toBase64(salt), toBase64(hash)].join(':');
}

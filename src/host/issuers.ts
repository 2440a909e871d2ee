// What web tokens need of a browser: keys from elsewhere, kept for when there is no network, and the
// checking of signatures. Loaded when the first token comes.
import { fromBase64, toBase64 } from '../engine/base/bytes.ts';

/** How long an issuer may take to answer. */
const FETCH_MS = 3000;
/** Name of the cache. */
const KEPT = 'vivarium-issuers';

/** The keys that are published at an address; `null` where they cannot be had. @param kept takes those that were fetched last, without asking the network */
export async function keySet(address: string, kept: boolean): Promise<readonly unknown[] | null> {
  // There are caches on secure pages only.
  const cache = 'caches' in globalThis ? await caches.open(KEPT).catch(() => null) : null;
  try {
    if (kept) return keysIn(await (await cache?.match(address))?.json());
    const response = await fetch(address, { headers: { accept: 'application/json' }, credentials: 'omit', redirect: 'error', cache: 'no-cache', signal: AbortSignal.timeout(FETCH_MS) });
    const copy = response.clone();
    const keys = response.status === 200 ? keysIn(await response.json()) : null;
    // On a full disk they are not kept, and serve all the same.
    if (keys !== null) await cache?.put(address, copy).catch(() => undefined);
    return keys;
  } catch {
    return null;
  }
}

function keysIn(json: unknown): readonly unknown[] | null {
  return typeof json === 'object' && json !== null && 'keys' in json && Array.isArray(json.keys) ? json.keys : null;
}

/** Signature algorithms with public keys, by name (RFC 7518 §3.1), each with the kind of key it takes. */
const ALGORITHMS: Readonly<Record<string, { readonly parameters: RsaHashedImportParams & EcKeyImportParams & EcdsaParams; readonly kind: JsonWebKey }>> = Object.fromEntries(
  [256, 384, 512].flatMap((bits) => {
    const hash = `SHA-${bits}`;
    const namedCurve = `P-${bits === 512 ? 521 : bits}`;
    return [
      [`RS${bits}`, { parameters: { name: 'RSASSA-PKCS1-v1_5', hash, namedCurve }, kind: { kty: 'RSA' } }],
      [`ES${bits}`, { parameters: { name: 'ECDSA', hash, namedCurve }, kind: { kty: 'EC', crv: namedCurve } }],
    ] as const;
  }),
);

/** A number of an RSA key without the zeros that some issuers put before it, as Java writes one: Chromium takes none (RFC 7518 §2). */
function shortest(number: string): string {
  const bytes = fromBase64(number) ?? new Uint8Array();
  return toBase64(bytes.subarray(bytes.findIndex(Boolean)), 'url');
}

/** Whether a signature is right; `false`, too, where the key is not of the algorithm's kind. */
export async function verify(algorithm: string, key: object, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  const known = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (known === undefined) return false;
  const { parameters, kind } = known;
  const given = key as JsonWebKey;
  // Firefox crashes when it is to import an RSA key for an elliptic curve.
  if (given.kty !== kind.kty || (kind.crv !== undefined && given.crv !== kind.crv)) return false;
  try {
    const imported = await importedOf(given, algorithm, () => {
      // What else its issuer says of it, such as what it may be used for, is ignored.
      const { n = '', e = '', x = '', y = '' } = given;
      const numbers = kind.kty === 'RSA' ? { n: shortest(n), e: shortest(e) } : { x, y };
      return crypto.subtle.importKey('jwk', { ...kind, ...numbers }, parameters, false, ['verify']);
    });
    return await crypto.subtle.verify(parameters, imported, signature as Uint8Array<ArrayBuffer>, data as Uint8Array<ArrayBuffer>);
  } catch {
    return false;
  }
}

/** Imported keys by algorithm, kept for as long as the key they were made of. */
const imports = new WeakMap<object, Map<string, Promise<CryptoKey>>>();

function importedOf(key: object, algorithm: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const known = imports.get(key) ?? new Map<string, Promise<CryptoKey>>();
  imports.set(key, known);
  const imported = known.get(algorithm) ?? make();
  known.set(algorithm, imported);
  return imported;
}

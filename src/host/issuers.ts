// What web tokens need of a browser: keys from elsewhere, kept for when there is no network, and the
// checking of signatures. Loaded when the first token comes.

/** Milliseconds. */
const PATIENCE = 3000;
const KEPT = 'vivarium-issuers';

/** The keys of a set; `null` without a network, and where there is none. @param kept as they were fetched last */
export async function keySet(address: string, kept: boolean): Promise<readonly unknown[] | null> {
  // Only where the page is secure.
  const cache = 'caches' in globalThis ? await caches.open(KEPT).catch(() => null) : null;
  try {
    if (kept) return keysIn(await (await cache?.match(address))?.json());
    const response = await fetch(address, { headers: { accept: 'application/json' }, credentials: 'omit', redirect: 'error', cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
    const copy = response.clone();
    const keys = response.status === 200 ? keysIn(await response.json()) : null;
    // A full disk keeps nobody out.
    if (keys !== null) await cache?.put(address, copy).catch(() => undefined);
    return keys;
  } catch {
    return null;
  }
}

function keysIn(json: unknown): readonly unknown[] | null {
  return typeof json === 'object' && json !== null && 'keys' in json && Array.isArray(json.keys) ? json.keys : null;
}

/** The algorithms of signatures with public keys, by their names (RFC 7518 §3.1), and what their keys say of themselves. */
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

/** What a public key is made of; what else its issuer says of it, such as what for, is not looked at. */
const PARTS = ['n', 'e', 'x', 'y'] as const;

/** Whether a signature is right; also `false` for a key that does not go with the algorithm. */
export async function verify(algorithm: string, key: object, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  const known = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (known === undefined) return false;
  const { parameters, kind } = known;
  const given = key as JsonWebKey;
  // Firefox crashes where it is given an RSA key as one of a curve.
  if (given.kty !== kind.kty || (kind.crv !== undefined && given.crv !== kind.crv)) return false;
  try {
    const imported = await importedOf(given, algorithm, () => {
      const parts = Object.fromEntries(PARTS.flatMap((part) => (given[part] === undefined ? [] : [[part, given[part]]])));
      return crypto.subtle.importKey('jwk', { ...kind, ...parts }, parameters, false, ['verify']);
    });
    return await crypto.subtle.verify(parameters, imported, signature as Uint8Array<ArrayBuffer>, data as Uint8Array<ArrayBuffer>);
  } catch {
    return false;
  }
}

/** Keys as the browser has them, for each algorithm, as long as their sets are known. */
const imports = new WeakMap<object, Map<string, Promise<CryptoKey>>>();

function importedOf(key: object, algorithm: string, make: () => Promise<CryptoKey>): Promise<CryptoKey> {
  const known = imports.get(key) ?? new Map<string, Promise<CryptoKey>>();
  imports.set(key, known);
  const imported = known.get(algorithm) ?? make();
  known.set(algorithm, imported);
  return imported;
}

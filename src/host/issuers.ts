// What web tokens need of a browser: keys from elsewhere, kept for when there is no network, and the
// checking of signatures. Loaded when the first token comes.

/** Milliseconds. */
const PATIENCE = 5000;
const KEPT = 'vivarium-issuers';

/** JSON at an address. @param kept as it was when it was fetched last; `null` where that is not known @throws TypeError, DOMException without a network, or for another answer than 200 */
export async function fetchJson(address: string, kept: boolean): Promise<unknown> {
  // Only where the page is secure.
  const cache = 'caches' in globalThis ? await caches.open(KEPT).catch(() => null) : null;
  if (kept) return (await cache?.match(address))?.json() ?? null;
  const response = await fetch(address, { headers: { accept: 'application/json' }, credentials: 'omit', cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
  if (response.status !== 200) throw new TypeError(`${address} answers ${response.status}`);
  const copy = response.clone();
  const json: unknown = await response.json();
  // A full disk keeps nobody out.
  await cache?.put(address, copy).catch(() => undefined);
  return json;
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
  const parts = Object.fromEntries(PARTS.flatMap((part) => (given[part] === undefined ? [] : [[part, given[part]]])));
  try {
    const imported = await crypto.subtle.importKey('jwk', { ...kind, ...parts }, parameters, false, ['verify']);
    return await crypto.subtle.verify(parameters, imported, signature as Uint8Array<ArrayBuffer>, data as Uint8Array<ArrayBuffer>);
  } catch {
    return false;
  }
}

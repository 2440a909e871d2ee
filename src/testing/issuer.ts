// An issuer of web tokens, for tests: keys, what it publishes of them, and tokens it has signed.

export type Algorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384';

export interface SigningKey {
  readonly id: string | null;
  /** As it is published. */
  readonly published: Readonly<Record<string, unknown>>;
  sign(algorithm: Algorithm, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

const encoder = new TextEncoder();
const hashOf = (algorithm: Algorithm): string => `SHA-${algorithm.slice(2)}`;
const isRsa = (algorithm: Algorithm): boolean => algorithm.startsWith('RS');

/** @param id `null` for a key that is published without one */
export async function signingKey(id: string | null, algorithm: Algorithm = 'RS256'): Promise<SigningKey> {
  const parameters = isRsa(algorithm)
    ? { name: 'RSASSA-PKCS1-v1_5', hash: hashOf(algorithm), modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }
    : { name: 'ECDSA', namedCurve: `P-${algorithm.slice(2)}` };
  const pair = (await crypto.subtle.generateKey(parameters, true, ['sign', 'verify'])) as CryptoKeyPair;
  const { d: _, key_ops: __, ext: ___, alg: ____, ...parts } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const secret = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return {
    id,
    published: { ...parts, use: 'sig', ...(id === null ? {} : { kid: id }) },
    async sign(as, data) {
      const { alg: _, ...parts } = secret;
      const how = isRsa(as) ? { name: 'RSASSA-PKCS1-v1_5', hash: hashOf(as) } : { name: 'ECDSA', namedCurve: `P-${as.slice(2)}`, hash: hashOf(as) };
      const key = await crypto.subtle.importKey('jwk', parts, how, false, ['sign']);
      return new Uint8Array(await crypto.subtle.sign(how, key, data));
    },
  };
}

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const part = (json: unknown): string => base64(encoder.encode(JSON.stringify(json)));

/** @param header in place of what it would be */
export async function webToken(key: SigningKey, payload: unknown, algorithm: Algorithm = 'RS256', header: object = {}): Promise<string> {
  const signed = `${part({ alg: algorithm, typ: 'JWT', ...(key.id === null ? {} : { kid: key.id }), ...header })}.${part(payload)}`;
  return `${signed}.${base64(await key.sign(algorithm, encoder.encode(signed)))}`;
}

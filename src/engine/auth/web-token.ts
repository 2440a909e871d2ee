// Reads JSON Web Tokens (reference: data/auth.md §9; RFC 7515, RFC 7519). Whether what one says is true
// is not known until its signature was checked.
import { fromBase64 } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { LETTERS, zBase32 } from '../base/z-base32.ts';
import { readJson } from '../value/json.ts';
import type { Scope } from '../value/ref.ts';
import { isArray, Obj, type Value } from '../value/value.ts';

export interface WebToken {
  readonly algorithm: string;
  /** Which of the issuer's keys has signed it; `null` where it does not tell. */
  readonly keyId: string | null;
  readonly payload: Obj;
  /** What was signed. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** `null` for a text that is no such token. */
export function readWebToken(text: string, utf8: Platform['utf8']): WebToken | null {
  const parts = text.split('.');
  const [headerText = '', payloadText = '', signatureText = ''] = parts;
  const header = objectIn(headerText, utf8);
  const payload = objectIn(payloadText, utf8);
  const signature = fromBase64(signatureText);
  if (parts.length !== 3 || header === null || payload === null || signature === null) return null;
  const [algorithm, keyId] = [header.get('alg'), header.get('kid')];
  // `crit` names extensions that must be understood (RFC 7515 §4.1.11), and we know none.
  if (typeof algorithm !== 'string' || header.has('crit')) return null;
  return { algorithm, keyId: typeof keyId === 'string' ? keyId : null, payload, signed: utf8.encode(`${headerText}.${payloadText}`), signature };
}

function objectIn(part: string, utf8: Platform['utf8']): Obj | null {
  const bytes = fromBase64(part);
  if (bytes === null) return null;
  try {
    const value = readJson(utf8.decode(bytes));
    return value instanceof Obj ? value : null;
  } catch {
    return null;
  }
}

/** Between which times it is valid, as it says itself. One that gives something else than a time is never valid. */
export function validity({ payload }: WebToken): { readonly from: Ts; readonly until: Ts } {
  return { from: timeOf(payload.get('nbf'), -Infinity), until: timeOf(payload.get('exp'), Infinity) };
}

function timeOf(claim: Value | undefined, otherwise: Ts): Ts {
  if (claim === undefined || claim === null) return otherwise;
  return typeof claim === 'bigint' || typeof claim === 'number' ? Number(claim) * 1_000_000 : NaN;
}

/** Whether an issuer's keys may be fetched from an address: as in the original, only its scheme is looked at, and blanks may stand before it. */
export const isKeySetAddress = (address: string): boolean => /^\s*https:/i.test(address);

const AUDIENCE = 'https://db.fauna.com/db/';
const ID_LETTERS = 13;

/** The audience by which tokens name a database. The root has one, too: in this it is a database like all others. */
export const audienceOf = (scope: Scope): string => AUDIENCE + zBase32(scope);

/** The database that a token is for; `null` where it names none, or several. */
export function databaseOfToken({ payload }: WebToken): Scope | null {
  const audience = payload.get('aud') ?? null;
  const named = (isArray(audience) ? audience : [audience]).filter((item) => typeof item === 'string' && item.startsWith(AUDIENCE));
  return named.length === 1 ? scopeIn(named[0] as string) : null;
}

function scopeIn(audience: string): Scope | null {
  const id = audience.slice(AUDIENCE.length);
  if (id.length !== ID_LETTERS) return null;
  const bits = [...id].reduce((all, letter) => all * 32n + BigInt(LETTERS.indexOf(letter)), 0n);
  const scope = BigInt.asIntN(64, bits >> 1n);
  return audienceOf(scope) === audience ? scope : null;
}

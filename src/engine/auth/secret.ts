// Secrets of keys and tokens: what a client sends (reference: data/auth.md §1).
import { fromBase64, toBase64 } from '../base/bytes.ts';
import type { Random } from '../base/random.ts';

const KINDS = { key: 0x70, token: 0x71 } as const;
const MARK = 0x7e;
const RANDOM_BYTES = 20;

/** @param ids the document's id; for a token also its database */
export function makeSecret(kind: keyof typeof KINDS, ids: readonly bigint[], random: Random): string {
  const head = [MARK, KINDS[kind], ...ids.flatMap(bytesOf)];
  return toBase64(Uint8Array.from([...head, ...random.bytes(RANDOM_BYTES)]), 'url');
}

/** The id of the key or token a secret belongs to; `null` when it has not the shape of one. */
export function secretOwner(secret: string): { readonly kind: keyof typeof KINDS; readonly id: bigint } | null {
  // Base64 of the mark begins with this letter; most other texts need not be read.
  if (!secret.startsWith('f')) return null;
  const bytes = fromBase64(secret);
  if (bytes === null || bytes.length < 10 || bytes[0] !== MARK) return null;
  const kind = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((name) => KINDS[name] === bytes[1]);
  return kind === undefined ? null : { kind, id: idOf(bytes.subarray(2, 10)) };
}

/** Eight bytes, most significant first. */
const bytesOf = (id: bigint): number[] => [56n, 48n, 40n, 32n, 24n, 16n, 8n, 0n].map((shift) => Number((id >> shift) & 0xffn));
const idOf = (bytes: Uint8Array): bigint => BigInt.asIntN(64, bytes.reduce((id, byte) => (id << 8n) | BigInt(byte), 0n));

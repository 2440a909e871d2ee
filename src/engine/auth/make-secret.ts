// A new secret, for a key or token that is made.
import { toBase64 } from '../base/bytes.ts';
import type { Random } from '../base/random.ts';
import { KINDS, MARK } from './secret.ts';

const RANDOM_BYTES = 20;

/** @param ids the document's id; for a token also its database */
export function makeSecret(kind: keyof typeof KINDS, ids: readonly bigint[], random: Random): string {
  const head = [MARK, KINDS[kind], ...ids.flatMap(bytesOf)];
  return toBase64(Uint8Array.from([...head, ...random.bytes(RANDOM_BYTES)]), 'url');
}

/** Eight bytes, most significant first. */
const bytesOf = (id: bigint): number[] => [56n, 48n, 40n, 32n, 24n, 16n, 8n, 0n].map((shift) => Number((id >> shift) & 0xffn));

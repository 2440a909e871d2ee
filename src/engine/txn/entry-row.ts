// What a row of I or E says: an entry of an index, added or removed.
import type { Ts } from '../base/platform.ts';
import type { Row } from '../kv/rows.ts';
import { remember } from '../kv/weight.ts';
import type { Value } from '../value/value.ts';
import { decodeStored, encodeStored } from './stored.ts';

/** A Long holds no time that is further away, and a `ttl` may be. */
const FAR = 2 ** 62;

const ADD = 'a';
export const REMOVE = 'r';

export interface EntryData {
  readonly added: boolean;
  readonly values: readonly Value[];
  /** When the entry stops counting, microseconds. */
  readonly ttl: Ts | null;
}

/** A class, and no object literal, for the same reason as `StoredVersion` (version.ts). */
class StoredEntry implements EntryData {
  constructor(
    readonly added: boolean,
    readonly values: readonly Value[],
    readonly ttl: Ts | null,
  ) {}
}

export function entryText({ added, values, ttl }: EntryData, commit: Ts): string {
  const mark = added ? ADD : REMOVE;
  if (values.length === 0 && ttl === null) return mark;
  return mark + encodeStored(ttl === null ? [values] : [values, BigInt(Math.min(Math.max(ttl, -FAR), FAR))], commit);
}

export function readEntry(row: Row): EntryData {
  const known = row.memo as EntryData | undefined;
  if (known !== undefined) return known;
  const added = row.text.startsWith(ADD);
  const [values = [], ttl = null] = row.text.length === 1 ? [] : (decodeStored(row.text.slice(1)) as [Value[], (bigint | null)?]);
  return remember<EntryData>(row, new StoredEntry(added, values, ttl === null ? null : Number(ttl)));
}

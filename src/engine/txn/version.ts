// What a row of V says: a version of a document.
import type { Ts } from '../base/platform.ts';
import type { Row } from '../kv/rows.ts';
import { PENDING, readDownTs, STAMP_BYTES } from '../kv/keyspace.ts';
import { remember } from '../kv/weight.ts';
import { Obj } from '../value/obj.ts';
import { PendingTs, Time } from '../value/value.ts';
import { decodeStored } from './stored.ts';

/** A version of a document. `fields` is `null` where the document is deleted. */
export interface Version {
  readonly time: Ts;
  readonly fields: Obj | null;
  /** When it expires, `Infinity` for never; set by the first who asks. */
  end?: Ts;
}

/**
 * A class, and no object literal: when literals of one place in the code have lived long, JavaScript
 * engines put the next ones straight among the old objects, where short-lived ones, and all that they
 * refer to, are collected late. A scan over more documents than fit in the cache took half as long again.
 */
class StoredVersion implements Version {
  declare end?: Ts;
  constructor(
    readonly time: Ts,
    readonly fields: Obj | null,
  ) {}
}

export const LIVE = 'c';
export const DELETED = 'd';
/** This commit took the version at this time out of history. */
export const REMOVED = 'x';

export function readVersion(row: Row): Version {
  const known = row.memo as Version | undefined;
  if (known !== undefined) return known;
  const time = readDownTs(row.key, row.key.length - STAMP_BYTES);
  const fields = row.text.startsWith(LIVE) ? (decodeStored(row.text.slice(1)) as Obj) : null;
  return remember<Version>(row, new StoredVersion(time, fields));
}

/** When a version stops being readable, in microseconds; `null` when it never does. */
export function expiry(fields: Obj): Ts | null {
  const ttl = fields.get('ttl');
  return ttl instanceof Time ? Number(ttl.micros) : null;
}

/** The fields of a version that is there and has not expired by a time, else `null`. */
export function liveFields(version: Version | null, now: Ts): Obj | null {
  if (version === null || version.fields === null) return null;
  return (version.end ??= expiry(version.fields) ?? Infinity) > now ? version.fields : null;
}

/** A time as it is shown: that of what the running transaction writes is not known yet. */
export const shownTs = (time: Ts): Ts | PendingTs => (time === PENDING ? PendingTs.instance : time);

// What a row of V says: a version of a document.
import type { Ts } from '../base/platform.ts';
import type { Row } from '../kv/rows.ts';
import { PENDING, readDownTs, STAMP_BYTES } from '../kv/keyspace.ts';
import { memoryOf, remember, rememberIfSpared } from '../kv/weight.ts';
import { type FieldPath, type Told, UNTOLD } from '../value/field-path.ts';
import type { Obj } from '../value/obj.ts';
import { PendingTs, Time, type Value } from '../value/value.ts';
import { decodeStored } from './stored.ts';

/** A version of a document. `fields` is `null` where the document is deleted. */
export interface Version {
  readonly time: Ts;
  readonly fields: Obj | null;
  /** The fields' JSON text, where every API version shows them as that: nothing in them is stored in a form of its own. */
  readonly plain?: string | null;
  /** When it expires: `Infinity` for never, `-Infinity` for one that is no document. Set by the first who asks. */
  end?: Ts;
}

/**
 * One that was read. Its fields are made when somebody asks for them, and then kept with the row: many documents
 * are only shown, as they are stored, or asked for a field or two, which are found in the text and kept instead.
 *
 * A class, and no object literal: when literals of one place in the code have lived long, JavaScript
 * engines put the next ones straight among the old objects, where short-lived ones, and all that they
 * refer to, are collected late. A scan over more documents than fit in the cache took half as long again.
 */
class StoredVersion implements Version {
  declare end?: Ts;
  readonly plain: string | null;
  private made: Obj | null | undefined;
  private picked: Picked | null = null;
  /** Bytes of it that are counted, if it is kept with the row. */
  private counted = 0;

  constructor(
    readonly time: Ts,
    private readonly row: Row,
  ) {
    const { text } = row;
    // Most texts lack the character, which is found sooner than a string.
    this.plain = text.startsWith(LIVE) && !(text.includes('@') && text.includes(TAG)) ? text.slice(LIVE.length) : null;
  }

  get fields(): Obj | null {
    return this.made === undefined ? this.make() : this.made;
  }

  at(field: FieldPath): Told {
    const { other } = this;
    if (other !== null) return fieldAt(other, field);
    const value = this.made === undefined && this.plain !== null ? this.pick(field, this.plain) : UNTOLD;
    if (value !== UNTOLD) return value;
    const { fields } = this;
    return fields === null ? undefined : field.of(fields);
  }

  /** What another reader has made of the same row meanwhile: only one of them is kept with it. */
  private get other(): Version | null {
    const known = this.row.memo as Version | undefined;
    return known === undefined || known === this ? null : known;
  }

  /** A field found in the text, now or before. */
  private pick(field: FieldPath, plain: string): Told {
    let count = 0;
    for (let picked = this.picked; picked !== null; picked = picked.next) {
      if (picked.id === field.id) return picked.value;
      count++;
    }
    if (count >= MOST_PICKED) return UNTOLD;
    const value = field.in(plain);
    if (value === UNTOLD) return UNTOLD;
    const bytes = rememberIfSpared(this.row, this, (this.counted > 0 ? 0 : VERSION_BYTES) + PICKED_BYTES + memoryOf(value));
    this.counted += bytes;
    if (bytes > 0) this.picked = new Picked(field.id, value, this.picked);
    return value;
  }

  private make(): Obj | null {
    if (this.other !== null) return (this.made = this.other.fields);
    const { text } = this.row;
    this.made = text.startsWith(LIVE) ? (decodeStored(text.slice(LIVE.length)) as Obj) : null;
    this.picked = null;
    remember(this.row, this, VERSION_BYTES + memoryOf(this.made), this.counted);
    return this.made;
  }
}

/** Memory of a version without fields, with its time and the slice that is its text; and of what holds a field. */
const VERSION_BYTES = 88;
const PICKED_BYTES = 24;

/** Who asks for more is better served by all of them. */
const MOST_PICKED = 8;

/** A field found in the text, and those found before it. */
class Picked {
  constructor(
    readonly id: FieldPath['id'],
    readonly value: Value | undefined,
    readonly next: Picked | null,
  ) {}
}

/** A field of a version. */
export function fieldAt(version: Version, field: FieldPath): Told {
  if (version instanceof StoredVersion) return version.at(field);
  return version.fields === null ? undefined : field.of(version.fields);
}

/** How everything begins that is stored in another form than it is shown in, such as a time; also a text of the user's that begins so. */
const TAG = '"@';

export const LIVE = 'c';
export const DELETED = 'd';
/** This commit took the version at this time out of history. */
export const REMOVED = 'x';

export function readVersion(row: Row): Version {
  const known = row.memo as Version | undefined;
  if (known !== undefined) return known;
  return new StoredVersion(readDownTs(row.key, row.key.length - STAMP_BYTES), row);
}

/** When a version stops being readable, in microseconds; `null` when it never does. */
export function expiry(fields: Obj): Ts | null {
  const ttl = fields.get('ttl');
  return ttl instanceof Time ? Number(ttl.micros) : null;
}

/** The fields of a version that is there and has not expired by a time, else `null`. */
export const liveFields = (version: Version | null, now: Ts): Obj | null => (version !== null && isLive(version, now) ? version.fields : null);

/** Whether a version is there and has not expired by a time. */
export const isLive = (version: Version, now: Ts): boolean => (version.end ??= endOf(version)) > now;

function endOf(version: Version): Ts {
  // It holds no time.
  if (version.plain !== undefined && version.plain !== null) return Infinity;
  const { fields } = version;
  return fields === null ? -Infinity : (expiry(fields) ?? Infinity);
}

/** A time as it is shown: that of what the running transaction writes is not known yet. */
export const shownTs = (time: Ts): Ts | PendingTs => (time === PENDING ? PendingTs.instance : time);

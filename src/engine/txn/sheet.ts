// What is known of a block of documents without its rows, if that is the same for everybody who sees them: none
// of them expires, or was written into the past, or taken out of history. And fields of theirs as columns.
import { type Key, utf8Length } from '../base/bytes.ts';
import { STAMP_BYTES, TS_BYTES } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { memoryOf } from '../kv/weight.ts';
import { type FieldPath, UNTOLD } from '../value/field-path.ts';
import { interned } from '../value/known-keys.ts';
import { isSmallLong } from '../value/long.ts';
import { Ref } from '../value/ref.ts';
import { DateValue, Time } from '../value/time.ts';
import type { Value } from '../value/value.ts';
import { type Bill, bytesOf, opsOf } from './cost.ts';
import { fieldAt, isLive, readVersion, REMOVED, type Version } from './version.ts';

/** A field of each document that is there, in their order; `undefined` where one has none. */
export type Column = readonly (Value | undefined)[];

export interface Sheet {
  /** Rows, and those of them that are documents which are there: their places, or `null` for all. */
  readonly rows: number;
  readonly live: readonly number[] | null;
  /** How the key of the latest commit ends. Who does not see all commits has to look at the rows. */
  readonly edge: Key;
  /** Bytes of all rows. */
  readonly bytes: number;
  /** For reading all documents. */
  readonly documents: Bill;
  /** The key of the last document. */
  readonly last: Key;
  /** By the names of fields. `null`: some value is none that is kept in columns, or cannot be told. */
  readonly columns: Map<FieldPath['id'], Column | null>;
}

/** Memory of a sheet beside its columns: objects, a map and two keys; of a column; and of a place in either. */
const SHEET_BYTES = 400;
const COLUMN_BYTES = 100;
const PLACE_BYTES = 8;

export const memoryOfSheet = (sheet: Sheet | null): number => SHEET_BYTES + PLACE_BYTES * (sheet?.live?.length ?? 0);

/** `null`: who reads the rows has to look at each. @param rows all of a block: of each document one */
export function sheetOf(rows: readonly Row[]): Sheet | null {
  const live: number[] = [];
  let edge: Key | null = null;
  let bytes = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Row;
    const { key } = row;
    const commit = key.slice(-TS_BYTES);
    if (row.text === REMOVED || (row.settled !== true && key.slice(-STAMP_BYTES, -TS_BYTES) !== commit)) return null;
    const version = readVersion(row);
    if (isLive(version, Number.MAX_VALUE)) live.push(at);
    else if (version.end !== -Infinity) return null;
    if (edge === null || commit < edge) edge = commit;
    bytes += bytesOf(row);
  }
  const places = live.length === rows.length ? null : live;
  return { rows: rows.length, live: places, edge: edge ?? '', bytes, documents: billOf(rows, live), last: rows[live.at(-1) ?? -1]?.key ?? '', columns: new Map() };
}

/** For reading some of the documents. */
export function billOf(rows: readonly Row[], places: readonly number[]): Bill {
  let [bytes, ops] = [0, 0];
  for (const at of places) {
    const size = bytesOf(rows[at] as Row);
    bytes += size;
    ops += opsOf(size);
  }
  return { bytes, ops };
}

/** The places of documents that are there among the rows. */
export const placesIn = ({ rows, live }: Sheet): readonly number[] => live ?? Array.from({ length: rows }, (_, at) => at);

/** What is kept in columns besides texts, numbers and the like. */
const KEPT = [Ref, Time, DateValue] as const;

/** A field of all documents. @param rows those of the sheet */
export function columnOf(sheet: Sheet, rows: readonly Row[], field: FieldPath): Column | null {
  const column: (Value | undefined)[] = [];
  const texts = new Map<string, string>();
  for (const at of placesIn(sheet)) {
    const row = rows[at] as Row;
    const value = valueOf(readVersion(row), row, field);
    if (value === UNTOLD || (typeof value === 'object' && value !== null && !KEPT.some((kind) => value instanceof kind))) return null;
    if (typeof value !== 'string') column.push(value);
    else {
      // Equal texts are kept once, and none as the part of its block's text that it may be.
      const kept = texts.get(value) ?? interned(value);
      texts.set(value, kept);
      column.push(kept);
    }
  }
  return column;
}

/** The field found in the text, where nobody has made the others: to keep it with the row would be to keep it twice. */
function valueOf(version: Version, row: Row, field: FieldPath): Value | undefined | typeof UNTOLD {
  const value = row.memo === undefined && typeof version.plain === 'string' ? field.in(version.plain) : UNTOLD;
  return value === UNTOLD ? fieldAt(version, field) : value;
}

/** Its memory. */
export function memoryOfColumn(column: Column | null): number {
  let bytes = COLUMN_BYTES;
  const seen = new Set<string>();
  for (const value of column ?? []) {
    bytes += PLACE_BYTES;
    if (value === undefined || value === null || typeof value === 'boolean' || isSmallLong(value)) continue;
    if (typeof value !== 'string') bytes += memoryOf(value);
    else if (!seen.has(value)) {
      seen.add(value);
      // A text takes two bytes a character as soon as one of them is beyond ASCII.
      bytes += memoryOf(value) + (utf8Length(value) > value.length ? value.length : 0);
    }
  }
  return bytes;
}

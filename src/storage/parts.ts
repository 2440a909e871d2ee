// Records in parts. A value of more than 64 KB becomes a file of its own in some browsers,
// which is slower and, with relaxed durability, not flushed with the rest. So a record is
// stored in parts of at most 60 KB under neighbouring keys. Each part says which record it
// belongs to and carries the checksum of the whole.
//
// The key of the first part is the record's number; those of the others follow it by fractions, which
// do not move the log's key generator. A record of one part whose number is lower than its key is void:
// somebody else had added a record before its writer did, or it was put there to make whoever adds the
// next one read the header.
import { joinBytes } from '../engine/base/bytes.ts';
import { checksum } from '../engine/kv/checksum.ts';
import { FORMAT, type LogRecord } from '../engine/kv/log-store.ts';
import { checkFormat, corrupt, ownBytes } from './stored.ts';

export const PART_BYTES = 60 * 1024;
/** One more than the most parts of a record; a power of two, so that keys are exact. */
const KEYS_PER_RECORD = 1024;

export interface StoredPart {
  readonly format: number;
  /** Of the record. */
  readonly number: number;
  /** From 0. */
  readonly part: number;
  readonly parts: number;
  /** Of the whole record with its number. */
  readonly checksum: number;
  /** Random; tells who wrote it. */
  readonly attempt: number;
  readonly bytes: Uint8Array;
}

/** Key of a part; the first one by default. */
export function partKey(number: number, part = 0): number {
  return number + part / KEYS_PER_RECORD;
}

/** Keys of all records after this one. */
export function keysAfter(number: number): IDBKeyRange {
  return IDBKeyRange.lowerBound(partKey(number + 1));
}

/** Keys of this record and all before it. */
export function keysUpTo(number: number): IDBKeyRange {
  return IDBKeyRange.upperBound(partKey(number + 1), true);
}

/** @param floor of the header */
export function makeLog(db: IDBDatabase, floor: number): IDBObjectStore {
  const log = db.createObjectStore('log', { autoIncrement: true });
  if (floor > 0) numberAfter(log, floor);
  log.clear();
  return log;
}

/** Makes the key generator go on after this number, under which a void record stands until it is deleted. */
export function numberAfter(log: IDBObjectStore, number: number): void {
  log.put(VOID, partKey(number));
}

/** The record a key belongs to. */
export function recordOfKey(key: number): number {
  return Math.floor(key);
}

/** The record that a cursor on the last key of the log stands on; 0 when there is none. */
export function lastRecord(cursor: IDBCursor | null): number {
  return cursor === null ? 0 : recordOfKey(cursor.key as number);
}

/** Always at least one part, also for a record of 0 bytes. */
export function toParts(number: number, body: Uint8Array, attempt: number): StoredPart[] {
  const parts = Math.max(1, Math.ceil(body.length / PART_BYTES));
  const shared = { format: FORMAT, number, parts, checksum: checksum(number, body), attempt };
  return Array.from({ length: parts }, (_, part) => ({
    ...shared,
    part,
    bytes: ownBytes(body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)),
  }));
}

/** How a record is stored that is void from the beginning. */
export const VOID = toParts(0, new Uint8Array(), 0)[0] as StoredPart;

/**
 * Puts records together from parts in the order of their keys.
 *
 * @param values what was found, unchecked
 * @param first  the number the first record must have
 * @throws StorageError `corrupt` when a record or part is missing or changed, `newer-format`
 */
export function fromParts(values: readonly unknown[], first: number): LogRecord[] {
  const records: LogRecord[] = [];
  for (let at = 0; at < values.length; ) {
    const number = first + records.length;
    if (isVoid(values[at], number)) {
      records.push({ number, body: VOID.bytes });
      at++;
      continue;
    }
    const head = expectPart(values[at], number, 0);
    const parts = Array.from({ length: head.parts }, (_, part) => expectPart(values[at + part], number, part));
    const body = joinBytes(parts.map(({ bytes }) => bytes));
    if (checksum(number, body) !== head.checksum) throw corrupt(`record ${number} does not match its checksum`);
    records.push({ number, body });
    at += head.parts;
  }
  return records;
}

function isVoid(value: unknown, number: number): boolean {
  const found = value as StoredPart | null | undefined;
  if (!(found?.bytes instanceof Uint8Array)) return false;
  const { format, number: said, part, parts, checksum: stored, bytes } = found;
  // Formats 1 and 2 have none, and those of a newer one may look different. What the first builds of format 3 put there at a change of settings is empty, without a checksum.
  return format > 2 && format <= FORMAT && said < number && part === 0 && parts === 1 && (checksum(said, bytes) === stored || said + stored + bytes.length === 0);
}

function expectPart(value: unknown, number: number, part: number): StoredPart {
  const found = value as StoredPart | undefined;
  const what = `part ${part} of record ${number}`;
  checkFormat(found?.format, what);
  const isWhole = found?.number === number && found.part === part && found.parts > part && found.bytes instanceof Uint8Array;
  if (!isWhole) throw corrupt(`${what} is missing or damaged`);
  return found;
}

// What stands in IndexedDB, value by value, and the checks on the way back in.
//
//   meta    'header'    StoredHeader: small, read by every tail; while a copy is imported, words that say so
//           'manifest'  StoredManifest: absent before the first install
//   log     number + part / 1024   StoredPart (parts.ts); with a key generator
//   blocks  id                     StoredBlock
import { checksum } from '../engine/kv/checksum.ts';
import { type Block, FORMAT, type Settings, StorageError } from '../engine/kv/log-store.ts';

export interface StoredHeader {
  readonly format: number;
  /** Random; tells a database from another one made later under the same name. */
  readonly identity: number;
  readonly floor: number;
  readonly settings: Settings;
}

export interface StoredManifest {
  readonly number: number;
  /** Random; tells who installed it. */
  readonly attempt: number;
  /** `null` after a reset. */
  readonly bytes: Uint8Array | null;
  /** Of `bytes` with `number`; 0 when there are none. */
  readonly checksum: number;
}

export interface StoredBlock {
  readonly format: number;
  /** Not in format 1. */
  readonly id?: number;
  /** Of `bytes` with the id. */
  readonly checksum: number;
  readonly bytes: Uint8Array;
}

const NO_MANIFEST: StoredManifest = { number: 0, attempt: 0, bytes: null, checksum: 0 };

/** A random number of 53 bits, to recognise what one has written oneself. */
export function randomMark(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}

/**
 * The bytes with a buffer of their own. IndexedDB clones the whole buffer under a view, so a
 * view into a large one would be stored with all that surrounds it.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

export function newHeader(): StoredHeader {
  return { format: FORMAT, identity: randomMark(), floor: 0, settings: { durability: 'strict' } };
}

/** An unknown durability is read as the safer one, so that the database opens all the same. */
export function readHeader(value: unknown): StoredHeader {
  // A copy that was not brought to its end has left its message in the header's place (raw-copy.ts).
  if (typeof value === 'string') throw corrupt(value);
  checkFormat((value as StoredHeader | undefined)?.format, 'the header');
  const header = value as StoredHeader;
  const { identity, floor, settings } = header;
  if (!Number.isSafeInteger(identity) || !isCount(floor) || !(settings instanceof Object)) throw corrupt('the header is damaged');
  return isDurability(settings.durability) ? header : { ...header, settings: { ...settings, durability: 'strict' } };
}

/** @throws TypeError for an unknown durability, which would be read as another one */
export function checkSettings(settings: Settings): Settings {
  if (!isDurability(settings.durability)) throw new TypeError(`There is no durability ${String(settings.durability)}.`);
  return settings;
}

const isDurability = (value: unknown): boolean => value === 'strict' || value === 'relaxed';

export function newManifest(number: number, bytes: Uint8Array | null): StoredManifest {
  return { number, attempt: randomMark(), bytes: bytes && ownBytes(bytes), checksum: bytes ? checksum(number, bytes) : 0 };
}

export function readManifest(value: unknown): StoredManifest {
  if (value === undefined) return NO_MANIFEST;
  const manifest = value as StoredManifest;
  const { number, bytes } = manifest;
  const isWhole = isCount(number) && (bytes === null || (bytes instanceof Uint8Array && checksum(number, bytes) === manifest.checksum));
  if (!isWhole) throw corrupt('the manifest is damaged');
  return manifest;
}

export function newBlock({ id, bytes }: Block): StoredBlock {
  return { format: FORMAT, id, checksum: checksum(id, bytes), bytes: ownBytes(bytes) };
}

/** @param ids it may have, in order: a block of format 1 does not name its own, but its checksum fits only that one */
export function readBlock(value: unknown, ids: readonly number[]): Block {
  const { format, id: named, bytes, checksum: expected } = value as StoredBlock;
  const names = named === undefined ? ids : [named];
  checkFormat(format, `block ${names.join(' or ')}`);
  const id = bytes instanceof Uint8Array ? names.find((name) => isCount(name) && checksum(name, bytes) === expected) : undefined;
  if (id === undefined) throw corrupt(`block ${names.join(' or ')} is damaged`);
  return { id, bytes };
}

/** @throws StorageError `newer-format` or, where there is no format at all, `corrupt` */
export function checkFormat(format: unknown, what: string): void {
  if (!isCount(format)) throw corrupt(`${what} is missing or damaged`);
  if (format > FORMAT) {
    throw new StorageError('newer-format', `${what} has format ${format}, written by a newer version; this one reads up to ${FORMAT}`);
  }
}

export function corrupt(message: string): StorageError {
  return new StorageError('corrupt', message);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

// Lifts a database of an earlier format to this one, in the native transaction that changes its
// version. That does not depend on its size: blocks stay as they are, and segments are read as they
// are until merging writes them anew. No other engine has the database open meanwhile, and none of
// an earlier build can open it afterwards. Where the log cannot be written anew for want of room,
// everything stays as it was, and the database opens once there is room.
//
//   format 1   manifests and blocks get numbers above all that it gave
//   format 2   the log gets a key generator, and keys that go with it
import { type IDBPDatabase, type IDBPTransaction, unwrap } from 'idb';
import { numberAfterFormat1 } from '../engine/kv/block-ids.ts';
import { FORMAT } from '../engine/kv/log-store.ts';
import { fromParts, makeLog, partKey, toParts } from './parts.ts';
import { newManifest, randomMark, readHeader, readManifest, type StoredHeader, type StoredManifest } from './stored.ts';

export interface Meta {
  readonly header: StoredHeader;
  readonly manifest: StoredManifest;
}

export function lifted({ header, manifest }: Meta): Meta {
  return {
    header: { ...header, format: FORMAT },
    manifest: header.format === 1 ? newManifest(numberAfterFormat1(manifest.number), manifest.bytes) : manifest,
  };
}

/** Keys of the log's parts were whole numbers, 1,024 to a record. */
const KEYS_PER_RECORD = 1024;

export async function lift(db: IDBPDatabase, transaction: IDBPTransaction<unknown, string[], 'versionchange'>): Promise<void> {
  const meta = transaction.objectStore('meta');
  const [header, manifest] = [readHeader(await meta.get('header')), readManifest(await meta.get('manifest'))];
  const { floor } = header;
  const values = await transaction.objectStore('log').getAll(IDBKeyRange.lowerBound((floor + 1) * KEYS_PER_RECORD));
  const records = fromParts(values, floor + 1);
  db.deleteObjectStore('log');
  const log = makeLog(unwrap(db), floor);
  for (const { number, body } of records) {
    for (const part of toParts(number, body, randomMark())) log.put(part, partKey(number, part.part));
  }
  for (const [key, value] of Object.entries(lifted({ header, manifest }))) await meta.put(value, key);
}

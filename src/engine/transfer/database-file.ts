// A whole database as one file, and back. Loaded when first asked for.
//
// What is in the file: documents with all their history, of the root and of every database in
// it, and with them the schema, the keys, tokens and credentials; indexes with their history.
// Of secrets only the hashes are kept anywhere, and go along: they open nothing, and without
// them a key would be of no use where the file is read. What belongs to the browser's profile
// and not to the data, durability and the root's secret, stays behind.
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import type { BlockCache } from '../kv/block-cache.ts';
import type { Install, LogStore } from '../kv/log-store.ts';
import { EMPTY_MANIFEST, encodeManifest, type Manifest } from '../kv/manifest.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { newBlockId, ROOM, writeSegment } from '../kv/segment-writer.ts';
import { blocksOf } from '../kv/segment.ts';
import type { Applied } from '../txn/applied.ts';
import type { CommitLog } from '../txn/log.ts';
import { type Frames, readFrames, writeFrames } from './frames.ts';
import { EVERYTHING, snapshotOf } from './snapshot.ts';
import { TransferError } from './transfer-error.ts';

/** The parts of an engine that a transfer works with. */
export interface Transferable {
  readonly store: LogStore;
  readonly platform: Platform;
  readonly applied: Applied;
  readonly cache: BlockCache;
  readonly log: CommitLog;
}

/** The file of the state at the call's first step, however long it is read. @throws TransferError `database changed`, StorageError */
export async function* exportDatabase({ applied, log, platform }: Transferable, onProgress: (progress: { readonly bytes: number; readonly of: number }) => void): AsyncGenerator<Uint8Array> {
  await log.refresh();
  const { batches, ...head } = snapshotOf(applied, () => log.reload());
  const of = applied.manifest.segments.reduce((sum, { bytes }) => sum + bytes, applied.unflushed);
  yield* writeFrames(head, measured(batches, (bytes) => onProgress({ bytes: Math.min(bytes, of), of })), platform);
  onProgress({ bytes: of, of });
}

/** Counts bytes as blocks do: without what a key shares with the one before it. */
async function* measured(batches: AsyncIterable<readonly Row[]>, tell: (bytes: number) => void): AsyncGenerator<readonly Row[]> {
  let bytes = 0;
  let last = '';
  for await (const batch of batches) {
    for (const { key, text } of batch) {
      let shared = 0;
      while (shared < key.length && key.charCodeAt(shared) === last.charCodeAt(shared)) shared++;
      bytes += key.length - shared + text.length;
      last = key;
    }
    yield batch;
    tell(bytes);
  }
}

/**
 * Puts a file in place of the database: all of it in one stroke at the end, or nothing.
 * @throws TransferError, StorageError
 */
export async function importDatabase(file: AsyncIterable<Uint8Array>, { replace = false }: { readonly replace?: boolean }, into: Transferable): Promise<void> {
  const { store, platform, log } = into;
  const { head, parts } = await readFrames(file, platform);
  let firstId: number | null = null;
  try {
    firstId = await begin(replace, into);
    // Slices of blocks that nothing refers to. Past its last row stands the whole file, checked.
    const segment = await writeSegment(rowsOf(parts), firstId, store, platform);
    const manifest = { ...EMPTY_MANIFEST, ...head, segments: segment === null ? [] : [segment] };
    await change(replace, into, async ({ manifest: old, manifestNumber, record }) => {
      if (old.loading !== firstId) throw new TransferError('database changed', 'Another import has begun.');
      const dropBlocks = [...(await blocksOf(old.segments, into.cache)), ...old.hashes.map(({ id }) => id)];
      // As after a reset, the floor goes one above the last record: no engine takes its own state for this one.
      return { manifest: { ...manifest, era: manifestNumber + 1 }, dropBlocks, floor: record + 1, last: record };
    });
  } catch (error) {
    await parts.return(undefined);
    // What failed first is what is told.
    if (firstId !== null) await giveUp(firstId, into).catch(() => undefined);
    throw error;
  }
  await log.look();
}

/** Announces blocks from an id on, so that they are found again if nothing comes of them. */
async function begin(replace: boolean, into: Transferable): Promise<number> {
  const { store, platform, applied, log } = into;
  await log.look();
  await requireEmpty(replace, applied);
  const { loading } = applied.manifest;
  if (loading !== null) await dropFrom(loading, store);
  const firstId = await newBlockId(store, platform, applied.manifestNumber);
  await change(replace, into, async ({ manifest, floor }) => ({ manifest: { ...manifest, loading: firstId }, dropBlocks: [], floor }));
  return firstId;
}

/** Leaves nothing behind of an import that failed; unless, for all its failing, it took effect. */
async function giveUp(firstId: number, { store, platform, applied, log }: Transferable): Promise<void> {
  await log.reload();
  const { manifest, manifestNumber: expected, floor } = applied;
  if (manifest.segments.some(({ index }) => index.some(({ id }) => id >= firstId && id < firstId + ROOM))) return;
  await dropFrom(firstId, store);
  if (manifest.loading !== firstId) return;
  await store.install({ expected, manifest: encodeManifest({ ...manifest, loading: null }, platform.utf8), dropBlocks: [], floor });
  await log.reload();
}

/** How often others may be faster. */
const ATTEMPTS = 100;

/** Installs a change made from the present state, once no other engine is faster. */
async function change(
  replace: boolean,
  { store, platform, applied, log }: Transferable,
  make: (applied: Applied) => Promise<Omit<Install, 'expected' | 'manifest'> & { readonly manifest: Manifest }>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await log.look();
    await log.reload();
    await requireEmpty(replace, applied);
    const { manifestNumber: expected } = applied;
    const { manifest, ...rest } = await make(applied);
    if (await store.install({ ...rest, expected, manifest: encodeManifest(manifest, platform.utf8) })) return log.reload();
  }
  throw new TransferError('database changed', 'The database is written to so often that it could not be replaced.');
}

async function requireEmpty(replace: boolean, { source }: Applied): Promise<void> {
  if (replace || (await source.scan(EVERYTHING, false).next()) === null) return;
  throw new TransferError('database not empty', 'The database is not empty: an import has to be told to replace it.');
}

/** Drops the blocks that stand one after the other from an id on, as an import writes them. */
async function dropFrom(firstId: number, store: LogStore): Promise<void> {
  const isThere = async (at: number): Promise<boolean> => (await store.readBlocks([firstId + at]))[0] !== undefined;
  let present = -1;
  let absent = 0;
  for (; await isThere(absent); absent = absent * 2 + 1) present = absent;
  while (absent - present > 1) {
    const middle = (absent + present) >> 1;
    if (await isThere(middle)) present = middle;
    else absent = middle;
  }
  const ids = Array.from({ length: absent }, (_, at) => firstId + at);
  for (let at = 0; at < ids.length; at += DROPPED_AT_ONCE) await store.dropBlocks(ids.slice(at, at + DROPPED_AT_ONCE));
}

const DROPPED_AT_ONCE = 500;

function rowsOf(parts: Frames['parts']): RowCursor {
  let rows: readonly Row[] = [];
  let at = 0;
  const next = (): MaybePromise<Row | null> => {
    const row = rows[at++];
    if (row !== undefined) return row;
    return parts.next().then(({ done, value }) => {
      if (done === true) return null;
      rows = value;
      at = 0;
      return next();
    });
  };
  // Whoever writes it as it comes never leaps.
  return { next, seek: () => {} };
}

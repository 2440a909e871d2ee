// A whole database as one file, and back. Loaded when first asked for.
//
// The file holds all documents with their history, of the root and of every database in it, and so the
// schema, keys, tokens and credentials, too; and indexes with their history. Of secrets it holds the
// hashes that the database holds: nobody gets in with a hash, but without it a key would not work where
// the file is imported. What belongs to the browser's profile and not to the data stays behind: durability
// and the root's secret.
import { ALL_KEYS } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { sharedLength } from '../kv/block.ts';
import type { BlockCache } from '../kv/block-cache.ts';
import { baseOf } from '../kv/block-ids.ts';
import { deadRanges, newBase, rangeOf } from '../kv/epochs.ts';
import type { Install, LogStore } from '../kv/log-store.ts';
import { basesOf, EMPTY_MANIFEST, type HashBlock, type Manifest } from '../kv/manifest.ts';
import { encodeManifest } from '../kv/manifest-writer.ts';
import type { Row, RowCursor } from '../kv/rows.ts';
import { writeSegment, type Writing } from '../kv/segment-writer.ts';
import { sweep } from '../kv/sweep.ts';
import type { Applied } from '../txn/applied.ts';
import type { CommitLog } from '../txn/log.ts';
import { hashBlocks } from '../txn/hash-blocks.ts';
import { KEEP_ALL, Sorting } from '../txn/sorting.ts';
import { type Frames, readFrames, writeFrames } from './frames.ts';
import { snapshotOf } from './snapshot.ts';
import { TransferError } from './transfer-error.ts';

/** The parts of an engine that a transfer works with. */
export interface Transferable {
  readonly store: LogStore;
  readonly platform: Platform;
  readonly applied: Applied;
  readonly cache: BlockCache;
  readonly log: CommitLog;
}

/** How far a transfer has come. */
export interface Progress {
  readonly bytes: number;
  /** How many it will be, about. */
  readonly of: number;
}

/** The file of the state at the call's first step, however long it is read. @throws TransferError `database changed`, StorageError */
export async function* exportDatabase({ applied, log, platform }: Transferable, onProgress: (progress: Progress) => void): AsyncGenerator<Uint8Array> {
  await log.refresh();
  const { batches, ...head } = snapshotOf(applied, () => platform.now(), () => log.reload().then(log.look));
  const of = applied.manifest.segments.reduce((sum, { bytes }) => sum + bytes, applied.unflushed);
  yield* writeFrames(head, measured(batches, (bytes) => onProgress({ bytes: Math.min(bytes, of), of })), platform);
  onProgress({ bytes: of, of });
}

/** Tells how far the batches are, in bytes counted as in blocks: without what a key shares with the one before it. */
async function* measured(batches: AsyncIterable<readonly Row[]>, tell: (bytes: number) => void): AsyncGenerator<readonly Row[]> {
  let bytes = 0;
  let last = '';
  for await (const batch of batches) {
    for (const { key, text } of batch) {
      bytes += key.length - sharedLength(last, key) + text.length;
      last = key;
    }
    yield batch;
    tell(bytes);
  }
}

export interface ImportOptions {
  /** Puts the file in the place of what is there; without it, a database that holds anything is left alone. */
  readonly replace?: boolean;
}

/**
 * Puts a file in place of the database: all of it in one stroke at the end, or nothing.
 * @throws TransferError, StorageError
 */
export async function importDatabase(file: AsyncIterable<Uint8Array>, options: ImportOptions, into: Transferable): Promise<void> {
  const { platform, log } = into;
  const { head, parts, close } = await readFrames(file, platform);
  let base: number | null = null;
  let { life } = into.applied;
  try {
    base = await begin(options, into);
    life = into.applied.life;
    // Nothing refers to these blocks yet. When the last row has been read, the whole file was checked.
    const segments = await writeSegment(rowsOf(parts), writing(base, into), platform.utf8);
    const manifest = { ...EMPTY_MANIFEST, ...head, segments };
    await change(options, into, async ({ manifest: old, manifestNumber, record }) => {
      if (old.loading !== base) throw changedMeanwhile();
      // What was applied to the database that was here is not applied once more to what has taken its place.
      const hashes = [...old.hashes, ...(await knownRequests(into))];
      // As after a reset, the floor goes one above the last record: no engine takes its own state for this one.
      return { manifest: { ...manifest, hashes, era: manifestNumber + 1 }, floor: record + 1, last: record };
    });
  } catch (error) {
    // It may have come to its end unseen.
    log.doubt();
    // The first failure is the one that is told.
    if (base !== null) await giveUp(base, life, into).catch(() => undefined);
    throw error;
  } finally {
    await close().catch(() => undefined);
  }
  // It is done, even if this engine cannot see it yet.
  log.doubt();
  await log.look().catch(() => undefined);
  await tidy(into).catch(() => undefined);
}

/** Puts the hashes of the requests that are in memory into blocks, as a flush does. */
async function knownRequests({ store, platform, applied }: Transferable): Promise<HashBlock[]> {
  const { manifestNumber, lastCommit: upTo } = applied;
  let run = anyRun(platform);
  const blocks = [...hashBlocks(applied, () => newBase(manifestNumber, run++), platform)];
  // All in one go: whatever others do meanwhile has it begin anew.
  if (blocks.length > 0 && !(await store.writeBlocks(blocks))) throw changedMeanwhile();
  return blocks.map(({ id }) => ({ base: baseOf(id), upTo, clock: platform.now() }));
}

const changedMeanwhile = (): TransferError =>
  new TransferError('database changed', 'The database was reset, another import has begun, or too much was done to it meanwhile.');

/** Everything goes into one segment, row by row as it is in the file, with nothing beneath it. */
function writing(base: number, { store, platform }: Transferable): Writing {
  return {
    base,
    settled: true,
    sorter: new Sorting(KEEP_ALL, true, -Infinity),
    // Somebody waits for it.
    inHaste: () => true,
    async write(slice) {
      // One in a thousand engines draws the place where another, which has come to its end in the middle, has left blocks.
      if (!(await store.writeBlocks(slice))) throw changedMeanwhile();
      await platform.later(0);
    },
  };
}

/** Deletes what was replaced; what is left when that fails goes with the next upkeep. */
function tidy({ store, platform, applied }: Transferable): Promise<void> {
  return sweep(store, deadRanges(basesOf(applied.manifest), applied.manifestNumber), () => platform.later(0));
}

/** See `newBase`. */
function anyRun({ random }: Platform): number {
  const [a = 0, b = 0] = random(2);
  return (a << 8) | b;
}

/** Has the manifest name the base of the blocks to come, so that nobody takes them for leftovers. @returns the base */
async function begin(options: ImportOptions, into: Transferable): Promise<number> {
  const run = anyRun(into.platform);
  let base = 0;
  // A base in the epoch that this change ends: an earlier epoch may be swept already.
  await change(options, into, ({ manifest, manifestNumber, floor }) => {
    base = newBase(manifestNumber, run);
    return { manifest: { ...manifest, loading: base }, floor };
  });
  await into.log.reload();
  return base;
}

/** Clears away an import that failed, unless it has taken effect all the same, or into another database: there its base may be another's. */
async function giveUp(base: number, life: number, { store, platform, applied, log }: Transferable): Promise<void> {
  await log.reload();
  const { manifest, manifestNumber: expected, floor } = applied;
  if (applied.life !== life || manifest.segments.some((segment) => segment.base === base)) return;
  // This comes first, as deleting works even where there is no room for a write.
  await sweep(store, [rangeOf(base)], () => platform.later(0));
  if (manifest.loading !== base) return;
  await store.install({ expected, manifest: encodeManifest({ ...manifest, loading: null }, platform.utf8), floor });
  await log.reload();
}

/** How often other engines may be faster. */
const ATTEMPTS = 100;

/** Installs a change made from the present state, once no other engine is faster. */
async function change(
  { replace = false }: ImportOptions,
  { store, platform, applied, log }: Transferable,
  make: (applied: Applied) => MaybePromise<Omit<Install, 'expected' | 'manifest'> & { readonly manifest: Manifest }>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await log.look();
    await log.reload();
    if (!replace) await requireEmpty(applied);
    const { manifestNumber: expected } = applied;
    const { manifest, ...rest } = await make(applied);
    if (await store.install({ ...rest, expected, manifest: encodeManifest(manifest, platform.utf8) })) return;
  }
  throw changedMeanwhile();
}

async function requireEmpty({ source, manifest }: Applied): Promise<void> {
  // Where there are blocks there is something in them. Others may be merging them right now.
  if (manifest.segments.length === 0 && (await source.scan(ALL_KEYS).next()) === null) return;
  throw new TransferError('database not empty', 'The database is not empty: an import has to be told to replace it.');
}

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

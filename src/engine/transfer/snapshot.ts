// Reads all rows as of the last commit while commits go on: rows of later ones are passed over, and
// where upkeep replaces the blocks at hand, reading goes on in the new ones.
import { ALL_KEYS } from '../base/bytes.ts';
import { loop, andThen } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { BlockGone } from '../kv/block-cache.ts';
import type { Row } from '../kv/rows.ts';
import type { Applied } from '../txn/applied.ts';
import { commitOf } from '../txn/current.ts';
import { SPARED } from '../txn/sorting.ts';
import type { Head } from './frames.ts';
import { TransferError } from './transfer-error.ts';

/** Characters of keys and texts handed over at a time. */
const BATCH_SIZE = 64 * 1024;

export interface Snapshot extends Head {
  readonly batches: AsyncGenerator<readonly Row[]>;
}

/** @param reload takes over the manifest as it is now, and then all that was written by then */
export function snapshotOf(applied: Applied, now: () => Ts, reload: () => Promise<void>): Snapshot {
  const { lastCommit, builds, life, manifest: { era } } = applied;
  const isSame = (): boolean => applied.life === life && applied.manifest.era === era;
  // Whether entries that a build adds from now on get into the file does not matter: an import adds them again.
  return { lastCommit, builds, batches: batchesOf(applied, lastCommit, isSame, now, reload) };
}

async function* batchesOf(applied: Applied, lastCommit: Ts, isSame: () => boolean, now: () => Ts, reload: () => Promise<void>): AsyncGenerator<readonly Row[]> {
  let from = '';
  for (;;) {
    const { adoptions } = applied;
    if (!isSame()) throw new TransferError('database changed', 'The database was emptied or replaced while it was read.');
    // Blocks that are read from here on may lack what has been overwritten since, as merging counts it.
    if (Math.min(applied.lastCommit, now()) - SPARED > lastCommit) throw new TransferError('database changed', 'The database was changed too much while it was read: read faster, or when less is written.');
    try {
      for await (const batch of batchesFrom(applied, from, lastCommit)) {
        yield batch;
        from = `${batch.at(-1)?.key}\0`;
      }
      return;
    } catch (error) {
      if (!(error instanceof BlockGone)) throw error;
      await reload();
      // Where no other manifest has come, nothing stands in its place.
      if (applied.adoptions === adoptions) throw error;
    }
  }
}

async function* batchesFrom(applied: Applied, from: string, lastCommit: Ts): AsyncGenerator<readonly Row[]> {
  const cursor = applied.source.scan({ ...ALL_KEYS, from });
  for (;;) {
    const batch: Row[] = [];
    let size = 0;
    // As many rows as come without waiting, up to a full batch.
    const state = await loop<'full' | 'end'>(() =>
      andThen(cursor.next(), (row) => {
        if (row === null) return 'end';
        // Every key ends with the time of its commit.
        if (commitOf(row) > lastCommit) return undefined;
        batch.push(row);
        size += row.key.length + row.text.length;
        return size >= BATCH_SIZE ? 'full' : undefined;
      }),
    );
    if (batch.length > 0) yield batch;
    if (state === 'end') return;
  }
}

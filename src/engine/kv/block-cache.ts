// Blocks that have been read, decoded, within a budget of memory; the one unused longest
// goes first. Blocks asked for in one turn are fetched in one call.
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { decodeBlock } from './block.ts';
import type { LogStore } from './log-store.ts';
import type { Row } from './rows.ts';

/** Decoded rows, with what readers make of them, take about this many times their bytes. */
const GROWTH = 4;

/** Thrown when a block is gone: upkeep has put others in its place, and the reader runs again on those. */
export class BlockGone extends Error {
  override readonly name = 'BlockGone';
}

export class BlockCache {
  private readonly kept = new Map<number, { readonly rows: readonly Row[]; readonly size: number }>();
  private readonly asked = new Map<number, Promise<readonly Row[]>>();
  private size = 0;
  private batch: { readonly ids: number[]; readonly found: Promise<ReadonlyMap<number, Uint8Array | undefined>> } | null = null;

  constructor(
    private readonly store: LogStore,
    private readonly utf8: Platform['utf8'],
    /** Bytes of memory. */
    private readonly budget: number,
  ) {}

  /** The rows of a block: at once when they are kept. @throws BlockGone */
  get(id: number): MaybePromise<readonly Row[]> {
    const known = this.kept.get(id);
    if (known !== undefined) {
      this.kept.delete(id);
      this.kept.set(id, known);
      return known.rows;
    }
    const asked = this.asked.get(id);
    if (asked !== undefined) return asked;
    const reading = this.read(id).finally(() => this.asked.delete(id));
    this.asked.set(id, reading);
    return reading;
  }

  private async read(id: number): Promise<readonly Row[]> {
    const bytes = (await this.fetch(id)).get(id);
    if (bytes === undefined) throw new BlockGone(`block ${id} is gone`);
    const rows = decodeBlock(bytes, this.utf8);
    this.keep(id, rows, bytes.length * GROWTH);
    return rows;
  }

  private fetch(id: number): Promise<ReadonlyMap<number, Uint8Array | undefined>> {
    if (this.batch !== null) {
      this.batch.ids.push(id);
      return this.batch.found;
    }
    const ids = [id];
    const found = Promise.resolve().then(async () => {
      this.batch = null;
      const blocks = await this.store.readBlocks(ids);
      return new Map(ids.map((asked, at) => [asked, blocks[at]]));
    });
    this.batch = { ids, found };
    return found;
  }

  private keep(id: number, rows: readonly Row[], size: number): void {
    this.kept.set(id, { rows, size });
    this.size += size;
    for (const [oldest, { size: freed }] of this.kept) {
      if (this.size <= this.budget) break;
      this.kept.delete(oldest);
      this.size -= freed;
    }
  }
}

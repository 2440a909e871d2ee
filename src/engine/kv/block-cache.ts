// Blocks that were read, within a budget of memory. They go by second chance (CLOCK): the oldest first, but one that
// was asked for again is put behind the others instead. Blocks that are being merged go before all others, then blocks that were only written, which are kept where there is room to spare.
// A block is decoded when all its rows are asked for, or single ones often: a few rows are found in its
// bytes. Blocks asked for in one turn are fetched in one call.
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import type { Key } from '../base/bytes.ts';
import { decodeBlock, findRow } from './block.ts';
import { baseOf } from './block-ids.ts';
import { type Block, type LogStore, StorageError } from './log-store.ts';
import type { Room } from './room.ts';
import { type Blocks, lowerBound, type Row } from './rows.ts';
import type { Sheets } from './sheets.ts';
import { SPARE_SHARE, Weight } from './weight.ts';

/** Thrown when a block is gone: upkeep has put others in its place, and the reader runs again on those. Where no manifest names others the database is damaged. */
export class BlockGone extends StorageError {
  constructor(message: string) {
    super('corrupt', message);
  }
}

/** A block as it was stored, or its rows, and the memory that takes. */
interface Kept {
  content: readonly Row[] | Uint8Array;
  readonly weight: Weight;
  /** Rows that were looked for in its bytes. */
  looks: number;
  /** How often it will be spared: once for each time that it was asked for, up to MOST_SPARED. */
  credit: number;
  /** Whether no manifest names it any more. */
  isDead: boolean;
}

/** Once for a look, twice for what is asked for again and again. */
const MOST_SPARED = 2;

/** Looking for this many single rows takes about as long as decoding the block. */
const MOST_LOOKS = 8;

export class BlockCache implements Blocks {
  /** Those that were asked for, in the order in which they were fetched or spared. */
  private readonly kept = new Map<number, Kept>();
  /** Those that were written here, and not asked for since. */
  private readonly written = new Map<number, Kept>();
  /** Those whose rows are in other blocks, or soon will be: some reader may still need them. */
  private readonly retired = new Map<number, Kept>();
  /** Reads that are under way. */
  private readonly asked = new Map<number, Promise<Kept>>();
  room: Room;
  sheets: Sheets | null = null;
  /** Counts the calls of `clear`: what was asked for before one is not kept after it. */
  private clearings = 0;
  /** Blocks that are asked for in this turn, to be fetched together. */
  private batch: { readonly ids: number[]; readonly found: Promise<ReadonlyMap<number, Uint8Array | undefined>> } | null = null;

  constructor(
    private readonly store: LogStore,
    private readonly utf8: Platform['utf8'],
    /** Bytes of memory. */
    limit: number,
  ) {
    this.room = { used: 0, limit };
  }

  /** The rows of a block: at once when they are kept. @throws BlockGone */
  rows(id: number): MaybePromise<readonly Row[]> {
    const kept = this.get(id);
    return kept instanceof Promise ? kept.then(this.decoded) : this.decoded(kept);
  }

  /** The first row of a block whose key is not less than `key`; `null` where all are less. @throws BlockGone */
  first(id: number, key: Key): MaybePromise<Row | null> {
    const kept = this.get(id);
    return kept instanceof Promise ? kept.then((read) => this.firstOf(read, key)) : this.firstOf(kept, key);
  }

  /** A block that holds no rows, as it is. @throws BlockGone */
  bytes(id: number): MaybePromise<Uint8Array> {
    const kept = this.get(id);
    return kept instanceof Promise ? kept.then(asItIs) : asItIs(kept);
  }

  ahead(ids: readonly number[]): void {
    if (this.room.limit < ROOM_AHEAD) return;
    for (const id of ids) {
      if (this.kept.has(id) || this.asked.has(id)) continue;
      const coming = this.get(id);
      // The look that it is fetched for does not count. Whoever needs the block reads it again, and learns then why it failed.
      if (coming instanceof Promise) coming.then((block) => block.credit--, () => undefined);
    }
  }

  /**
   * Writes blocks through to the store, and keeps them.
   * @returns whether the store has taken them
   */
  async write(blocks: readonly Block[]): Promise<boolean> {
    const { clearings } = this;
    const isTaken = await this.store.writeBlocks(blocks);
    // Meanwhile the ids may have become another database's.
    if (isTaken && clearings === this.clearings) {
      for (const { id, bytes } of blocks) this.written.set(id, this.weighed(bytes));
      this.shrink(SPARE_SHARE, [this.retired, this.written]);
    }
    return isTaken;
  }

  /** The blocks of these bases that are in memory go first from now on, as they are being merged. One that is read again after that has shown that it is needed. */
  retire(bases: readonly number[]): void {
    const merged = new Set(bases);
    this.moveOut([this.written, this.kept], (id) => merged.has(baseOf(id)));
  }

  /** No manifest names blocks of other bases than these any more. Those that nobody has asked for are forgotten now, the others with the next call, as readers may still need them. */
  retain(bases: readonly number[]): void {
    const named = new Set(bases);
    const isDead = (id: number): boolean => !named.has(baseOf(id));
    this.drop([this.written], isDead);
    this.moveOut([this.kept], isDead);
    this.sheets?.drop(isDead);
    for (const [id, block] of this.retired) {
      if (block.isDead) taken(this.retired, id)?.weight.leave();
      else block.isDead = isDead(id);
    }
  }

  /** Blocks of these bases were written, and deleted again before any manifest named them: others may be given their ids. */
  forget(bases: ReadonlySet<number>): void {
    this.drop([this.written, this.kept, this.retired], (id) => bases.has(baseOf(id)));
  }

  /** Changes how much memory the blocks may take; what is too much goes at once. */
  limit(bytes: number): void {
    this.room.limit = bytes;
    this.sheets?.fit();
    this.shrink();
  }

  /** Forgets all blocks: from now on the same ids mean others. */
  clear(): void {
    for (const map of [this.kept, this.written, this.retired]) map.clear();
    this.asked.clear();
    this.room = { ...this.room, used: 0 };
    this.sheets = null;
    this.clearings++;
  }

  private get(id: number): MaybePromise<Kept> {
    const known = this.kept.get(id);
    if (known !== undefined) {
      if (known.credit < MOST_SPARED) known.credit++;
      return known;
    }
    const written = taken(this.written, id);
    if (written !== undefined) {
      this.kept.set(id, written);
      return written;
    }
    const retired = this.retired.get(id);
    if (retired !== undefined) return retired;
    const asked = this.asked.get(id);
    if (asked !== undefined) return asked;
    const reading = this.read(id).finally(() => {
      if (this.asked.get(id) === reading) this.asked.delete(id);
    });
    this.asked.set(id, reading);
    return reading;
  }

  private async read(id: number): Promise<Kept> {
    const { clearings } = this;
    const bytes = (await this.fetch(id)).get(id);
    if (bytes === undefined || clearings !== this.clearings) throw new BlockGone(`block ${id} is gone`);
    const kept = this.weighed(bytes);
    this.kept.set(id, kept);
    this.shrinkFor(kept);
    return kept;
  }

  private weighed(content: Uint8Array): Kept {
    const weight = new Weight();
    weight.enter(this.room, content);
    return { content, weight, looks: 0, credit: 0, isDead: false };
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

  private readonly decoded = (kept: Kept): readonly Row[] => {
    if (!(kept.content instanceof Uint8Array)) return kept.content;
    const rows = decodeBlock(kept.content, this.utf8, kept.weight);
    kept.content = rows;
    kept.weight.change(rows);
    this.shrinkFor(kept);
    return rows;
  };

  private firstOf(kept: Kept, key: Key): Row | null {
    const { content } = kept;
    if (content instanceof Uint8Array && kept.looks++ < MOST_LOOKS) return findRow(content, key, this.utf8);
    const rows = this.decoded(kept);
    return rows[lowerBound(rows, key)] ?? null;
  }

  private drop(maps: readonly Map<number, Kept>[], isOver: (id: number) => boolean): void {
    for (const map of maps) for (const id of map.keys()) if (isOver(id)) taken(map, id)?.weight.leave();
  }

  private moveOut(maps: readonly Map<number, Kept>[], isOver: (id: number) => boolean): void {
    for (const map of maps) {
      for (const [id, kept] of map) {
        if (isOver(id) && map.delete(id)) this.retired.set(id, kept);
      }
    }
  }

  /** Makes room for a block that was just fetched or decoded, and so is needed: it goes after all others that were asked for. */
  private shrinkFor(block: Kept): void {
    const { credit } = block;
    block.credit = MOST_SPARED + 1;
    this.shrink();
    block.credit = credit;
  }

  /** Drops blocks, map by map, the oldest of each first. @param share of the memory that all of them may take */
  private shrink(share = 1, maps = [this.retired, this.written, this.kept]): void {
    for (const map of maps) {
      for (const [id, block] of map) {
        if (this.room.used <= this.room.limit * share) return;
        map.delete(id);
        // Behind all others, where this loop meets it again if they do not suffice.
        if (block.credit-- > 0) map.set(id, block);
        else block.weight.leave();
      }
    }
  }
}

function taken(from: Map<number, Kept>, id: number): Kept | undefined {
  const block = from.get(id);
  if (block !== undefined) from.delete(id);
  return block;
}

/** With less memory, blocks read ahead would push each other out. */
const ROOM_AHEAD = 8 * 2 ** 20;

/** Its id says that the block holds no rows, so it was never decoded. */
const asItIs = ({ content }: Kept): Uint8Array => content as Uint8Array;

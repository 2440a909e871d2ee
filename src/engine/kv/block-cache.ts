// Blocks that have been read, decoded, within a budget of memory; the one unused longest
// goes first. Blocks asked for in one turn are fetched in one call. Blocks that were just written
// are kept as they were written where there is room to spare, and decoded when they are asked for.
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { decodeBlock } from './block.ts';
import { rangeOf } from './block-ids.ts';
import type { Block, LogStore } from './log-store.ts';
import type { Row } from './rows.ts';
import { type Room, SPARED, Weight } from './weight.ts';

/** Thrown when a block is gone: upkeep has put others in its place, and the reader runs again on those. */
export class BlockGone extends Error {
  override readonly name = 'BlockGone';
}

/** What a block is for its readers, and the memory that takes. */
interface Kept {
  readonly content: readonly Row[] | Uint8Array;
  readonly weight: Weight;
}

export class BlockCache {
  private readonly kept = new Map<number, Kept>();
  /** As they were written, and not asked for since. */
  private readonly written = new Map<number, Uint8Array>();
  private readonly asked = new Map<number, Promise<Kept['content']>>();
  private room: Room;
  private clearings = 0;
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
    return this.get(id, this.decode) as MaybePromise<readonly Row[]>;
  }

  /** A block that holds no rows, as it is. @throws BlockGone */
  bytes(id: number): MaybePromise<Uint8Array> {
    return this.get(id, asItIs) as MaybePromise<Uint8Array>;
  }

  /** Fetches blocks that are likely asked for next, as far as they find room. */
  ahead(ids: readonly number[], as: 'rows' | 'bytes' = 'rows'): void {
    if (this.room.limit < ROOM_AHEAD) return;
    for (const id of ids) {
      const coming = this[as](id);
      // Who asks for it in earnest reads it again and learns why.
      if (coming instanceof Promise) coming.catch(() => undefined);
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
      for (const { id, bytes } of blocks) {
        this.written.set(id, bytes);
        this.room.used += bytes.length;
      }
      this.shrinkWritten(SPARED);
    }
    return isTaken;
  }

  /** Forgets what was written and never asked for, unless it is of something that begins at one of these: nobody will ask any more. */
  retain(bases: readonly number[]): void {
    const ranges = bases.map(rangeOf);
    for (const id of this.written.keys()) {
      if (!ranges.some(({ from, to }) => id >= from && id < to)) this.takeWritten(id);
    }
  }

  /** Changes the memory it may take; what is too much goes at once. */
  limit(bytes: number): void {
    this.room.limit = bytes;
    this.shrink();
  }

  /** Forgets all blocks: ids mean others from here on. */
  clear(): void {
    this.kept.clear();
    this.written.clear();
    this.asked.clear();
    this.room = { ...this.room, used: 0 };
    this.clearings++;
  }

  private get(id: number, decode: (bytes: Uint8Array) => Kept): MaybePromise<Kept['content']> {
    const known = this.kept.get(id);
    if (known !== undefined) {
      this.kept.delete(id);
      this.kept.set(id, known);
      return known.content;
    }
    const written = this.takeWritten(id);
    if (written !== undefined) return this.keep(id, decode(written));
    const asked = this.asked.get(id);
    if (asked !== undefined) return asked;
    const reading = this.read(id, decode).finally(() => {
      if (this.asked.get(id) === reading) this.asked.delete(id);
    });
    this.asked.set(id, reading);
    return reading;
  }

  private async read(id: number, decode: (bytes: Uint8Array) => Kept): Promise<Kept['content']> {
    const { clearings } = this;
    const bytes = (await this.fetch(id)).get(id);
    if (bytes === undefined || clearings !== this.clearings) throw new BlockGone(`block ${id} is gone`);
    return this.keep(id, decode(bytes));
  }

  private keep(id: number, decoded: Kept): Kept['content'] {
    this.kept.set(id, decoded);
    decoded.weight.enter(this.room, decoded.content);
    this.shrink();
    return decoded.content;
  }

  /** A block as it was written, which is forgotten as such. */
  private takeWritten(id: number): Uint8Array | undefined {
    const bytes = this.written.get(id);
    if (bytes !== undefined && this.written.delete(id)) this.room.used -= bytes.length;
    return bytes;
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

  private readonly decode = (bytes: Uint8Array): Kept => {
    const weight = new Weight();
    return { content: decodeBlock(bytes, this.utf8, weight), weight };
  };

  /** The oldest go first: what is merged is older than what takes its place. @param share of the memory */
  private shrinkWritten(share: number): void {
    for (const oldest of this.written.keys()) {
      if (this.room.used <= this.room.limit * share) break;
      this.takeWritten(oldest);
    }
  }

  private shrink(): void {
    this.shrinkWritten(1);
    for (const oldest of this.kept.keys()) {
      if (this.room.used <= this.room.limit) break;
      this.kept.get(oldest)?.weight.leave();
      this.kept.delete(oldest);
    }
  }
}

/** With less memory, blocks read ahead would push each other out. */
const ROOM_AHEAD = 8 * 2 ** 20;

const asItIs = (bytes: Uint8Array): Kept => ({ content: bytes, weight: new Weight() });

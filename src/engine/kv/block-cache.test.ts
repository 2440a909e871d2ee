import { describe, expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { encodeBlock } from './block-writer.ts';
import { BlockCache, BlockGone } from './block-cache.ts';
import { blockId } from './block-ids.ts';
import { newBase } from './epochs.ts';
import { type Block, type LogStore } from './log-store.ts';
import { memoryLogStore } from './memory.ts';

const { utf8 } = testPlatform();
const BASE = newBase(3, 7);
const block = (place: number, base = BASE): Block => ({
  id: blockId(base, 'tops', place),
  bytes: encodeBlock([{ key: `key ${place}`, text: 'x'.repeat(1000) }], utf8),
});
const blocks = Array.from({ length: 10 }, (_, place) => block(place));

async function opened(limit: number): Promise<{ cache: BlockCache; store: LogStore; reads: () => number }> {
  const store = memoryLogStore();
  await store.open();
  let reads = 0;
  const counted: LogStore = Object.assign(Object.create(store) as LogStore, {
    readBlocks: (ids: readonly number[]) => {
      reads++;
      return store.readBlocks(ids);
    },
  });
  return { cache: new BlockCache(counted, utf8, limit), store, reads: () => reads };
}

const keyIn = async (cache: BlockCache, { id }: Block): Promise<string | undefined> => (await cache.rows(id))[0]?.key;

describe('blocks that were just written', () => {
  it('are there at once, each time', async () => {
    const { cache, store, reads } = await opened(10 ** 6);
    expect(await cache.write(blocks)).toBe(true);
    for (let time = 0; time < 2; time++) {
      for (const [place, { id }] of blocks.entries()) expect(cache.rows(id)).toMatchObject([{ key: `key ${place}` }]);
    }
    expect(reads()).toBe(0);
    expect(await store.readBlocks([blocks[4]?.id ?? 0])).toEqual([blocks[4]?.bytes]);
  });

  it('leave the oldest of them to the store where there is no room to spare', async () => {
    const { cache, reads } = await opened(8000);
    await cache.write(blocks.slice(0, 8));
    await cache.write(blocks.slice(8));
    // Five of them take three quarters of it.
    expect(await keyIn(cache, blocks[4] as Block)).toBe('key 4');
    expect(reads()).toBe(1);
    for (const [place, one] of blocks.slice(5).entries()) expect(cache.rows(one.id)).toMatchObject([{ key: `key ${place + 5}` }]);
    expect(reads()).toBe(1);
  });

  it('push out nothing that was asked for', async () => {
    const { cache, reads } = await opened(8000);
    for (const one of blocks.slice(0, 4)) {
      await cache.write([one]);
      await keyIn(cache, one);
    }
    await cache.write(blocks.slice(4));
    for (const one of blocks.slice(0, 4)) await keyIn(cache, one);
    expect(reads()).toBe(0);
  });

  it('go first where there is less of it', async () => {
    const { cache, reads } = await opened(10 ** 6);
    await cache.write(blocks);
    cache.limit(0);
    for (const [place, one] of blocks.entries()) expect(await keyIn(cache, one)).toBe(`key ${place}`);
    expect(reads()).toBe(10);
  });

  it('go once nobody will ask for them', async () => {
    const { cache, reads } = await opened(10 ** 6);
    const other = block(1, newBase(4, 8));
    await cache.write([...blocks, other]);
    cache.retain([newBase(4, 8)]);
    await keyIn(cache, other);
    expect(reads()).toBe(0);
    await keyIn(cache, blocks[0] as Block);
    expect(reads()).toBe(1);
  });

  it('are not those of a database that has taken their place meanwhile', async () => {
    const { cache, store } = await opened(10 ** 6);
    const writing = cache.write(blocks);
    cache.clear();
    await writing;
    await store.reset();
    await expect(keyIn(cache, blocks[0] as Block)).rejects.toThrow(BlockGone);
    await cache.write(blocks);
    cache.clear();
    await store.reset();
    await expect(keyIn(cache, blocks[0] as Block)).rejects.toThrow(BlockGone);
  });

  it('are not those that the store has refused', async () => {
    const { cache } = await opened(10 ** 6);
    const [first] = blocks as [Block];
    await cache.write([{ ...first, bytes: encodeBlock([{ key: 'another', text: '' }], utf8) }]);
    expect(await cache.write([first])).toBe(false);
    expect(await keyIn(cache, first)).toBe('another');
  });
});

describe('blocks that were read', () => {
  const many = Array.from({ length: 60 }, (_, place) => block(place));
  const written = async (limit: number) => {
    const opening = await opened(limit);
    await opening.store.writeBlocks(many);
    return opening;
  };

  it('stay as long as they are asked for again and again, whatever is read once beside them', async () => {
    const { cache, reads } = await written(10_000);
    const [hot, ...others] = many as [Block, ...Block[]];
    for (const one of others) for (const next of [hot, one]) await keyIn(cache, next);
    expect(reads()).toBe(many.length);
  });

  it('outlive a scan that is read ahead, even if they are asked for seldom', async () => {
    // Less room than this, and nothing is fetched ahead. It holds some 800 of these.
    const { cache, store, reads } = await opened(8 * 2 ** 20);
    const scanned = Array.from({ length: 1000 }, (_, place) => ({ id: blockId(BASE, 'olds', place), bytes: encodeBlock([{ key: 'key', text: 'x'.repeat(10_000) }], utf8) }));
    const hot = many.slice(0, 8);
    await store.writeBlocks([...many, ...scanned]);
    for (let time = 0; time < 3; time++) for (const one of hot) await keyIn(cache, one);
    const ids = Array.from({ length: 3 }, () => scanned).flat().map(({ id }) => id);
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 1425; at += 19) {
        const next = ids.slice(at, at + 19);
        cache.ahead(next);
        for (const id of next) {
          await cache.rows(id);
          cache.ahead(next);
        }
      }
      const before = reads();
      for (const one of hot) expect(cache.rows(one.id), `round ${round}`).toMatchObject([{}]);
      expect(reads()).toBe(before);
    }
  });

  it('make way for the next ones once nobody asks for them', async () => {
    const { cache, reads } = await written(10_000);
    for (let time = 0; time < 5; time++) for (const one of many.slice(0, 5)) await keyIn(cache, one);
    expect(reads()).toBe(5);
    for (let time = 0; time < 5; time++) for (const one of many.slice(10, 18)) await keyIn(cache, one);
    const then = reads();
    for (const one of many.slice(10, 18)) await keyIn(cache, one);
    expect(reads()).toBe(then);
    for (const one of many.slice(0, 5)) await keyIn(cache, one);
    expect(reads()).toBe(then + 5);
  });

  it('are not pushed out by their own arrival', async () => {
    const { cache, reads } = await written(10_000);
    for (const one of many) {
      await keyIn(cache, one);
      expect(cache.rows(one.id)).toMatchObject([{}]);
    }
    expect(reads()).toBe(many.length);
  });

  it('are not kept where there is no memory', async () => {
    const { cache, reads } = await written(0);
    for (let time = 0; time < 2; time++) for (const one of many.slice(0, 5)) await keyIn(cache, one);
    expect(reads()).toBe(10);
  });
});

describe('blocks in whose place others come', () => {
  const [merged, others, after] = [newBase(3, 7), newBase(3, 8), newBase(4, 9)];
  const some = (base: number): Block[] => Array.from({ length: 4 }, (_, place) => block(place, base));

  it('go before those that were written and those that were asked for, whoever still reads them', async () => {
    const { cache, reads } = await opened(12_000);
    await cache.write([...some(others), ...some(merged)]);
    for (const one of some(merged)) await keyIn(cache, one);
    cache.retire([merged]);
    for (const one of some(merged)) await keyIn(cache, one);
    expect(reads()).toBe(0);
    await cache.write(some(after));
    for (const one of [...some(others), ...some(after)]) await keyIn(cache, one);
    expect(reads()).toBe(0);
    for (const one of some(merged)) await keyIn(cache, one);
    expect(reads()).toBe(4);
  });

  it('are there for who has begun to read them, until the next ones come', async () => {
    const { cache, reads } = await opened(10 ** 6);
    await cache.write([...some(merged), ...some(others)]);
    for (const one of some(merged).slice(0, 2)) await keyIn(cache, one);
    cache.retain([others, after]);
    for (const one of some(merged).slice(0, 2)) await keyIn(cache, one);
    expect(reads()).toBe(0);
    for (const one of some(merged).slice(2)) await keyIn(cache, one);
    expect(reads()).toBe(2);
    cache.retain([others]);
    for (const one of some(merged).slice(0, 2)) await keyIn(cache, one);
    expect(reads()).toBe(4);
  });

  it('are there for who read them while they were merged, until the next ones come', async () => {
    const { cache, reads } = await opened(10 ** 6);
    await cache.write([...some(merged), ...some(others)]);
    cache.retire([merged]);
    for (const one of some(merged)) await keyIn(cache, one);
    cache.retain([others, after]);
    for (const one of some(merged)) await keyIn(cache, one);
    expect(reads()).toBe(0);
    cache.retain([others, after]);
    for (const one of some(merged)) await keyIn(cache, one);
    expect(reads()).toBe(4);
  });
});

describe('a block of which single rows are asked for', () => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ key: `key ${String(at).padStart(3, '0')}`, text: 'x'.repeat(300) }));
  const bytes = encodeBlock(rows, utf8);
  const ids = [1, 2, 3, 4, 5];

  it('takes the room of its bytes alone, until they are many', async () => {
    const { cache, store, reads } = await opened(ids.length * bytes.length);
    await store.writeBlocks(ids.map((id) => ({ id, bytes })));
    for (let look = 0; look < 4; look++) for (const id of ids) expect((await cache.first(id, `key 04${look}`))?.key).toBe(`key 04${look}`);
    expect(reads()).toBe(ids.length);
    for (let look = 0; look < 20; look++) expect((await cache.first(1, 'key 0055'))?.key).toBe('key 006');
    await cache.first(2, '');
    expect(reads()).toBe(ids.length + 1);
  });

  it('has all of them for who asks at the same time', async () => {
    const { cache, store, reads } = await opened(10 ** 6);
    await store.writeBlocks([{ id: 1, bytes }]);
    const [first, all, last, again] = await Promise.all([cache.first(1, ''), cache.rows(1), cache.first(1, 'l'), cache.rows(1)]);
    expect([first?.key, all.length, last, again]).toEqual(['key 000', 100, null, all]);
    expect(reads()).toBe(1);
  });
});

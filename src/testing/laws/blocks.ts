// What every backend promises of blocks.
import { expect, it } from 'vitest';
import type { LogStore } from '../../engine/kv/log-store.ts';
import { bytes, isSame, noise } from '../records.ts';

/** @param openStore a further store on the same log */
export function blockLaws(openStore: () => Promise<LogStore>): void {
  it('come back in the order asked for, and as nothing where there are none', async () => {
    const [a, b] = [await openStore(), await openStore()];
    await a.writeBlocks([
      { id: 7, bytes: noise(32 * 1024, 7) },
      { id: 2, bytes: noise(0, 2) },
    ]);
    expect(await b.readBlocks([2, 9, 7, 2])).toEqual([noise(0, 2), undefined, noise(32 * 1024, 7), noise(0, 2)]);
    expect(await b.readBlocks([])).toEqual([]);
  });

  it('come back whatever their size, one by one and several at once', async () => {
    const [a, b] = [await openStore(), await openStore()];
    // Chromium makes files of values over 64 KB, and reads them later than the rest.
    const blocks = [60, 70, 300, 1_000, 2_000].map((kilobytes, id) => ({ id, bytes: noise(kilobytes * 1024, id) }));
    expect(await a.writeBlocks(blocks)).toBe(true);
    const ids = blocks.map(({ id }) => id);
    for (let round = 0; round < 3; round++) {
      const asked = [ids, ...ids.map((id) => [id]), [4, 2, 0], [1, 3]];
      const found = await Promise.all(asked.map((some) => b.readBlocks(some)));
      const whole = found.map((some) => some.map((block) => blocks.find(({ bytes }) => isSame(bytes, block))?.id));
      expect(whole).toEqual(asked);
    }
  });

  it('are the first ones under their ids: others are refused, and the same, all of a slice', async () => {
    const [a, b] = [await openStore(), await openStore()];
    expect(await a.writeBlocks([{ id: 1, bytes: bytes('first') }])).toBe(true);
    expect(await a.writeBlocks([{ id: 1, bytes: bytes('first') }])).toBe(false);
    const [fresh, known] = [{ id: 2, bytes: bytes('new') }, { id: 1, bytes: bytes('other') }];
    expect(await b.writeBlocks([fresh, known])).toBe(false);
    expect(await b.writeBlocks([known, fresh])).toBe(false);
    expect(await a.readBlocks([1, 2])).toEqual([bytes('first'), undefined]);
  });

  it('come back by ranges of ids and by single ones, with gaps between', async () => {
    const store = await openStore();
    const ids = [1, 2, 3, 5, 6, 9, 2 ** 52, 2 ** 52 + 1];
    for (const id of ids) await store.writeBlocks([{ id, bytes: bytes(`block ${id}`) }]);
    const asked = [6, 5, 4, 1, 2, 3, 2 ** 52 + 1, 2 ** 52, 9, 8];
    expect(await store.readBlocks(asked)).toEqual(asked.map((id) => (ids.includes(id) ? bytes(`block ${id}`) : undefined)));
  });

  it('of a range are deleted, so many at a time', async () => {
    const store = await openStore();
    const ids = [1, 2, 3, 5, 8, 9, 2 ** 52];
    for (const id of ids) await store.writeBlocks([{ id, bytes: bytes(`block ${id}`) }]);
    const left = async (): Promise<number[]> => {
      const blocks = await store.readBlocks(ids);
      return ids.filter((_, at) => blocks[at] !== undefined);
    };
    expect(await store.deleteBlocks({ from: 2, to: 9 }, 3)).toEqual({ deleted: 3, next: 8 });
    expect(await left()).toEqual([1, 8, 9, 2 ** 52]);
    expect(await store.deleteBlocks({ from: 8, to: 9 }, 3)).toEqual({ deleted: 1, next: null });
    expect(await left()).toEqual([1, 9, 2 ** 52]);
    expect(await store.deleteBlocks({ from: 1, to: 9 }, 1)).toEqual({ deleted: 1, next: null });
    expect(await store.deleteBlocks({ from: 10, to: 20 }, 1)).toEqual({ deleted: 0, next: null });
    expect(await left()).toEqual([9, 2 ** 52]);
  });

  it('are kept as they were when their buffer is used again', async () => {
    const store = await openStore();
    const buffer = bytes('before-after');
    await store.writeBlocks([{ id: 1, bytes: buffer.subarray(0, 6) }]);
    buffer.fill(0);
    expect(await store.readBlocks([1])).toEqual([bytes('before')]);
  });
}

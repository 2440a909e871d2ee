import { describe, expect, it } from 'vitest';
import { testPlatform } from '../../testing/platform.ts';
import { decodeBlock } from './block.ts';
import { encodeBlock } from './block-writer.ts';
import { BlockCache } from './block-cache.ts';
import { memoryLogStore } from './memory.ts';
import { Bytes, Obj } from '../value/value.ts';
import type { Row } from './rows.ts';
import type { Room } from './room.ts';
import { remember, Weight } from './weight.ts';

const { utf8 } = testPlatform();
const rowsOf = (weight: Weight, count = 10): Row[] =>
  decodeBlock(encodeBlock(Array.from({ length: count }, (_, at) => ({ key: `key ${at}`, text: 'x'.repeat(100) })), utf8), utf8, weight);
/** About as long as the text, and more where it is not of ASCII. */
const madeOf = ({ text }: Row): unknown => ({ fields: new Obj(['text', 'parts'], [text, [1n, null, new Bytes(new Uint8Array(50))]]) });
const remembered = (rows: readonly Row[]): number => rows.filter(({ memo }) => memo !== undefined).length;
/** More than a block of ten rows and all that is made of them. */
const AMPLE = 100_000;

function inRoom(limit: number): { room: Room; weight: Weight; rows: Row[] } {
  const room: Room = { used: 0, limit };
  const weight = new Weight();
  const rows = rowsOf(weight);
  weight.enter(room, rows);
  return { room, weight, rows };
}

describe('what is made of rows', () => {
  it('is kept and counted as long as there is room to spare', () => {
    const { room, weight, rows } = inRoom(AMPLE);
    const bare = room.used;
    expect(bare).toBeGreaterThan(10 * 100);
    for (const row of rows) remember(row, madeOf(row));
    expect(remembered(rows)).toBe(10);
    expect(room.used).toBeGreaterThan(bare + 10 * (100 + 50));
    expect(room.used).toBeLessThan(bare + 10 * 500);
    weight.leave();
    expect(room.used).toBe(0);
  });

  it('goes with the next one where blocks need the room', () => {
    const { room, rows } = inRoom(1);
    const bare = room.used;
    for (const row of rows) {
      remember(row, row.key);
      expect(row.memo).toBe(row.key);
    }
    expect(rows.map(({ memo }) => memo)).toEqual([...Array.from({ length: 9 }), 'key 9']);
    expect(room.used).toBe(bare);
  });

  it('is not counted any more once its block is not kept', () => {
    const { room, weight, rows } = inRoom(AMPLE);
    weight.leave();
    for (const row of rows) remember(row, row.key);
    expect(room.used).toBe(0);
    expect(remembered(rows)).toBe(1);
  });

  it('of a row in memory is kept in any case', () => {
    const rows: Row[] = [{ key: 'a', text: '' }, { key: 'b', text: '' }];
    for (const row of rows) remember(row, row.key);
    expect(remembered(rows)).toBe(2);
  });
});

it('blocks give way to others also for what was made of their rows', async () => {
  const store = memoryLogStore();
  const counted: number[] = [];
  const counting = { ...store, readBlocks: (ids: readonly number[]) => (counted.push(...ids), store.readBlocks(ids)) };
  await store.open();
  const ids = Array.from({ length: 20 }, (_, at) => at + 1);
  const rows = Array.from({ length: 50 }, (_, at) => ({ key: `key ${at}`, text: 'x'.repeat(100) }));
  await store.writeBlocks(ids.map((id) => ({ id, bytes: encodeBlock(rows, utf8) })));
  // Of all twenty the rows alone, or of few also what is made of them.
  const cache = new BlockCache(counting, utf8, 20 * 50 * 250);
  const readAll = async (make: boolean): Promise<void> => {
    for (const id of ids) for (const row of await cache.rows(id)) if (make && row.memo === undefined) remember(row, { text: `${row.key} ${row.text}`, parts: [row.key, 1n, {}, []] });
  };
  await readAll(false);
  await readAll(false);
  expect(counted).toEqual(ids);
  await readAll(true);
  await readAll(true);
  expect(counted).toEqual(ids);
  const kept = (await Promise.all(ids.map((id) => cache.rows(id)))).flat();
  expect(remembered(kept)).toBeGreaterThan(20);
  expect(remembered(kept)).toBeLessThan(kept.length / 2);
});

import { expect, it } from 'vitest';
import { Sheets } from './sheets.ts';

it('keeps what fits in its part of the memory, and counts it there', () => {
  const room = { used: 10, limit: 400 };
  const sheets = new Sheets<string>(room);
  sheets.keep(1, 'one', 60);
  sheets.keep(2, 'two', 30);
  expect(room.used).toBe(100);
  sheets.keep(3, 'three', 11);
  expect([1, 2, 3].map((block) => sheets.get(block))).toEqual(['one', 'two', undefined]);
  expect(sheets.grow(2, 'two', 11)).toBe(false);
  expect(sheets.grow(2, 'two', 10)).toBe(true);
  expect(sheets.grow(3, 'three', 0)).toBe(false);
  expect(sheets.grow(1, 'another', 0)).toBe(false);
  expect(room.used).toBe(110);
  // Kept anew, it takes the place of what there was.
  sheets.drop((block) => block === 1);
  sheets.keep(2, 'again', 50);
  expect([room.used, sheets.get(1), sheets.get(2)]).toEqual([60, undefined, 'again']);
});

it('keeps most of what is there when it is read through again and again', () => {
  const room = { used: 0, limit: 400 };
  const sheets = new Sheets<number>(room);
  let found = 0;
  for (let round = 0; round < 10; round++) {
    found = 0;
    for (let block = 0; block < 20; block++) {
      if (sheets.get(block) !== undefined) found++;
      else sheets.keep(block, block, 10);
    }
  }
  expect(found).toBeGreaterThanOrEqual(9);
  expect(room.used).toBeLessThanOrEqual(100);
});

it('gives way in time to what is asked for instead', () => {
  const sheets = new Sheets<number>({ used: 0, limit: 400 });
  for (let block = 0; block < 10; block++) sheets.keep(block, block, 10);
  for (let round = 0; round < 60; round++) for (let block = 10; block < 20; block++) if (sheets.get(block) === undefined) sheets.keep(block, block, 10);
  expect(Array.from({ length: 10 }, (_, at) => sheets.get(10 + at)).filter((kept) => kept !== undefined).length).toBe(10);
});

it('forgets all when it may take less than that, and no more where it still fits', () => {
  const room = { used: 0, limit: 400 };
  const sheets = new Sheets<number>(room);
  sheets.keep(1, 1, 90);
  sheets.fit();
  expect(sheets.get(1)).toBe(1);
  room.limit = 300;
  sheets.fit();
  expect([sheets.get(1), room.used]).toEqual([undefined, 0]);
});

import { describe, expect, it } from 'vitest';
import { FORMAT } from '../engine/kv/log-store.ts';
import { bytes, noise } from '../testing/records.ts';
import { fromParts, PART_BYTES, partKey, recordOfKey, type StoredPart, toParts, VOID } from './parts.ts';

const small = toParts(1, bytes('small'), 11);
const large = toParts(2, noise(2 * PART_BYTES + 1, 2), 22);
const last = toParts(3, bytes('last'), 33);

/** The parts with one of them changed, or taken out. */
const withChange = (at: number, change: Partial<StoredPart> | null): unknown[] =>
  [...small, ...large, ...last].flatMap((part, index) => (index !== at ? [part] : change === null ? [] : [{ ...part, ...change }]));

describe('records in parts', () => {
  it('are cut at 60 KB, each part with a buffer of its own', () => {
    expect(large.map(({ bytes }) => bytes.buffer.byteLength)).toEqual([61_440, 61_440, 1]);
    expect(small).toMatchObject([{ format: FORMAT, number: 1, part: 0, parts: 1, attempt: 11 }]);
  });

  it('have one part even when they are empty, and no more than needed when they just fit', () => {
    expect(toParts(1, new Uint8Array(0), 1)).toHaveLength(1);
    expect(toParts(1, new Uint8Array(PART_BYTES), 1)).toHaveLength(1);
    expect(toParts(1, new Uint8Array(PART_BYTES + 1), 1)).toHaveLength(2);
  });

  it('stand under the number of their record and its fractions', () => {
    const keys = [partKey(1), partKey(1, 1022), partKey(2), partKey(2 ** 40, 1022), partKey(2 ** 40 + 1)];
    expect(keys).toEqual([1, 1 + 1022 / 1024, 2, 2 ** 40 + 1022 / 1024, 2 ** 40 + 1]);
    expect(keys.map(recordOfKey)).toEqual([1, 1, 2, 2 ** 40, 2 ** 40 + 1]);
  });

  it('come together again', () => {
    expect(fromParts(withChange(-1, null), 1)).toEqual([
      { number: 1, body: bytes('small') },
      { number: 2, body: noise(2 * PART_BYTES + 1, 2) },
      { number: 3, body: bytes('last') },
    ]);
    expect(fromParts([], 1)).toEqual([]);
  });

  it('are void where they say a lower number than their place has, if they are whole records', () => {
    const [early] = toParts(1, bytes('too early'), 12);
    expect(fromParts([...small, early, VOID, ...toParts(4, bytes('four'), 11)], 1)).toEqual([
      { number: 1, body: bytes('small') },
      { number: 2, body: new Uint8Array() },
      { number: 3, body: new Uint8Array() },
      { number: 4, body: bytes('four') },
    ]);
    const damaged = { code: 'corrupt', message: 'part 0 of record 2 is missing or damaged' };
    expect(() => fromParts([...small, { ...early, bytes: bytes('too earlY') }], 1)).toThrow(expect.objectContaining(damaged));
    for (const broken of [null, undefined, { ...early, bytes: undefined }]) expect(() => fromParts([...small, broken], 1)).toThrow(expect.objectContaining({ code: 'corrupt' }));
    expect(() => fromParts([...small, { ...early, number: 0 }], 1)).toThrow(expect.objectContaining(damaged));
    expect(() => fromParts([...small, { ...early, format: 2 }], 1)).toThrow(expect.objectContaining(damaged));
    expect(() => fromParts([...small, ...toParts(1, noise(PART_BYTES + 1, 1), 12)], 1)).toThrow(expect.objectContaining({ code: 'corrupt' }));
    expect(() => fromParts([...small, { ...VOID, format: FORMAT + 1 }], 1)).toThrow(expect.objectContaining({ code: 'newer-format' }));
  });

  it('are void where the first builds of format 3 have left an empty one without a checksum', () => {
    const early = { ...VOID, checksum: 0 };
    expect(fromParts([...small, early], 1)).toEqual([{ number: 1, body: bytes('small') }, { number: 2, body: new Uint8Array() }]);
    for (const broken of [{ ...early, number: 1 }, { ...early, bytes: bytes('some') }]) expect(() => fromParts([...small, broken], 1)).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  it.each([
    ['another first number', withChange(0, null), 'part 0 of record 1 is missing or damaged'],
    ['a part missing in the middle', withChange(2, null), 'part 1 of record 2 is missing or damaged'],
    ['the last part of a record missing', withChange(3, null), 'part 2 of record 2 is missing or damaged'],
    ['the end of the log cut off inside a record', [...small, ...large.slice(0, 2)], 'part 2 of record 2 is missing or damaged'],
    ['a whole record missing', [...small, ...last], 'part 0 of record 2 is missing or damaged'],
    ['a changed byte', withChange(0, { bytes: bytes('smalL') }), 'record 1 does not match its checksum'],
    ['a changed checksum', withChange(0, { checksum: 1 }), 'record 1 does not match its checksum'],
    ['bytes that are none', withChange(0, { bytes: 'text' as never }), 'part 0 of record 1 is missing or damaged'],
    ['no format', withChange(0, { format: undefined as never }), 'part 0 of record 1 is missing or damaged'],
  ])('are refused with %s', (_, values, message) => {
    expect(() => fromParts(values, 1)).toThrow(expect.objectContaining({ code: 'corrupt', message }));
  });

  it('are refused when a newer version wrote them', () => {
    expect(() => fromParts(withChange(0, { format: FORMAT + 1 }), 1)).toThrow(expect.objectContaining({ code: 'newer-format' }));
  });
});

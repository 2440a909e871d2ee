import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { Bytes, DateValue, Lambda, Obj, Ref, Time, UnresolvedRef, Uuid, type Value } from '../value/value.ts';
import { compare } from './compare.ts';
import type { Collation } from './kind.ts';
import { orderKey, refKey, tupleKey } from './order-key.ts';

const sign = Math.sign;

function orderOf(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hex(key: string): string {
  return [...key].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** Values that are close to each other: two of them are one value with at most one change. */
function neighbours(gen: Gen): [Value, Value] {
  const [a, b] = [gen.value(2), gen.value(2)];
  return gen.pick<() => [Value, Value]>([
    () => [a, b],
    () => [[a, b], [a]],
    () => [[gen.scalar(), a], [gen.scalar(), b]],
    () => [gen.string(), gen.string()],
    () => [Obj.of(['k', a], ['l', b]), Obj.of(['l', b], ['k', a])],
    () => [Obj.of(['k', a]), Obj.of(['k', b])],
    () => [gen.long(), gen.long()],
    () => [gen.long(), Number(gen.long())],
    () => [gen.double(), gen.double()],
    () => [new Lambda('x', a, gen.pick(['2.12', '4']), null), new Lambda(['x'], b, '4', { name: 'y', value: a, outer: null })],
  ])();
}

describe.each<Collation>(['natural', 'legacy'])('order keys in the %s collation', (collation) => {
  it('sort as compare does, and the other way round when descending', () => {
    for (let seed = 1; seed <= 10_000; seed++) {
      const [a, b] = neighbours(new Gen(seed));
      const expected = sign(compare(a, b, collation));
      const message = `seed ${seed}`;
      expect(orderOf(orderKey(a, { collation }), orderKey(b, { collation })), message).toBe(expected);
      expect(orderOf(orderKey(a, { collation, descending: true }), orderKey(b, { collation, descending: true })) + expected, message).toBe(0);
    }
  });

  it('never begin one another', () => {
    for (let seed = 1; seed <= 10_000; seed++) {
      const gen = new Gen(seed);
      const [a, b] = neighbours(gen);
      const options = { collation, descending: gen.bool() };
      const [left, right] = [orderKey(a, options), orderKey(b, options)];
      if (left !== right) expect(left.startsWith(right), `seed ${seed}`).toBe(false);
    }
  });

  it('sort tuples position by position, each in its own direction', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const gen = new Gen(seed);
      const flags = [gen.bool(), gen.bool(), gen.bool()];
      const shared = gen.value(1);
      const a = [gen.bool() ? shared : gen.value(1), gen.value(1), gen.ref()];
      const b = [gen.bool() ? shared : gen.value(1), gen.value(1), gen.ref()];
      const differences = a.map((value, at) => sign(compare(value, b[at] as Value, collation)) * (flags[at] === true ? -1 : 1));
      const expected = differences.find((difference) => difference !== 0) ?? 0;
      expect(orderOf(tupleKey(a, flags, collation), tupleKey(b, flags, collation)), `seed ${seed}`).toBe(expected);
    }
  });

  it('hold only bytes', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const key = orderKey(new Gen(seed).value(), { collation });
      expect(/^[\u0000-\u00ff]*$/.test(key), `seed ${seed}`).toBe(true);
    }
  });
});

// Stored keys outlive the program: a change here needs a new storage format.
describe('the bytes of an order key', () => {
  it.each<[string, Value, string]>([
    ['1', 1n, '10bff0000000000000'],
    ['1.0', 1, '10bff0000000000000'],
    ['-1', -1n, '10400fffffffffffff'],
    ['2^53 + 1', 2n ** 53n + 1n, '10c3400000000000000001'],
    ['-2^53 - 1', -(2n ** 53n) - 1n, '103cbffffffffffffe0001'],
    ['2^63 - 1', 2n ** 63n - 1n, '10c3dfffffffffffff03ff'],
    ['NaN', Number.NaN, '10fff80000000000000000'],
    ['bytes', new Bytes(Uint8Array.of(0, 1, 2, 255)), '200101010202ff00'],
    ['a text', 'a\u0000é中😀', '30610101c3a9e4b8adf09f988000'],
    ['an array', [null, true, false], '40e0c1c000'],
    ['an object', Obj.of(['b', null], ['a', true]), '50306100c1306200e000'],
    ['a ref', new Ref(1024, 1n, 5n), '6080000000000000010400'],
    ['a time', new Time(1_000_000_001n), '70800000000000000100000001'],
    ['a date', new DateValue(1), '808000000001'],
    ['a uuid', new Uuid('00112233-4455-6677-8899-aabbccddeeff'), 'b000112233445566778899aabbccddeeff'],
    ['an unresolved ref', new UnresolvedRef('role', 'x'), '6830726f6c6500307800e0400000'],
  ])('%s', (_, value, bytes) => {
    expect(hex(orderKey(value))).toBe(bytes);
  });

  it('of Longs and Doubles in the legacy collation', () => {
    expect(hex(orderKey(1n, { collation: 'legacy' }))).toBe('108000000000000001');
    expect(hex(orderKey(1, { collation: 'legacy' }))).toBe('d0bff0000000000000');
  });

  it('is complemented when descending', () => {
    expect(hex(orderKey('a', { descending: true }))).toBe('cf9eff');
  });

  it('of a bare ref is ten', () => {
    expect(hex(refKey(new Ref(1025, -1n, 0n)))).toBe('7fffffffffffffff0401');
  });

  it('are a prefix for a shorter tuple', () => {
    expect(tupleKey(['a', 1n]).startsWith(tupleKey(['a']))).toBe(true);
    expect(tupleKey([])).toBe('');
  });
});

describe('time and date keys', () => {
  it('reach over the whole range of the language', () => {
    const day = (days: number) => orderKey(new DateValue(days));
    expect(day(-365_243_219_162) < day(0) && day(0) < day(365_241_780_471)).toBe(true);
    const time = (nanos: bigint) => orderKey(new Time(nanos));
    expect(time(-31_557_014_167_219_200_000_000_000n) < time(-1n)).toBe(true);
    expect(time(0n) < time(31_556_889_864_403_199_999_999_999n)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { differenceOf, distinctPositions, intersectionOf, unionOf } from './multiset.ts';
import { Action, Bytes, DateValue, Obj, Ref, Time, UnresolvedRef, Uuid, type Value } from './value.ts';

describe('multisets', () => {
  it('know a value of every type again when it is made a second time', () => {
    const make = (): Value[] => [
      null, true, 'a', 1n, 1, [1n, [2n]], Obj.of(['a', 1n], ['b', [2]]), new Bytes(new Uint8Array([1, 2])), new Time(5n),
      new DateValue(5), new Uuid('5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11'), new Ref(1024, 1n, 0n), new UnresolvedRef('index', 'a'), new Action('add'),
    ];
    expect(distinctPositions([...make(), ...make()])).toEqual(make().map((_, index) => index));
  });

  it('tell types apart, but not 0.0 from -0.0 nor fields by their order', () => {
    expect(distinctPositions([1n, 1, '1', [1n], [1], 0, -0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(distinctPositions([Obj.of(['a', 1n], ['b', 2n]), Obj.of(['b', 2n], ['a', 1n])])).toEqual([0]);
  });

  it('keep text apart that only looks alike when joined', () => {
    expect(distinctPositions([['a', 'b'], ['a,string b']])).toEqual([0, 1]);
  });

  it('count occurrences', () => {
    expect(unionOf(['b', 'a', 'b'], [['a', 'a', 'c'], ['c', 'c', 'b', 'd']])).toEqual(['b', 'b', 'a', 'a', 'c', 'c', 'd']);
    expect(intersectionOf(['a', 'b', 'a', 'a'], [['a', 'c', 'a', 'b'], ['b', 'a', 'a', 'a']])).toEqual(['a', 'b', 'a']);
    expect(differenceOf(['a', 'b', 'a', 'a'], [['a', 'c'], ['a']])).toEqual(['b', 'a']);
  });

  it('leave a single array as it is', () => {
    for (const of of [unionOf, intersectionOf, differenceOf]) expect(of(['b', 'a', 'b'], [])).toEqual(['b', 'a', 'b']);
  });
});

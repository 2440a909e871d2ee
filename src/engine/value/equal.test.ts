import { describe, expect, it } from 'vitest';
import { equals, same } from './equal.ts';
import { Action, Bytes, DateValue, Doc, DocEvent, Lambda, Obj, Page, Ref, SetValue, Time, UnresolvedRef, Uuid, type Value } from './value.ts';

class TestSet extends SetValue {
  constructor(private readonly of: Obj | Ref) {
    super();
  }
  override describe(): Obj | Ref {
    return this.of;
  }
}

const ref = (id: bigint, scope = 0n) => new Ref(1024, id, scope);

describe('equals', () => {
  it.each<[string, Value, Value, boolean]>([
    ['1 and 1.0', 1n, 1, true],
    ['1.0 and 1', 1, 1n, true],
    ['1 and 1.5', 1n, 1.5, false],
    ['NaN and NaN', Number.NaN, Number.NaN, true],
    ['1 and NaN', 1n, Number.NaN, false],
    ['0.0 and -0.0', 0, -0, false],
    ['0 and -0.0', 0n, -0, false],
    ['0 and 0.0', 0n, 0, true],
    ['2^53 + 1 and 2^53 as a Double', 2n ** 53n + 1n, 2 ** 53, false],
    ['2^63 - 1 and itself', 2n ** 63n - 1n, 2n ** 63n - 1n, true],
    ['[1] and [1.0]', [1n], [1], false],
    ['{a: 1} and {a: 1.0}', Obj.of(['a', 1n]), Obj.of(['a', 1]), false],
    ['"1" and 1', '1', 1n, false],
    ['null and false', null, false, false],
  ])('%s: compares numbers only at the top', (_, a, b, expected) => {
    expect(equals(a, b)).toBe(expected);
  });

  it.each<[Value, string, boolean]>([
    [new Action('create'), 'create', true],
    [new Action('add'), 'create', true],
    [new Action('update'), 'create', true],
    [new Action('remove'), 'delete', true],
    [new Action('delete'), 'delete', true],
    [new Action('delete'), 'remove', false],
    [new Action('add'), 'add', true],
    [new Action('create'), 'add', false],
    [new Action('create'), 'toString', false],
  ])('takes "create" for every action that adds and "delete" for those that take away', (action, text, expected) => {
    expect(equals(action, text)).toBe(expected);
    expect(equals(text, action)).toBe(expected);
  });

  it('keeps two actions apart', () => {
    expect(equals(new Action('add'), new Action('create'))).toBe(false);
    expect(equals(new Action('add'), new Action('add'))).toBe(true);
  });
});

describe('same', () => {
  const pairs: [string, Value, Value][] = [
    ['objects in another key order', Obj.of(['a', 1n], ['b', [2n]]), Obj.of(['b', [2n]], ['a', 1n])],
    ['nested arrays', [[1n], []], [[1n], []]],
    ['0.0 and -0.0', [0], [-0]],
    ['refs', ref(1n), ref(1n)],
    ['times', new Time(5n), new Time(5n)],
    ['dates', new DateValue(5), new DateValue(5)],
    ['bytes', new Bytes(Uint8Array.of(1, 2)), new Bytes(Uint8Array.of(1, 2))],
    ['unresolved refs', new UnresolvedRef('index', 'x'), new UnresolvedRef('index', 'x')],
    ['sets', new TestSet(Obj.of(['singleton', ref(1n)])), new TestSet(Obj.of(['singleton', ref(1n)]))],
    ['documents', new Doc(ref(1n), 5, Obj.of(['data', Obj.empty])), new Doc(ref(1n), 5, Obj.of(['data', Obj.empty]), true)],
    ['an action and its name', new Action('add'), 'add'],
    ['an action and its name, in an array', [new Action('update')], ['create']],
    ['an action and its name, in an object', Obj.of(['a', new Action('remove')]), Obj.of(['a', 'delete'])],
    ['pages', new Page([1n], undefined, [2n]), new Page([1n], undefined, [2n])],
    [
      'lambdas',
      new Lambda('x', Obj.of(['var', 'y']), '4', { name: 'y', value: 1n, outer: null }, 'parsed'),
      new Lambda('x', Obj.of(['var', 'y']), '4', { name: 'y', value: 1n, outer: null }),
    ],
  ];
  it.each(pairs)('holds for %s', (_, a, b) => {
    expect(same(a, b)).toBe(true);
    expect(same(b, a)).toBe(true);
  });

  const others: [string, Value, Value][] = [
    ['a Long and a Double', 1n, 1],
    ['NaN and itself', [Number.NaN], [Number.NaN]],
    ['a longer array', [1n], [1n, 2n]],
    ['an object with another key', Obj.of(['a', null]), Obj.of(['b', null])],
    ['an object with one key more', Obj.of(['a', 1n]), Obj.of(['a', 1n], ['b', 1n])],
    ['refs of two databases', ref(1n, 0n), ref(1n, 7n)],
    ['a document and its fields', new Doc(ref(1n), 5, Obj.empty), Obj.empty],
    ['a time and a date', new Time(0n), new DateValue(0)],
    ['a uuid and its text', new Uuid('0'), '0'],
    ['bytes of another length', new Bytes(Uint8Array.of(1)), new Bytes(Uint8Array.of(1, 2))],
    ['unresolved refs of two kinds', new UnresolvedRef('index', 'x'), new UnresolvedRef('role', 'x')],
    ['an action and the name of another', new Action('create'), 'add'],
    ['pages with and without a cursor', new Page([1n]), new Page([1n], undefined, 2n)],
    ['events of two kinds', new DocEvent('set', 1, 'add', null, undefined), new DocEvent('cursor', 1, 'add', null, undefined)],
    [
      'lambdas with other captures',
      new Lambda('x', 1n, '4', { name: 'y', value: 1n, outer: null }),
      new Lambda('x', 1n, '4', { name: 'y', value: 2n, outer: null }),
    ],
    ['lambdas of two versions', new Lambda('x', 1n, '4', null), new Lambda('x', 1n, '2.12', null)],
  ];
  it.each(others)('does not hold for %s', (_, a, b) => {
    expect(same(a, b)).toBe(false);
    expect(same(b, a)).toBe(false);
  });
});

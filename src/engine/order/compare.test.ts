import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import {
  Action,
  Bytes,
  DateValue,
  Doc,
  DocEvent,
  Lambda,
  Obj,
  Page,
  PendingTs,
  Ref,
  SetValue,
  Time,
  UnresolvedRef,
  Uuid,
  type Value,
} from '../value/value.ts';
import { collectionRefOf } from '../value/ref.ts';
import { compare, compareText } from './compare.ts';
import type { Collation } from './kind.ts';

const sign = Math.sign;
const ref = (id: bigint, collection = 1024, scope = 0n) => new Ref(collection, id, scope);
const bytes = (...data: number[]) => new Bytes(Uint8Array.from(data));

class RefSet extends SetValue {
  override describe(): Ref {
    return ref(5n);
  }
}

function expectAscending(values: readonly Value[], collation: Collation): void {
  values.forEach((a, i) =>
    values.forEach((b, j) => {
      expect(sign(compare(a, b, collation)), `item ${i} against item ${j}`).toBe(sign(i - j));
    }),
  );
}

/** One of each kind but numbers and nothing. */
const MIDDLE: readonly Value[] = [
  bytes(0),
  'a',
  [1n],
  Obj.of(['a', 1n]),
  ref(1n),
  new UnresolvedRef('index', 'x'),
  new Time(0n),
  new DateValue(-10),
  new Lambda('x', null, '2.12', null),
  PendingTs.instance,
  new Uuid('00000000-0000-4000-8000-000000000000'),
  false,
  true,
];

describe('the order between types', () => {
  it('puts all numbers first in the natural collation', () => {
    expectAscending([-Infinity, -1n, 0.5, 1n, 1.5, 2n, Infinity, Number.NaN, ...MIDDLE, null], 'natural');
  });

  it('puts Doubles after Booleans in the legacy collation', () => {
    expectAscending([-1n, 1n, 2n, ...MIDDLE, -Infinity, 0.5, 1.5, Number.NaN, null], 'legacy');
  });

  it('holds inside arrays and objects too', () => {
    expectAscending([[0.5], [1n], ['a']], 'natural');
    expectAscending([[1n], ['a'], [0.5]], 'legacy');
    expectAscending([Obj.of(['k', 1n]), Obj.of(['k', 'a']), Obj.of(['k', 0.5])], 'legacy');
  });
});

describe('the order within a type', () => {
  it.each<[string, readonly Value[]]>([
    ['Longs', [-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n]],
    ['Longs and Doubles beyond 2^53', [2 ** 53, 2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 63n - 1n, 2 ** 63]],
    ['zeros', [-1n, -0, 0, 1e-300]],
    ['bytes', [bytes(), bytes(0), bytes(0, 0), bytes(1), bytes(255)]],
    ['strings', ['', '\u0000', 'A', 'B', 'a', 'aa', 'é', '\ud7fb', '\ue000', '\uffee', '😀', '\u{10ffff}']],
    ['arrays', [[], [1n], [1n, 1n], [2n], ['a']]],
    ['objects', [Obj.empty, Obj.of(['b', 1n], ['a', 1n]), Obj.of(['a', 2n]), Obj.of(['b', 0n])]],
    ['refs', [ref(-1n), ref(1n, 1), ref(1n), ref(2n, 1)]],
    ['times', [new Time(-1n), new Time(0n), new Time(1n), new Time(1000n)]],
    ['dates', [new DateValue(-1), new DateValue(0), new DateValue(20000)]],
    ['lambdas', [new Lambda('z', 9n, '4', null), new Lambda('a', 1n, '2.12', null), new Lambda('a', 2n, '2.12', null)]],
  ])('%s', (_, values) => {
    expectAscending(values, 'natural');
  });

  it('takes a Long and a Double of one value as equal', () => {
    expect(compare(1n, 1)).toBe(0);
    expect(compare(0n, 0)).toBe(0);
    expect(sign(compare(0n, -0))).toBe(1);
    expect(compare(Number.NaN, Number.NaN)).toBe(0);
    expect(sign(compare(2n ** 62n, Number.NaN))).toBe(-1);
  });

  it('does not look at key order or at the database of a ref', () => {
    expect(compare(Obj.of(['a', 1n], ['b', 2n]), Obj.of(['b', 2n], ['a', 1n]))).toBe(0);
    expect(compare(ref(1n, 1024, 0n), ref(1n, 1024, 9n))).toBe(0);
  });

  it('orders half a character like the code point it is', () => {
    const texts = ['\ud83c', '\ud83d', '\ud83d\ud83d', '\ud83d\uffee', '\ude00', '\uffee', '\ud83d\ude00', '\ud83d\ude01'];
    texts.forEach((a, i) => texts.forEach((b, j) => expect(sign(compareText(a, b)), `${i} and ${j}`).toBe(sign(i - j))));
  });
});

describe('composite values', () => {
  it.each<[string, Value, Value]>([
    ['a document', new Doc(ref(1n), 7, Obj.of(['data', 1n])), Obj.of(['ref', ref(1n)], ['class', collectionRefOf(ref(1n))], ['collection', collectionRefOf(ref(1n))], ['ts', 7n], ['data', 1n])],
    ['the event of a document', new DocEvent('document', 3, 'create', ref(1n), Obj.of(['x', 1n])), Obj.of(['ts', 3n], ['action', 'create'], ['resource', ref(1n)])],
    ['the event of a set', new DocEvent('set', 3, 'add', ref(1n), [1n]), Obj.of(['ts', 3n], ['action', 'add'], ['resource', ref(1n)], ['values', [1n]])],
    ['an action', new Action('add'), 'add'],
    ['a page', new Page([1n], undefined, [2n]), Obj.of(['data', [1n]], ['after', [2n]])],
    ['an event', new DocEvent('cursor', 3, 'add', null, undefined), Obj.of(['ts', 3n], ['action', 'add'])],
    ['a set that is shown as a ref', new RefSet(), ref(5n)],
  ])('%s counts as what it is stored as', (_, value, shown) => {
    expect(compare(value, shown)).toBe(0);
  });
});

describe.each<Collation>(['natural', 'legacy'])('the %s collation is a total order', (collation) => {
  it('for any three values', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const gen = new Gen(seed);
      const [a, b, c] = [gen.value(), gen.value(), gen.value()];
      const message = `seed ${seed}`;
      const [ab, bc, ac] = [compare(a, b, collation), compare(b, c, collation), compare(a, c, collation)].map(sign);
      expect(compare(a, a, collation), message).toBe(0);
      expect(sign(compare(b, a, collation)) + (ab ?? 0), message).toBe(0);
      if (ab === bc) expect(ac, message).toBe(ab);
      if (ab === 0) expect(ac, message).toBe(bc);
    }
  });

  it('for any three numbers', () => {
    for (let seed = 1; seed <= 5000; seed++) {
      const gen = new Gen(seed);
      const number = () => (gen.bool() ? gen.long() : gen.bool() ? Number(gen.long()) : gen.double());
      const [a, b, c] = [number(), number(), number()];
      const [ab, bc, ac] = [compare(a, b, collation), compare(b, c, collation), compare(a, c, collation)].map(sign);
      if (ab === bc) expect(ac, `seed ${seed}`).toBe(ab);
      if (ab === 0) expect(ac, `seed ${seed}`).toBe(bc);
    }
  });
});

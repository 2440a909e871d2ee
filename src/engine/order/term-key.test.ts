import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { isArray, Obj, Ref, Time, type Value } from '../value/value.ts';
import { termKey } from './term-key.ts';

/** Type and value written out, by other means than the key. */
function spelled(value: Value): string {
  if (isArray(value)) return `[${value.map(spelled).join()}]`;
  if (value instanceof Obj) {
    const fields = value.entries().map(([key, field]) => `${JSON.stringify(key)}:${spelled(field)}`);
    return `{${fields.sort().join()}}`;
  }
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `long ${value}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const content = { ...value };
  return `${value.constructor.name} ${JSON.stringify(content, (_, part) => (typeof part === 'bigint' ? String(part) : part))}`;
}

describe('term keys', () => {
  it.each<[string, Value, Value]>([
    ['1 and 1.0', 1n, 1],
    ['0.0 and -0.0', 0, -0],
    ['"1" and 1', '1', 1n],
    ['a value and an array of it', 'a', ['a']],
    ['null and no value', null, []],
    ['refs of two databases', new Ref(1024, 1n, 0n), new Ref(1024, 1n, 1n)],
    ['refs of two collections', new Ref(1024, 1n, 0n), new Ref(1025, 1n, 0n)],
    ['a time and its micros', new Time(1000n), 1n],
    ['1 and 1.0 within an array', [1n], [1]],
  ])('tell %s apart', (_, a, b) => {
    expect(termKey([a])).not.toBe(termKey([b]));
  });

  it('do not look at the order of keys', () => {
    expect(termKey([Obj.of(['a', 1n], ['b', 'x'])])).toBe(termKey([Obj.of(['b', 'x'], ['a', 1n])]));
  });

  it('take NaN as one value', () => {
    expect(termKey([Number.NaN])).toBe(termKey([0 / 0]));
  });

  it('of a tuple never begin with those of a shorter one', () => {
    expect(termKey(['a', 'b']).startsWith(termKey(['a']))).toBe(false);
    expect(termKey(['a']).startsWith(termKey([]))).toBe(false);
  });

  it('are equal exactly when the types and values are', () => {
    for (let seed = 1; seed <= 20_000; seed++) {
      const gen = new Gen(seed);
      const tuple = () => gen.list(2, () => gen.value(1));
      const [a, b] = [tuple(), tuple()];
      const message = `seed ${seed}`;
      expect(termKey(a) === termKey(b), message).toBe(spelled(a) === spelled(b));
      if (termKey(a) !== termKey(b)) expect(termKey(a).startsWith(termKey(b)), message).toBe(false);
    }
  });
});

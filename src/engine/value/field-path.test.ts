import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { FieldPath, UNTOLD } from './field-path.ts';
import { readJson, writeJson } from './json.ts';
import { Obj, type Value } from './value.ts';

const told = (path: readonly string[], text: string) => {
  const field = new FieldPath(path);
  const [inText, inObject] = [field.in(text), field.of(readJson(text) as Obj)];
  return { inText, inObject };
};

describe('a field read out of a text', () => {
  it.each<[text: string, path: string, value: Value | undefined]>([
    ['{"data":{"a":1,"b":"x"}}', 'data.a', 1n],
    ['{"data":{"a":1,"b":"x"}}', 'data.b', 'x'],
    ['{"data":{"a":1,"b":"x"}}', 'data.c', undefined],
    ['{"data":{"a":-12,"b":1.5,"c":1e+21,"d":9007199254740993,"e":0.0}}', 'data.a', -12n],
    ['{"data":{"a":-12,"b":1.5,"c":1e+21,"d":9007199254740993,"e":0.0}}', 'data.b', 1.5],
    ['{"data":{"a":-12,"b":1.5,"c":1e+21,"d":9007199254740993,"e":0.0}}', 'data.c', 1e21],
    ['{"data":{"a":-12,"b":1.5,"c":1e+21,"d":9007199254740993,"e":0.0}}', 'data.d', 9007199254740993n],
    ['{"data":{"a":-12,"b":1.5,"c":1e+21,"d":9007199254740993,"e":0.0}}', 'data.e', 0],
    ['{"a":900719925474099,"b":9007199254740991,"c":9007199254740992,"d":9223372036854775807}', 'a', 900719925474099n],
    ['{"a":900719925474099,"b":9007199254740991,"c":9007199254740992,"d":9223372036854775807}', 'b', 9007199254740991n],
    ['{"a":900719925474099,"b":9007199254740991,"c":9007199254740992,"d":9223372036854775807}', 'c', 9007199254740992n],
    ['{"a":900719925474099,"b":9007199254740991,"c":9007199254740992,"d":9223372036854775807}', 'd', 9223372036854775807n],
    ['{"data":{"t":true,"f":false,"n":null,"":""}}', 'data.t', true],
    ['{"data":{"t":true,"f":false,"n":null,"":""}}', 'data.f', false],
    ['{"data":{"t":true,"f":false,"n":null,"":""}}', 'data.n', null],
    ['{"data":{"t":true,"f":false,"n":null,"":""}}', 'data.', ''],
    ['{"data":{"a":1}}', 'data.a.b', undefined],
    ['{"data":{"a":"{"}}', 'data.a.b', undefined],
    ['{"a":{"b":{"c":7}}}', 'a.b.c', 7n],
    ['{"a":[1,2],"b":3}', 'b', 3n],
    ['{"a":",\\"b\\":1","c":"\\\\","b":2}', 'b', 2n],
    ['{"aa":1,"a":2}', 'a', 2n],
    ['{"a":"\\n\\"","b":1}', 'a', '\n"'],
    ['{}', 'a', undefined],
  ])('%s at %s', (text, path, value) => {
    expect(told(path.split('.'), text)).toEqual({ inText: value, inObject: value });
  });

  it.each([
    ['{"a":{"b":1},"b":2}', 'b'],
    ['{"data":{"a":1},"b":2}', 'data.b'],
    ['{"a\\"b":1}', 'b'],
    ['{"a\\"b":1,"b":2}', 'b'],
    ['{"a":{"b":1}}', 'a'],
    ['{"a":[{"b":1}]}', 'a.b'],
    ['{"a":[{"b":1}],"b":2}', 'b'],
    ['{"\\u0061":1}', 'a'],
    ['{"a":":1"}', ':'],
    ['{"a":1,":2":3}', ':1,'],
    ['{"a":"x",":b":1}', ','],
    ['{"data":{"a":":x"}}', 'data.:'],
    ['{"a,":":1"}', ':'],
    ['{"a":["x"],":":1}', '],'],
  ])('is not told of %s at %s', (text, path) => {
    expect(told(path.split('.'), text).inText).toBe(UNTOLD);
  });

  it('is what the object has there, or not told (40,000 objects)', () => {
    const gen = new Gen(1);
    const names = ['a', 'b', 'ab', '', 'a"b', '"a":', '{', '}', '\\', 'é', '0', '__proto__', ',"a', ',', ':', ':1,', '],'];
    const texts = [...names, ':1', ':x', '"b":1', ',"a":1', '{"a":1}', '\\"a":', '\n', 'long text with , and : in it', '\u{1f600}'];
    const numbers = [0n, 7n, -1n, 1023n, 1024n, 123456789012n, 2n ** 60n, -(2n ** 63n), 0.5, -2.25, 1e300, 5e-324];
    const scalars: readonly Value[] = [...texts, ...numbers, true, false, null];
    const valueOf = (depth: number): Value => {
      const kind = gen.below(depth > 3 ? 6 : 9);
      if (kind < 6) return gen.pick(scalars);
      return kind < 8 ? objectOf(gen.below(4), depth + 1) : gen.list(3, () => valueOf(depth + 1));
    };
    const objectOf = (size: number, depth: number): Obj => Obj.from(Object.fromEntries(Array.from({ length: size }, () => [gen.pick(names), valueOf(depth)])));
    let direct = 0;
    for (let round = 0; round < 40_000; round++) {
      const object = objectOf(1 + gen.below(5), 0);
      const path = Array.from({ length: 1 + gen.below(3) }, () => gen.pick(names));
      const field = new FieldPath(path);
      const inText = field.in(writeJson(object));
      if (inText === UNTOLD) continue;
      direct++;
      expect({ path, text: writeJson(object), found: inText }).toEqual({ path, text: writeJson(object), found: field.of(object) });
    }
    expect(direct).toBeGreaterThan(4000);
  });
});

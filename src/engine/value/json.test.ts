import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { doubleText } from './double.ts';
import { isTooDeep, JsonError, readJson, writeJson, writeString } from './json.ts';
import { prettyJson } from './pretty-json.ts';
import { Obj } from './obj.ts';

function failureOf(text: string): string {
  try {
    readJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error.kind;
    throw error;
  }
  return 'none';
}

describe('reading JSON', () => {
  it('keeps Longs and Doubles apart', () => {
    expect(readJson('[1, 1.0, 1e2, -0, -0.0, 1E+2, 12.5e-1]')).toEqual([1n, 1, 100, 0n, -0, 100, 1.25]);
  });

  it('reads the whole range of a Long', () => {
    expect(readJson('[9223372036854775807,-9223372036854775808,9007199254740993,1023,1024]')).toEqual([
      9223372036854775807n,
      -9223372036854775808n,
      9007199254740993n,
      1023n,
      1024n,
    ]);
  });

  it.each(['9223372036854775808', '-9223372036854775809', '1'.repeat(400)])('refuses a Long beyond 64 bits: %s', (text) => {
    expect(failureOf(text)).toBe('syntax');
  });

  it('keeps key order and keys that JavaScript treats specially', () => {
    const read = readJson('{"b":1,"10":2,"a":3,"__proto__":4,"2":5}');
    expect(read).toBeInstanceOf(Obj);
    expect((read as Obj).keys).toEqual(['b', '10', 'a', '__proto__', '2']);
    expect((read as Obj).values).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  it('takes the first of a repeated key', () => {
    expect(readJson('{"a":1,"b":2,"a":3}')).toEqual(Obj.of(['a', 1n], ['b', 2n]));
  });

  it('takes the first of a repeated key in a large object', () => {
    const fields = Array.from({ length: 40 }, (_, at) => `"k${at % 20}":${at}`).join(',');
    const read = readJson(`{${fields}}`) as Obj;
    expect(read.size).toBe(20);
    expect(read.get('k19')).toBe(19n);
    expect(read.get('k3')).toBe(3n);
  });

  it('reads escapes', () => {
    expect(readJson(String.raw`"\"\\\/\b\f\n\r\t\u0041\uD83D\uDE00x"`)).toBe('"\\/\b\f\n\r\tA😀x');
  });

  it('reads a key written with escapes as the same key', () => {
    expect(readJson(String.raw`{"a":1,"\u0061":2}`)).toEqual(Obj.of(['a', 1n]));
  });

  it('replaces lone surrogates, escaped or raw, by a question mark', () => {
    expect(readJson(String.raw`"a\ud800b\udc00"`)).toBe('a?b?');
    expect(readJson('"a\ud800b 😀"')).toBe('a?b 😀');
    expect(readJson('{"\udc00":1}')).toEqual(Obj.of(['?', 1n]));
  });

  it('ignores what follows the first complete value', () => {
    expect(readJson('[1] [2')).toEqual([1n]);
    expect(readJson('1 2')).toBe(1n);
    expect(readJson('{}}')).toEqual(Obj.empty);
    expect(readJson('"a"b')).toBe('a');
  });

  it('skips a byte order mark and space around the value', () => {
    expect(readJson('\ufeff \r\n\t[ ] ')).toEqual([]);
  });

  it.each(['', '   ', '\n'])('calls a text without a value empty: %j', (text) => {
    expect(failureOf(text)).toBe('empty');
  });

  it.each([
    '{', '[', '[1', '[1,', '[1,]', '[,1]', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', "{'a':1}", '{"a" 1}', '{1:1}',
    ']', '}', ',', ':', 'tru', 'truth', 'nul', 'NaN', 'Infinity', 'trueish', '12x', '1.5y',
    '01', '-', '-01', '1.', '.5', '1e', '1e+', '+1', '0x10', '[1.]', '[1e,2]', '1e400', '-1e400',
    '"', '"a', '"\\', '"\\x"', '"\\u12"', '"\\u12g4"', '"a\nb"', '"\u0000"', '"\\', '[1 2]', '{"a":1 "b":2}', '/* */1',
  ])('refuses %j', (text) => {
    expect(failureOf(text)).toBe('syntax');
  });

  it('reads a thousand levels and refuses one more', () => {
    expect(failureOf('['.repeat(1000) + ']'.repeat(1000))).toBe('none');
    expect(failureOf('['.repeat(1001) + ']'.repeat(1001))).toBe('nesting');
    expect(failureOf('{"a":'.repeat(1000) + '1' + '}'.repeat(1000))).toBe('none');
    expect(failureOf('[{"a":'.repeat(501))).toBe('nesting');
  });

  it.each([
    ['['.repeat(1000) + ']'.repeat(1000), false],
    ['['.repeat(1001) + ']'.repeat(1001), true],
    [`[${'{"[":"\\\\\\"[["},'.repeat(1000)}1]`, false],
    ['{"a":[1,'.repeat(501) + '1' + ']}'.repeat(501), true],
  ])('knows of a written text whether it can be read (%#)', (text, tooDeep) => {
    expect(isTooDeep(text)).toBe(tooDeep);
    expect(failureOf(text)).toBe(tooDeep ? 'nesting' : 'none');
  });

  it('does not run out of stack on a text that only opens', () => {
    expect(failureOf('['.repeat(1_000_000))).toBe('nesting');
  });
});

describe('writing JSON', () => {
  it('writes Longs as digits and Doubles with a point or an exponent', () => {
    expect(writeJson([1n, -9223372036854775808n, 1, -0, 1e10, 1e-4, Number.NaN, Infinity, -Infinity])).toBe(
      '[1,-9223372036854775808,1.0,-0.0,1.0E10,1.0E-4,"NaN","Infinity","-Infinity"]',
    );
  });

  it('escapes only quotes, backslashes and control characters', () => {
    expect(writeString('a"\\/\b\t\f\n\r\u0001\u001f\u007fé中😀\u2028')).toBe(
      '"a\\"\\\\/\\b\\t\\f\\n\\r\\u0001\\u001f\u007fé中😀\u2028"',
    );
  });

  it('writes a lone surrogate as a question mark', () => {
    expect(writeString('a\ud800"')).toBe('"a?\\""');
  });

  it('writes objects in key order, empty ones too', () => {
    expect(writeJson(Obj.of(['b', Obj.empty], ['10', []], ['a"', null], ['x', [true, false]]))).toBe(
      '{"b":{},"10":[],"a\\"":null,"x":[true,false]}',
    );
  });

  it('spreads text over lines', () => {
    expect(prettyJson('{"a":[1,1.0,{}],"b":[],"c":{"d":"x,{"}}')).toBe(
      '{\n  "a": [\n    1,\n    1.0,\n    {}\n  ],\n  "b": [],\n  "c": {\n    "d": "x,{"\n  }\n}',
    );
  });

  it('reads back what it wrote', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const value = new Gen(seed).json(4);
      expect(readJson(writeJson(value)), `seed ${seed}`).toStrictEqual(value);
    }
  });

  it('writes text that the platform reads with the same meaning', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const text = writeJson(new Gen(seed).json(4));
      expect(JSON.parse(prettyJson(text)), `seed ${seed}`).toStrictEqual(JSON.parse(text));
      expect(writeJson(readJson(prettyJson(text))), `seed ${seed}`).toBe(text);
    }
  });
});

describe('the text of a Double', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [-12.5, '-12.5'],
    [9999999, '9999999.0'],
    [1e7, '1.0E7'],
    [12345678.9, '1.23456789E7'],
    [0.001, '0.001'],
    [0.00099, '9.9E-4'],
    [1.5e300, '1.5E300'],
    [5e-324, '4.9E-324'],
    [1e23, '1.0E23'],
    [-1.7976931348623157e308, '-1.7976931348623157E308'],
    [123456.789, '123456.789'],
    [2 ** 53, '9.007199254740992E15'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('writes %d as Java does', (value, text) => {
    expect(doubleText(value)).toBe(text);
  });
});

// The quick way of reading JSON and the careful one: of every text they make the same.
import { describe, expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { readJson } from './json.ts';
import { readPlain } from './json-plain.ts';
import { JsonError, JsonReader } from './json-reader.ts';

const KEYS = ['a', 'b', 'ab', '0', '1', '10', '01', '-1', '4294967294', '4294967295', '', ' ', ':', '": ', '__proto__', 'constructor', '@ref', 'é', '😀', 'a\\u0062', '\\u0061', '\\ud800', '\\\\', 'k\\"'];
const STRINGS = [...KEYS, '\u{10000}', '\u{103ff}1', '1,1234567890123456789,2', ':1234567890123456789', '10:30.5', ', 1.0', '":', ' :', 'x" :', '\\":', '\\\\', '\\ud83d\\ude00', '\\uDC00', '\ud800', '\n', 'a"', 'word word'];
const NUMBERS = ['0', '-0', '1', '-1', '1023', '1024', '1600000000000', '9007199254740991', '9007199254740992', '-9007199254740993', '1234567890123456', '-481386573306266623', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '0000000000000000001', '1'.repeat(310), '01', '1.', '.5', '1.0', '-0.0', '0.5', '-12.25', '1.50', '0.1', '123456.789', '1e2', '1E-2', '1.5e1', '1.5E0', '1e400', '1234567.1234567', '123456789012345.99', '0.99999999999999999999', '9007199254740991.5', '0.0000001', '1.5x'];

/** A text that is nearly JSON. */
function textOf(gen: Gen, levels: number): string {
  const space = (): string => (gen.below(12) === 0 ? gen.pick([' ', '\n', '\r\n', '\t', '\f']) : '');
  const quoted = (pool: readonly string[]): string => `"${gen.pick(pool)}"`;
  const value = (depth: number): string => {
    const kind = gen.below(depth > 0 ? 8 : 5);
    if (kind < 2) return quoted(STRINGS);
    if (kind < 4) return gen.pick(NUMBERS);
    if (kind === 4) return gen.pick(['true', 'false', 'null', 'nul']);
    if (kind === 5) return `[${gen.list(4, () => space() + value(depth - 1) + space()).join(',')}]`;
    return `{${gen.list(4, () => `${space()}${gen.below(40) === 0 ? gen.pick(NUMBERS) : quoted(KEYS)}${space()}:${space()}${value(depth - 1)}${space()}`).join(',')}}`;
  };
  const text = space() + value(levels) + space();
  const at = gen.below(text.length);
  return gen.below(6) === 0 ? text.slice(0, at) + gen.pick(['', ' ', ',', '"', '\\', '1', ':']) + text.slice(at + gen.below(2)) : text;
}

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

describe('the quick way of reading JSON', () => {
  it('gives what the careful way gives, also of texts that are nearly JSON', () => {
    let plain = 0;
    for (let seed = 1; seed <= 5_000; seed++) {
      const text = textOf(new Gen(seed), 3);
      expect(outcome(() => readJson(text)), `seed ${seed}: ${text}`).toStrictEqual(outcome(() => new JsonReader(text).document()));
      if (readPlain(text) !== undefined) plain++;
    }
    expect(plain).toBeGreaterThan(1000);
  });

  it.each([
    '{"a":1,"b":[true,null,"x"],"c":{"d":1.25,"e":-7}}',
    ' { "10" : 1 }'.replace('" :', '":'),
    String.raw`{"text":"line\n\"quoted\" 10:30 and \u00e9"}`,
    '["😀",1600000000000,9007199254740991, 9007199254740993]',
    '["\u{10330}",1234567890123456789]',
    '[[1600009999000,{"@r":[1024,-481386573306266623,0]}]]',
    '['.repeat(1000) + ']'.repeat(1000),
  ])('is the way of %s', (text) => {
    expect(readPlain(text)).toStrictEqual(new JsonReader(text).document());
  });

  it.each([
    '{"a":1,"a":2}', '{"a" :1,"a":2}', '{"a":1,"a":":"}', '[{"a":1},{"b":1,"\\u0062":2}]', // a key twice
    '{"b":1,"1":2}', '[1.0]', '[ -0.0]', '1e2', '[0.99999999999999999999]', '[9223372036854775808]', '{"a":1,1234567890123456:2}', '[",1234567890123456,"]', '["\\ud800"]', '["\ud800"]',
    '[1] x', '[', '', '\ufeff1', '['.repeat(1001) + ']'.repeat(1001),
  ])('leaves %s to the careful way', (text) => {
    expect(readPlain(text)).toBeUndefined();
  });
});

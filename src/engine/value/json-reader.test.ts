import { expect, it } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { JsonReader } from './json-reader.ts';
import { isArray, Obj, type Value } from './value.ts';

const STRINGS = ['', 'a', 'word word', 'é', '😀', 'line\nbreak', '"quoted"', 'back\\slash', ', 1.0', ':1234567890123456789', '{"a":1}', '\u2028', '\u0000', 'x'.repeat(40)];
const NUMBERS = [0, 1, -1, 1023, 1024, 1_600_000_000_000, Number.MAX_SAFE_INTEGER, 0.5, -12.25, 1e21, 1e-7, 123_456.789];

/** A value as the platform has it; keys are never integers, which it would move to the front. */
function json(gen: Gen, levels: number): unknown {
  const kind = gen.below(levels > 0 ? 6 : 4);
  if (kind === 0) return gen.pick(STRINGS);
  if (kind === 1) return gen.pick(NUMBERS);
  if (kind === 2) return gen.pick([true, false, null]);
  if (kind === 3) return gen.below(2) === 0 ? [] : {};
  if (kind === 4) return gen.list(12, () => json(gen, levels - 1));
  return Object.fromEntries(gen.list(12, () => [`k${gen.pick(STRINGS)}${gen.below(4)}`, json(gen, levels - 1)]));
}

/** The same as the platform would have it. */
function native(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isArray(value)) return value.map(native);
  return value instanceof Obj ? Object.fromEntries(value.entries().map(([key, field]) => [key, native(field)])) : value;
}

it('reads what the platform has written, however it is spaced', () => {
  for (let seed = 1; seed <= 2_000; seed++) {
    const value = json(new Gen(seed), 4);
    for (const space of [0, 1, '\t']) {
      expect(native(new JsonReader(JSON.stringify(value, null, space)).document()), `seed ${seed}`).toStrictEqual(value);
    }
  }
});

it('refuses what the platform refuses, wherever a character is missing, doubled or another', () => {
  let refused = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const gen = new Gen(seed);
    // In an array what follows it would not be looked at.
    const text = JSON.stringify({ all: json(gen, 3) });
    const at = 1 + gen.below(text.length - 2);
    const wrong = `${text.slice(0, at)}${gen.pick(['', text.charAt(at).repeat(2), ',', ':', '"', '[', '{', '1', 'x', '\\'])}${text.slice(at + 1)}`;
    const theirs = outcome(() => JSON.parse(wrong) as unknown);
    const ours = outcome(() => native(new JsonReader(wrong).document()));
    // A key twice and an integer beyond 64 bits are ours to say, and text behind the value is not looked at.
    if (theirs === 'refused' && ours !== 'refused') expect(isPrefixRead(wrong), `seed ${seed}: ${wrong}`).toBe(true);
    if (theirs !== 'refused' && ours === 'refused') expect(/\d{19}/.test(wrong), `seed ${seed}: ${wrong}`).toBe(true);
    if (ours === 'refused') refused++;
  }
  expect(refused).toBeGreaterThan(1000);
});

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

/** Whether some beginning of a text is a value that the platform reads. */
function isPrefixRead(text: string): boolean {
  for (let end = text.length - 1; end > 0; end--) if (outcome(() => JSON.parse(text.slice(0, end)) as unknown) !== 'refused') return true;
  return false;
}

it.each([3, 12])('takes the first of a key that is given twice among %i', (count) => {
  const fields = Array.from({ length: count }, (_, at) => `"k${at}":${at}`);
  const read = new JsonReader(`[{${[...fields, '"k1":"again"', '"last":null', '"last":1'].join()}}]`).document();
  const [object] = read as readonly Obj[];
  expect(object?.keys).toEqual([...fields.map((_, at) => `k${at}`), 'last']);
  expect(object?.values).toEqual([...fields.map((_, at) => BigInt(at)), null]);
});

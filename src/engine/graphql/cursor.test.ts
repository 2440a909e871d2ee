import { describe, expect, it } from 'vitest';
import { DateValue, Time } from '../value/time.ts';
import golden from './golden/requests-pagination.json';
import { type Cursor, decodeCursor, encodeCursor, NamedRef } from './cursor.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const utf8 = { encode: (text: string) => encoder.encode(text), decode: (bytes: Uint8Array) => decoder.decode(bytes) };
const letter = (id: string) => new NamedRef('Letters', id);

describe('cursors', () => {
  it.each([
    [golden.expected[1]?.data.allLetters.after, 'after', '234439110495835657'],
    [golden.expected[2]?.data.allLetters.before, 'before', '234439110495835657'],
    [golden.expected[2]?.data.allLetters.after, 'after', '234439110495840777'],
  ] as const)('are the bytes of the gateway: %s', (text, direction, id) => {
    const cursor: Cursor = { direction, values: [letter(id)] };
    expect(encodeCursor(cursor, utf8)).toBe(text);
    expect(decodeCursor(text ?? '', utf8)).toEqual(cursor);
  });

  it('hold every kind of value an index can cover', () => {
    const cursor: Cursor = {
      direction: 'after',
      values: [null, true, 'häß', 23n, -70000n, 5_000_000_000n, 1.5, new Time(1n), new DateValue(-3), ['a', letter('1')]],
    };
    expect(decodeCursor(encodeCursor(cursor, utf8), utf8)).toEqual(cursor);
  });

  it.each(['', 'not base64!', 'AAAA', '2DOB', '2DSB', '2DPbAAAAAAAAAAA=', '2DObf/////////8='])('refuse other text: %s', (text) => {
    expect(decodeCursor(text, utf8)).toBeNull();
  });

  it('refuse text nested to exhaust the stack', () => {
    expect(decodeCursor(`2DOB${'gYGB'.repeat(20_000)}`, utf8)).toBeNull();
  });
});

// Strings (reference: fql/functions.md §11). Lengths and offsets are in code points.
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import { outOfBounds } from '../../errors/codes.ts';
import { integer, oneOf, optional, scalar, string, zeroOrMore } from '../../form/casts.ts';
import type { Budget } from '../../form/budget.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { foldCase, normalize } from '../../value/fold-case.ts';
import { toCount } from '../../value/long.ts';
import type { Value } from '../../value/value.ts';
import { countPoints, offsetOfPoint } from '../text/code-points.ts';
import { textLibrary } from '../text/lazy.ts';
import { affordable } from '../text/length-limit.ts';
import { format } from './format.ts';
import { patterns } from './patterns.ts';
import { unary } from './unary.ts';

const SOURCE = 'functions.md §11; ast/functions/StringFunctions';

/** `repeat` and `space` make no more than this of one string. */
const MAX_REPEATS = 1024n;
/** A string made from a string. */
const mapping = (name: string, summary: string, map: (text: string) => MaybePromise<string>, ...examples: readonly Example[]): Form =>
  unary(name, string, {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run(text, { budget }) {
      affordable(text.length, budget);
      return map(text);
    },
  });

const inLibrary = (name: 'quoteRegex' | 'titleCase' | 'trimStart' | 'trimEnd' | 'trimSpace') => (text: string): MaybePromise<string> =>
  andThen(textLibrary(), (library) => library[name](text));

/** Whether a string stands in another one. */
const test = (
  name: string,
  summary: string,
  holds: (text: string, search: string, budget: Budget) => MaybePromise<boolean>,
  ...examples: readonly Example[]
): Form =>
  form({
    params: { [name]: string, search: string },
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    run: ({ [name]: text = '', search }, { budget }) => holds(text, search as string, budget),
  });

/** Where a string stands in another, from a place on; -1 where it does not. */
const indexIn = (text: string, find: string, from: number, budget: Budget): MaybePromise<number> =>
  andThen(textLibrary(), (library) => library.indexIn(text, find, from, budget));

const NORMALIZERS = ['NFKCCaseFold', 'NFC', 'NFD', 'NFKC', 'NFKD'] as const;

const times = (count: bigint): number => Number(count < 0n ? 0n : count > MAX_REPEATS ? MAX_REPEATS : count);

export const strings: readonly Form[] = [
  form({
    params: { concat: zeroOrMore(string), separator: optional(string) },
    effect: 'pure',
    source: SOURCE,
    summary: 'Strings put one after the other, with a separator between them.',
    examples: [
      ['{"concat": ["Fire", "ball"]}', '"Fireball"'],
      ['{"concat": ["a", "b", "c"], "separator": ", "}', '"a, b, c"'],
    ],
    run: ({ concat, separator = '' }, { budget }) => {
      affordable(concat.reduce((sum, text) => sum + text.length + separator.length, 0), budget);
      return concat.join(separator);
    },
  }),
  form({
    params: { casefold: zeroOrMore(scalar), normalizer: optional(oneOf(NORMALIZERS)) },
    effect: 'pure',
    source: SOURCE,
    summary: 'Strings without regard to case, or in a normal form of Unicode; one string gives a string, several an array.',
    examples: [
      ['{"casefold": "Straße"}', '"strasse"'],
      ['{"casefold": ["A", 1]}', '["a",1]'],
      ['{"casefold": "ﬁ", "normalizer": "NFKC"}', '"fi"'],
    ],
    run: ({ casefold, normalizer = 'NFKCCaseFold' }, { budget }) => {
      const fold = (text: string): string => {
        affordable(text.length, budget);
        return normalizer === 'NFKCCaseFold' ? foldCase(text) : normalize(text, normalizer);
      };
      const folded = casefold.map((value): Value => (typeof value === 'string' ? fold(value) : value));
      return folded.length === 1 ? (folded[0] as Value) : folded;
    },
  }),
  test('containsstr', 'Whether a string contains another.', (text, search, budget) => andThen(indexIn(text, search, 0, budget), (place) => place >= 0), [
    '{"containsstr": "Fireball", "search": "ball"}',
    'true',
  ]),
  test('startswith', 'Whether a string begins with another.', (text, search) => text.startsWith(search), [
    '{"startswith": "Fireball", "search": "Fire"}',
    'true',
  ]),
  test('endswith', 'Whether a string ends with another.', (text, search) => text.endsWith(search), [
    '{"endswith": "Fireball", "search": "Fire"}',
    'false',
  ]),
  form({
    params: { findstr: string, find: string, start: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary: 'Where a string first stands in another, from a position on; -1 where it does not.',
    examples: [
      ['{"findstr": "a big apple", "find": "a", "start": 2}', '6'],
      ['{"findstr": "a big apple", "find": "pear"}', '-1'],
    ],
    run: ({ findstr, find, start = 0n }, { budget }) => {
      const used = start > 0n && start < BigInt(findstr.length);
      const place = indexIn(findstr, find, used ? offsetOfPoint(findstr, Number(start)) : 0, budget);
      return andThen(place, (found) => BigInt(found < 0 ? -1 : countPoints(findstr, 0, found)));
    },
  }),
  unary('length', string, {
    effect: 'pure',
    source: SOURCE,
    summary: 'How many characters a string has.',
    examples: [['{"length": "héllo 😀"}', '7']],
    run: (text) => BigInt(countPoints(text)),
  }),
  mapping('lowercase', 'A string in small letters.', (text) => text.toLowerCase(), ['{"lowercase": "Fire BALL"}', '"fire ball"']),
  mapping('uppercase', 'A string in capitals.', (text) => text.toUpperCase(), ['{"uppercase": "Fire ball"}', '"FIRE BALL"']),
  mapping('titlecase', 'A string with a capital at the beginning of each word.', inLibrary('titleCase'), [
    '{"titlecase": "one FISH two-fish"}',
    '"One Fish Two-Fish"',
  ]),
  mapping('regexescape', 'A regular expression that matches just this string.', inLibrary('quoteRegex'), [
    '{"regexescape": "a.b"}',
    '"\\\\Qa.b\\\\E"',
  ]),
  mapping('ltrim', 'A string without the white space at its beginning.', inLibrary('trimStart'), ['{"ltrim": "  a "}', '"a "']),
  mapping('rtrim', 'A string without the white space at its end.', inLibrary('trimEnd'), ['{"rtrim": " a  "}', '" a"']),
  mapping('trim', 'A string without the white space at both ends.', inLibrary('trimSpace'), ['{"trim": "  a  "}', '"a"']),
  form({
    params: { ngram: zeroOrMore(scalar), min: optional(integer), max: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary: 'All pieces of strings of one to two characters, or of the sizes given.',
    examples: [
      ['{"ngram": "abc"}', '["a","ab","b","bc","c"]'],
      ['{"ngram": "abcd", "min": 3, "max": 4}', '["abc","abcd","bcd"]'],
    ],
    run: ({ ngram, min, max }, { budget }, at) =>
      andThen(textLibrary(), ({ gramSizes, nGrams }) => {
        const [least, most] = gramSizes(min, max, at);
        affordable(ngram.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length * (least + most) : 0), 0), budget);
        return ngram.flatMap((value): readonly Value[] => (typeof value === 'string' ? nGrams(value, least, most) : [value]));
      }),
  }),
  form({
    params: { repeat: string, number: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary: 'A string repeated, twice unless told, at most 1024 times.',
    examples: [
      ['{"repeat": "ab"}', '"abab"'],
      ['{"repeat": "-", "number": 5}', '"-----"'],
    ],
    run: ({ repeat, number = 2n }, { budget }) => {
      affordable(repeat.length * times(number), budget);
      return repeat.repeat(times(number));
    },
  }),
  form({
    params: { replacestr: string, find: string, replace: string },
    effect: 'pure',
    source: SOURCE,
    summary: 'A string with every occurrence of another replaced.',
    examples: [['{"replacestr": "one fish two fish", "find": "fish", "replace": "bird"}', '"one bird two bird"']],
    run: ({ replacestr, find, replace }, { budget }) => andThen(textLibrary(), ({ replaceAll }) => replaceAll(replacestr, find, replace, budget)),
  }),
  unary('space', integer, {
    effect: 'pure',
    source: SOURCE,
    summary: 'So many spaces, at most 1024.',
    examples: [['{"space": 3}', '"   "']],
    run: (count) => ' '.repeat(times(count)),
  }),
  form({
    params: { substring: string, start: optional(integer), length: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary: 'A part of a string, from a position on; a negative one counts from the end.',
    examples: [
      ['{"substring": "Fireball", "start": 4}', '"ball"'],
      ['{"substring": "Fireball", "start": -4, "length": 2}', '"ba"'],
    ],
    run: ({ substring: text, start = 0n, length }, _ctx, at) => {
      const size = countPoints(text);
      const from = toCount(start) + (start < 0n ? size : 0);
      if (from < 0 || from > size) throw outOfBounds(at, 'start', 'less than or equal to the string length');
      if (length !== undefined && length < 0n) throw outOfBounds(at, 'length', 'positive');
      const to = length === undefined ? size : from + toCount(length);
      return text.slice(offsetOfPoint(text, from), offsetOfPoint(text, to));
    },
  }),
  ...patterns,
  format,
];

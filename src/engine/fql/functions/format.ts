// `format` (reference: fql/functions.md §11): which conversion takes which values.
import type { Path } from '../../base/path.ts';
import { cannotCast, invalidConversion, invalidDateSuffix, outOfBounds, wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import { any, string, zeroOrMore } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { form } from '../../form/form.ts';
import { DateValue, Time, type Value } from '../../value/value.ts';
import { render } from '../../wire/encode.ts';
import { type Wire, WIRE_VERSIONS } from '../../wire/version.ts';
import { namesIn } from '../names.ts';
import { formatDate } from '../text/date-format.ts';
import { BadSpecifier, formatDouble, formatLong, formatText, readFormat, type Specifier } from '../text/java-format.ts';
import { affordable } from '../text/length-limit.ts';
import { textOf } from './conversion.ts';

/** Prints a value; `null` when flags, width and precision do not go together. */
type Print = (value: Value, specifier: Specifier, at: Path, ctx: EvalContext) => string | null;

const printLong: Print = (value, specifier, at) => {
  if (typeof value !== 'bigint') throw wrongType(at, ['Integer'], typeName(value));
  return formatLong(value, specifier);
};

const printDouble: Print = (value, specifier, at) => {
  if (typeof value !== 'number') throw wrongType(at, ['Number'], typeName(value));
  return formatDouble(value, specifier);
};

const printString: Print = (value, specifier, at) => {
  const text = textOf(value);
  if (text === undefined) throw cannotCast(at, typeName(value), 'String');
  return formatText(text, specifier);
};

const printBoolean: Print = (value, specifier) => formatText(String(value !== false && value !== null), specifier);

const printDate: Print = (value, specifier, at) => {
  if (!(value instanceof Time || value instanceof DateValue)) throw wrongType(at, ['Date', 'Time'], typeName(value));
  const printed = formatDate(value, specifier);
  if (printed === 'suffix') throw invalidDateSuffix(at, specifier.text);
  return printed === 'specifier' ? null : printed.text;
};

/** As JSON; times not known before the commit show as the epoch. */
const printJson = (version: (ctx: EvalContext) => Wire): Print => (value, _specifier, _at, ctx) =>
  render(value, { wire: version(ctx), names: namesIn(ctx.catalog), commitTs: 0 });

const PRINTERS: Readonly<Record<string, Print>> = {
  d: printLong, x: printLong, X: printLong, o: printLong,
  f: printDouble, e: printDouble, E: printDouble, g: printDouble, G: printDouble,
  s: printString, S: printString,
  b: printBoolean, B: printBoolean,
  '@': printJson(() => WIRE_VERSIONS['2.1']),
  '^': printJson((ctx) => ctx.wire),
};

function printPart(specifier: Specifier, index: number, values: readonly Value[], at: Path, ctx: EvalContext): string {
  const value = values[index];
  if (value === undefined) throw tooFew(specifier, at.at('format'));
  const printer = specifier.date === '' ? PRINTERS[specifier.letter] : printDate;
  const printed = printer?.(value, specifier, at.at('values').at(index), ctx) ?? null;
  if (printed === null) throw invalidConversion(at.at('format'), specifier.text);
  return printed;
}

export const format = form({
  params: { format: string, values: zeroOrMore(any) },
  effect: 'pure',
  source: 'functions.md §11; ast/functions/StringFunctions',
  summary: 'Values printed into a text, in the notation of printf; `%t` prints dates and times, `%@` any value as JSON.',
  examples: [
    ['{"format": "%s has %d gold and %.2f silver", "values": ["Ada", 3, 1.255]}', '"Ada has 3 gold and 1.26 silver"'],
    ['{"format": "%2$s %1$s", "values": ["a", "b"]}', '"b a"'],
    ['{"format": "%tY", "values": {"@date": "2024-05-06"}}', '"2024"'],
  ],
  run({ format: text, values }, ctx, at) {
    const parts = readFormat(text);
    if (parts instanceof BadSpecifier) throw invalidConversion(at.at('format'), parts.text);
    let result = '';
    let next = 0;
    for (const part of parts) {
      result += typeof part === 'string' ? part : printPart(part, part.index === 0 ? next++ : part.index - 1, values, at, ctx);
      affordable(result.length);
    }
    return result;
  },
});

const tooFew = ({ index }: Specifier, at: Path): Error =>
  index === 0
    ? outOfBounds(at, 'format specifiers count', '<= arguments size')
    : outOfBounds(at, 'index', '>= 1 and <= arguments size');

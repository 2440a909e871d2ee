// What `format` prints (reference: fql/functions.md §11): which conversion takes which values.
import type { Path } from '../../base/path.ts';
import { cannotCast, outOfBounds, wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import { invalidConversion, invalidDateSuffix } from '../../errors/format-errors.ts';
import type { EvalContext } from '../../form/context.ts';
import { DateValue, Time, type Value } from '../../value/value.ts';
import { bounded } from '../../value/parts.ts';
import { render } from '../../wire/encode.ts';
import { type Wire, WIRE_VERSIONS } from '../../wire/version.ts';
import { textOf } from './text-of.ts';
import { namesIn } from '../names.ts';
import { formatDate } from './date-format.ts';
import { BadSpecifier, formatDouble, formatLong, formatText, readFormat, type Specifier } from './java-format.ts';
import { affordable } from './length-limit.ts';

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
  render(value, { wire: version(ctx), names: namesIn(ctx), commitTs: 0 });

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

/**
 * Values printed into a text.
 * @param at of the form `format`
 * @throws FqlError `invalid argument`, RangeError for values of too many parts
 */
export function formatValues(text: string, values: readonly Value[], ctx: EvalContext, at: Path): string {
  const parts = readFormat(text);
  bounded(values);
  if (parts instanceof BadSpecifier) throw invalidConversion(at.at('format'), parts.text);
  let result = '';
  let next = 0;
  for (const part of parts) {
    result += typeof part === 'string' ? part : printPart(part, part.index === 0 ? next++ : part.index - 1, values, at, ctx);
    affordable(result.length);
  }
  affordable(result.length, ctx.budget);
  return result;
}

const tooFew = ({ index }: Specifier, at: Path): Error =>
  index === 0
    ? outOfBounds(at, 'format specifiers count', '<= arguments size')
    : outOfBounds(at, 'index', '>= 1 and <= arguments size');

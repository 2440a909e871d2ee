// Conversions (reference: fql/functions.md §12). Half of them report a value they cannot
// convert at the form itself, the other half at its argument.
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { cannotCast, wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import { any, type Cast, zeroOrMore } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import type { Example, Form } from '../../form/form.ts';
import { truncateToLong } from '../../value/long.ts';
import { ObjBuilder } from '../../value/obj.ts';
import { DateValue, isArray, type Obj, Time, type Value } from '../../value/value.ts';
import { asObject } from '../document-object.ts';
import { textLibrary } from '../text/lazy.ts';
import { textOf } from '../text/text-of.ts';
import { dateOf, midnightOf, readDate, readTime, timeOfMillis } from './time.ts';
import { unary } from './unary.ts';

interface Conversion {
  readonly to: string;
  /** Where a value that cannot be converted is reported. */
  readonly reports: 'form' | 'argument';
  readonly summary: string;
  readonly examples: readonly Example[];
  /** `undefined` for a value that cannot be converted. */
  convert(value: Value, ctx: EvalContext, at: Path): MaybePromise<Value | undefined>;
}

function conversion(name: string, { to, reports, summary, examples, convert }: Conversion): Form {
  return unary(name, any, {
    summary,
    examples,
    effect: 'pure',
    source: 'functions.md §12; ast/functions/ConversionFunctions',
    run(value, ctx, at) {
      const place = reports === 'form' ? at : at.at(name);
      return andThen(convert(value, ctx, place), (converted) => {
        if (converted === undefined) throw cannotCast(place, typeName(value), to);
        return converted;
      });
    },
  });
}

function numberOf(value: Value): MaybePromise<bigint | number | undefined> {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return typeof value === 'string' ? andThen(textLibrary(), ({ parseNumberText }) => parseNumberText(value) ?? undefined) : undefined;
}

const longOf = (value: Value): MaybePromise<bigint | undefined> =>
  andThen(numberOf(value), (number) => (typeof number === 'number' ? truncateToLong(number) : number));

function timeOf(value: Value, ctx: EvalContext, at: Path): Time | undefined {
  if (typeof value === 'bigint') return timeOfMillis(value);
  if (typeof value === 'string') return readTime(value, ctx, at);
  if (value instanceof DateValue) return midnightOf(value);
  return value instanceof Time ? value : undefined;
}

function dayOf(value: Value, at: Path): DateValue | undefined {
  if (typeof value === 'string') return readDate(value, at);
  if (value instanceof Time) return dateOf(value);
  return value instanceof DateValue ? value : undefined;
}

type Field = readonly [key: string, value: Value];

const field: Cast<Field> = {
  names: ['Field/Value'],
  read(value, at) {
    const [key, content] = isArray(value) && value.length === 2 ? value : [];
    if (typeof key !== 'string' || content === undefined) throw wrongType(at, ['Field/Value'], typeName(value));
    return [key, content];
  },
};

function objectOf(fields: Value, at: Path): Obj {
  const builder = new ObjBuilder();
  for (const [key, value] of zeroOrMore(field).read(fields, at)) builder.add(key, value);
  return builder.done();
}

export const conversions: readonly Form[] = [
  conversion('to_string', {
    to: 'String',
    reports: 'form',
    summary: 'The text of a number, boolean, null, string, time, date or UUID.',
    examples: [
      ['{"to_string":1.0}', '"1.0"'],
      ['{"to_string":null}', '"null"'],
      ['{"to_string":{"date":"2020-02-29"}}', '"2020-02-29"'],
    ],
    convert: textOf,
  }),
  conversion('to_number', {
    to: 'Number',
    reports: 'form',
    summary: 'The number at the beginning of a string: an integer when it is whole, a double otherwise.',
    examples: [
      ['{"to_number":"1.0"}', '1'],
      ['{"to_number":"1,234.5 km"}', '1234.5'],
    ],
    convert: numberOf,
  }),
  conversion('to_double', {
    to: 'Double',
    reports: 'argument',
    summary: 'A number, or the one at the beginning of a string, as a double.',
    examples: [
      ['{"to_double":3}', '3.0'],
      ['{"to_double":"2.5"}', '2.5'],
    ],
    convert: (value) => andThen(numberOf(value), (number) => (number === undefined ? undefined : Number(number))),
  }),
  conversion('to_integer', {
    to: 'Integer',
    reports: 'argument',
    summary: 'A number, or the one at the beginning of a string, cut to an integer.',
    examples: [
      ['{"to_integer":-2.9}', '-2'],
      ['{"to_integer":"7.5"}', '7'],
    ],
    convert: longOf,
  }),
  conversion('to_time', {
    to: 'Time',
    reports: 'form',
    summary: 'A time from a string, a date (its midnight) or milliseconds since the epoch.',
    examples: [
      ['{"to_time":1000}', '{"@ts":"1970-01-01T00:00:01Z"}'],
      ['{"to_time":{"date":"2020-02-29"}}', '{"@ts":"2020-02-29T00:00:00Z"}'],
    ],
    convert: timeOf,
  }),
  conversion('to_date', {
    to: 'Date',
    reports: 'form',
    summary: 'A date from a string or a time.',
    examples: [['{"to_date":{"time":"2020-02-29T23:00:00-01:00"}}', '{"@date":"2020-03-01"}']],
    convert: (value, _ctx, at) => dayOf(value, at),
  }),
  conversion('to_object', {
    to: 'Object',
    reports: 'argument',
    summary: 'An object from an array of pairs of key and value, or from a document.',
    examples: [['{"to_object":[["a",1],["b",2]]}', '{"a":1,"b":2}']],
    convert: (value, ctx, at) => (isArray(value) ? objectOf(value, at) : asObject(value, ctx.wire)),
  }),
  conversion('to_array', {
    to: 'Array',
    reports: 'argument',
    summary: 'The fields of an object or document as an array of pairs of key and value.',
    examples: [['{"to_array":{"object":{"a":1,"b":2}}}', '[["a",1],["b",2]]']],
    convert: (value, ctx) => (isArray(value) ? value : asObject(value, ctx.wire)?.entries()),
  }),
];

// Time and date (reference: fql/functions.md §9). Times are exact to the nanosecond and in
// UTC; where a number stands for a time it counts microseconds.
import type { Path } from '../../base/path.ts';
import { cannotCast, incompatibleTimes, invalidTimeUnit, outOfBounds, wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import { type Cast, integer, nothing, string, temporal, timestamp } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { MAX_LONG, MIN_LONG, wrap } from '../../value/long.ts';
import { civil, dayNumber, floorDiv, MAX_DAY, MIN_DAY, parseDate, parseTime } from '../../value/time.ts';
import { DateValue, Time } from '../../value/value.ts';
import { trimControls } from '../text/trim.ts';
import { unary } from './unary.ts';

const SOURCE = 'functions.md §9; ast/functions/TimeFunctions';

const SECOND = 1_000_000_000n;
const MILLISECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

/** Nanoseconds of the units. The plural means the same. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['day', DAY],
  ['half day', DAY / 2n],
  ['hour', 3600n * SECOND],
  ['minute', 60n * SECOND],
  ['second', SECOND],
  ['millisecond', MILLISECOND],
  ['microsecond', 1000n],
  ['nanosecond', 1n],
]);

interface Unit {
  /** As it was given, for messages. */
  readonly text: string;
  readonly nanos: bigint;
}

const timeUnit: Cast<Unit> = {
  names: ['Time Unit'],
  read(value, at) {
    const nanos = typeof value === 'string' ? UNITS.get(trimControls(value).replace(/s$/, '')) : undefined;
    if (typeof value !== 'string' || nanos === undefined) throw wrongType(at, ['Time Unit'], typeName(value));
    return { text: value, nanos };
  },
};

// A point in time reaches one year further, on both sides, than what can be written.
const FIRST_INSTANT = BigInt(dayNumber(-1_000_000_000, 1, 1)) * DAY;
const LAST_INSTANT = (BigInt(dayNumber(1_000_000_000, 12, 31)) + 1n) * DAY - 1n;

const outOfTime = (at: Path) =>
  outOfBounds(at, 'dates and times', `between ${new Time(FIRST_INSTANT)} and ${new Time(LAST_INSTANT)}`);

function timeAt(nanos: bigint, at: Path): Time {
  if (nanos < FIRST_INSTANT || nanos > LAST_INSTANT) throw outOfTime(at);
  return new Time(nanos);
}

/** Dates know whole days only. */
function wholeDays(unit: Unit, at: Path): void {
  if (unit.nanos !== DAY) throw invalidTimeUnit(at.at('unit'), unit.text);
}

function shifted(base: Time | DateValue, offset: bigint, unit: Unit, at: Path): Time | DateValue {
  if (base instanceof Time) return timeAt(base.nanos + offset * unit.nanos, at.at('offset'));
  wholeDays(unit, at);
  const days = BigInt(base.days) + offset;
  if (days < MIN_DAY || days > MAX_DAY) throw outOfTime(at.at('offset'));
  return new DateValue(Number(days));
}

/** Whole units from one to the other, cut towards zero. */
function difference(from: Time | DateValue, to: Time | DateValue, unit: Unit, at: Path): bigint {
  if (from instanceof DateValue && to instanceof DateValue) {
    wholeDays(unit, at);
    return BigInt(to.days - from.days);
  }
  if (from instanceof DateValue || to instanceof DateValue) throw incompatibleTimes(at.at('time_diff'));
  // Milliseconds alone are counted between whole ones, as in Java 17.
  const units = unit.nanos === MILLISECOND ? millisOf(to) - millisOf(from) : (to.nanos - from.nanos) / unit.nanos;
  if (wrap(units) !== units) throw outOfBounds(at.at('time_diff'), 'time difference', `between ${MIN_LONG} and ${MAX_LONG}`);
  return units;
}

/** A text as a time; `now` alone, untrimmed, is the time of the query. */
export function readTime(text: string, ctx: EvalContext, at: Path): Time {
  if (text === 'now') return now(ctx);
  const time = parseTime(trimControls(text), ctx.wire.latestTime);
  if (time === null) throw cannotCast(at, `'${text}'`, 'a time');
  return time;
}

export function readDate(text: string, at: Path): DateValue {
  const date = parseDate(trimControls(text));
  if (date === null) throw cannotCast(at, `'${text}'`, 'a date');
  return date;
}

/** The same throughout a query; and in the bindings of an index always, or their entries would not be found again to be removed. */
function now({ limit, txn }: EvalContext): Time {
  if (limit.effect === 'pure') return Time.fromMicros(MAX_LONG);
  txn.tell(txn.now);
  return Time.fromMicros(txn.now);
}

/** The day of a time in UTC. */
export const dateOf = (time: Time): DateValue => new DateValue(Number(floorDiv(time.nanos, DAY)));
export const midnightOf = (date: DateValue): Time => new Time(BigInt(date.days) * DAY);

/** A time of so many milliseconds since the epoch. */
export const timeOfMillis = (millis: bigint): Time => new Time(millis * MILLISECOND);

const asTime = (value: Time | bigint): Time => (typeof value === 'bigint' ? Time.fromMicros(value) : value);

/** A number read off a time. */
function reading(name: string, summary: string, examples: readonly Example[], read: (time: Time) => bigint): Form {
  return unary(name, timestamp, {
    effect: 'pure',
    source: SOURCE,
    summary,
    examples,
    // Far years do not fit into 64 bits of a fine unit; they wrap.
    run: (time) => wrap(read(asTime(time))),
  });
}

/** Whole units since the epoch, rounded down. */
const since = (nanos: bigint) => (time: Time) => floorDiv(time.nanos, nanos);
const millisOf = since(MILLISECOND);

/** A field of the clock: whole units, of which so many make the next larger one. */
const clock = (nanos: bigint, count: bigint) => (time: Time) => {
  const units = floorDiv(time.nanos, nanos);
  return units - floorDiv(units, count) * count;
};

/** A field of the calendar. */
const calendar = (read: (days: number, date: { year: number; month: number; day: number }) => number) => (time: Time) => {
  const { days } = dateOf(time);
  return BigInt(read(days, civil(days)));
};

const SAMPLE = '{"time":"2020-02-29T13:14:15.5Z"}';

export const time: readonly Form[] = [
  unary('time', string, {
    effect: 'pure',
    source: SOURCE,
    summary: 'A time from an ISO date-time with an offset; "now" is the time of the query.',
    examples: [
      ['{"time":"1970-01-01T00:00:00+01:00"}', '{"@ts":"1969-12-31T23:00:00Z"}'],
      ['{"time":" 2020-02-29T13:14:15.5Z "}', '{"@ts":"2020-02-29T13:14:15.500Z"}'],
    ],
    run: readTime,
  }),
  unary('now', nothing, {
    effect: 'pure',
    source: SOURCE,
    summary: 'The time of the query, the same wherever it is asked for.',
    examples: [['{"equals":[{"now":null},{"time":"now"}]}', 'true']],
    run: (_nothing, ctx) => now(ctx),
  }),
  form({
    params: { epoch: integer, unit: timeUnit },
    effect: 'pure',
    source: SOURCE,
    summary: 'A time so many units after 1970-01-01T00:00:00Z.',
    examples: [['{"epoch":2,"unit":"days"}', '{"@ts":"1970-01-03T00:00:00Z"}']],
    run: ({ epoch, unit }, _ctx, at) => timeAt(epoch * unit.nanos, at),
  }),
  unary('date', string, {
    effect: 'pure',
    source: SOURCE,
    summary: 'A date from an ISO date.',
    examples: [['{"date":"2020-02-29"}', '{"@date":"2020-02-29"}']],
    run: (text, _ctx, at) => readDate(text, at),
  }),
  form({
    params: { time_add: temporal, offset: integer, unit: timeUnit },
    effect: 'pure',
    source: SOURCE,
    summary: 'A time or date moved forward by so many units; a date by days only.',
    examples: [['{"time_add":{"date":"2020-02-28"},"offset":2,"unit":"days"}', '{"@date":"2020-03-01"}']],
    run: ({ time_add: base, offset, unit }, _ctx, at) => shifted(base, offset, unit, at),
  }),
  form({
    params: { time_subtract: temporal, offset: integer, unit: timeUnit },
    effect: 'pure',
    source: SOURCE,
    summary: 'A time or date moved back by so many units; a date by days only.',
    examples: [['{"time_subtract":{"time":"1970-01-01T00:00:00Z"},"offset":1,"unit":"half day"}', '{"@ts":"1969-12-31T12:00:00Z"}']],
    run: ({ time_subtract: base, offset, unit }, _ctx, at) => shifted(base, -offset, unit, at),
  }),
  form({
    params: { time_diff: temporal, other: temporal, unit: timeUnit },
    effect: 'pure',
    source: SOURCE,
    summary: 'How many whole units lie between two times or two dates.',
    examples: [['{"time_diff":{"date":"2020-02-28"},"other":{"date":"2020-03-01"},"unit":"days"}', '2']],
    run: ({ time_diff: from, other, unit }, _ctx, at) => difference(from, other, unit, at),
  }),
  reading('to_micros', 'Microseconds since the epoch.', [[`{"to_micros":${SAMPLE}}`, '1582982055500000']], since(1000n)),
  reading('to_millis', 'Milliseconds since the epoch.', [[`{"to_millis":${SAMPLE}}`, '1582982055500']], millisOf),
  reading('to_seconds', 'Seconds since the epoch.', [[`{"to_seconds":${SAMPLE}}`, '1582982055']], since(SECOND)),
  reading('second', 'The second of a time, 0 to 59.', [[`{"second":${SAMPLE}}`, '15']], clock(SECOND, 60n)),
  reading('minute', 'The minute of a time, 0 to 59.', [[`{"minute":${SAMPLE}}`, '14']], clock(60n * SECOND, 60n)),
  reading('hour', 'The hour of a time, 0 to 23.', [[`{"hour":${SAMPLE}}`, '13']], clock(3600n * SECOND, 24n)),
  reading('day_of_month', 'The day of the month, 1 to 31.', [[`{"day_of_month":${SAMPLE}}`, '29']], calendar((_days, { day }) => day)),
  reading(
    'day_of_week',
    'The day of the week: Monday is 1, Sunday 7.',
    [[`{"day_of_week":${SAMPLE}}`, '6']],
    // The epoch was a Thursday.
    calendar((days) => ((((days + 3) % 7) + 7) % 7) + 1),
  ),
  reading(
    'day_of_year',
    'The day of the year, 1 to 366.',
    [[`{"day_of_year":${SAMPLE}}`, '60']],
    calendar((days, { year }) => days - dayNumber(year, 1, 1) + 1),
  ),
  reading('month', 'The month, 1 to 12.', [[`{"month":${SAMPLE}}`, '2']], calendar((_days, { month }) => month)),
  reading('year', 'The year.', [[`{"year":${SAMPLE}}`, '2020']], calendar((_days, { year }) => year)),
];

// Dates and times in `format`: `%tY` and the other suffixes of java.util.Formatter, in the
// US locale, times in UTC.
import { civil, dayNumber, DateValue, floorDiv, Time } from '../../value/time.ts';
import { isSound, justify, type Specifier } from './java-format.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const DAY_NANOS = 86_400_000_000_000n;
const SECOND_NANOS = 1_000_000_000n;

interface Day {
  /** Year of its era: 1 BC is 1. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly dayOfYear: number;
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nano: number;
  readonly nanos: bigint;
}

const two = (number: number): string => String(number).padStart(2, '0');
const name = (names: readonly string[], at: number): string => names[at] ?? '';
const hour12 = (hour: number): number => ((hour + 11) % 12) + 1;

const DAY_SUFFIXES: Readonly<Record<string, (day: Day) => string>> = {
  A: ({ weekday }) => name(DAYS, weekday),
  B: ({ month }) => name(MONTHS, month - 1),
  C: ({ year }) => two(Math.floor(year / 100)),
  D: ({ year, month, day }) => `${two(month)}/${two(day)}/${two(year % 100)}`,
  F: ({ year, month, day }) => `${fourDigits(year)}-${two(month)}-${two(day)}`,
  Y: ({ year }) => fourDigits(year),
  a: ({ weekday }) => name(DAYS, weekday).slice(0, 3),
  b: ({ month }) => name(MONTHS, month - 1).slice(0, 3),
  d: ({ day }) => two(day),
  e: ({ day }) => String(day),
  h: ({ month }) => name(MONTHS, month - 1).slice(0, 3),
  j: ({ dayOfYear }) => String(dayOfYear).padStart(3, '0'),
  m: ({ month }) => two(month),
  y: ({ year }) => two(year % 100),
};

const fourDigits = (year: number): string => String(year).padStart(4, '0');

const CLOCK_SUFFIXES: Readonly<Record<string, (clock: Clock, day: Day) => string>> = {
  H: ({ hour }) => two(hour),
  I: ({ hour }) => two(hour12(hour)),
  L: ({ nano }) => String(Math.floor(nano / 1_000_000)).padStart(3, '0'),
  M: ({ minute }) => two(minute),
  N: ({ nano }) => String(nano).padStart(9, '0'),
  Q: ({ nanos }) => String(floorDiv(nanos, 1_000_000n)),
  R: ({ hour, minute }) => `${two(hour)}:${two(minute)}`,
  S: ({ second }) => two(second),
  T: (clock) => time(clock),
  Z: () => 'Z',
  c: (clock, day) =>
    `${name(DAYS, day.weekday).slice(0, 3)} ${name(MONTHS, day.month - 1).slice(0, 3)} ${two(day.day)} ${time(clock)} Z ${fourDigits(day.year)}`,
  k: ({ hour }) => String(hour),
  l: ({ hour }) => String(hour12(hour)),
  p: ({ hour }) => half(hour),
  r: (clock) => `${time({ ...clock, hour: hour12(clock.hour) })} ${half(clock.hour).toUpperCase()}`,
  s: ({ nanos }) => String(floorDiv(nanos, SECOND_NANOS)),
  z: () => '+0000',
};

const time = ({ hour, minute, second }: Clock): string => [hour, minute, second].map(two).join(':');
const half = (hour: number): string => (hour < 12 ? 'am' : 'pm');

/** Why a date was not printed: its suffix is none for it, or flags, width and precision do not fit. */
export type DateFault = 'suffix' | 'specifier';

/** A date or time as the specifier asks, or what is wrong with that. */
export function formatDate(value: Time | DateValue, specifier: Specifier): { readonly text: string } | DateFault {
  // A bare `%t` is an addition to Java's: the value in ISO form, flags and width ignored.
  if (specifier.letter === '') return { text: value.toString() };
  const text = print(value, specifier.letter);
  if (text === null) return 'suffix';
  if (specifier.letter === 'N') return { text };
  if (specifier.precision !== null || !isSound(specifier, '-')) return 'specifier';
  return { text: justify(specifier.date === 'T' ? text.toUpperCase() : text, specifier) };
}

function print(value: Time | DateValue, suffix: string): string | null {
  const onClock = Object.hasOwn(CLOCK_SUFFIXES, suffix) ? CLOCK_SUFFIXES[suffix] : undefined;
  const onDay = Object.hasOwn(DAY_SUFFIXES, suffix) ? DAY_SUFFIXES[suffix] : undefined;
  if (value instanceof DateValue) return onDay?.(dayOf(value.days)) ?? null;
  const days = floorDiv(value.nanos, DAY_NANOS);
  const day = dayOf(Number(days));
  return onDay?.(day) ?? onClock?.(clockOf(value.nanos, value.nanos - days * DAY_NANOS), day) ?? null;
}

function dayOf(days: number): Day {
  const { year, month, day } = civil(days);
  const dayOfYear = days - dayNumber(year, 1, 1) + 1;
  return { year: year > 0 ? year : 1 - year, month, day, weekday: (((days + 4) % 7) + 7) % 7, dayOfYear };
}

function clockOf(nanos: bigint, ofDay: bigint): Clock {
  const seconds = Number(ofDay / SECOND_NANOS);
  return {
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    nano: Number(ofDay % SECOND_NANOS),
    nanos,
  };
}

// Points in time and days, with the parser and printer of the language.
//
// A Time is nanoseconds since the epoch in one bigint; the range reaches from year
// -999,999,999 to 999,999,999 (reference: fql/functions.md §9, fql/wire.md §2).
// Parsing answers null for what it cannot read: the caller decides on the error.
import type { Ts } from '../base/platform.ts';

const NANOS = 1_000_000_000n;
const DAY_SECONDS = 86_400n;
/** Microseconds. */
export const DAY: Ts = 86_400_000_000;

export class Time {
  /** @param nanos nanoseconds since 1970-01-01T00:00:00Z */
  constructor(readonly nanos: bigint) {}

  static fromMicros(micros: bigint | number): Time {
    return new Time(BigInt(micros) * 1000n);
  }

  /** Microseconds since the epoch, rounded down. */
  get micros(): bigint {
    return floorDiv(this.nanos, 1000n);
  }

  /** `2020-01-02T03:04:05.123456789Z`; the fraction has 0, 3, 6 or 9 digits. */
  toString(): string {
    const seconds = floorDiv(this.nanos, NANOS);
    const fraction = Number(this.nanos - seconds * NANOS);
    const day = floorDiv(seconds, DAY_SECONDS);
    const rest = Number(seconds - day * DAY_SECONDS);
    const clock = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(two).join(':');
    return `${printDay(Number(day))}T${clock}${printFraction(fraction)}Z`;
  }
}

/** A calendar day without a zone. */
export class DateValue {
  /** @param days days since 1970-01-01 */
  constructor(readonly days: number) {}

  toString(): string {
    return printDay(this.days);
  }
}

export const MIN_DAY = dayNumber(-999_999_999, 1, 1);
export const MAX_DAY = dayNumber(999_999_999, 12, 31);
const MIN_TIME = BigInt(MIN_DAY) * DAY_SECONDS * NANOS;
export const MAX_TIME = (BigInt(MAX_DAY) + 1n) * DAY_SECONDS * NANOS - 1n;
export const END_OF_9999 = BigInt(dayNumber(10_000, 1, 1)) * DAY_SECONDS * NANOS - 1n;

const DATE = /^([+-]?\d{4,10})-(\d{2})-(\d{2})$/;
const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{0,9}))?)?(Z|[+-]\d{2}:\d{2}(?::\d{2})?|[+-]\d{4})$/i;

/** Reads `2020-01-02`; strict about days. `null` when it is not a date. */
export function parseDate(text: string): DateValue | null {
  const parts = dateParts(text);
  if (parts === null || parts.day > daysIn(parts.year, parts.month)) return null;
  return new DateValue(dayNumber(parts.year, parts.month, parts.day));
}

/**
 * Reads an ISO date-time with an offset and answers it in UTC; `null` when it is not one.
 * A day after the end of its month is taken as the last day, `24:00:00` as the next midnight.
 * @param latest nanoseconds since the epoch; later ones are none
 */
export function parseTime(text: string, latest = MAX_TIME): Time | null {
  const split = text.search(/t/i);
  if (split < 0) return null;
  const date = dateParts(text.slice(0, split));
  const clock = CLOCK.exec(text.slice(split + 1));
  if (date === null || clock === null) return null;
  const [, hourText = '', minuteText = '', secondText = '0', fractionText = '', offsetText = ''] = clock;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  const fraction = BigInt(fractionText.padEnd(9, '0'));
  const offset = parseOffset(offsetText);
  const endOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0n;
  if (offset === null || (hour > 23 && !endOfDay) || minute > 59 || second > 59) return null;
  const day = dayNumber(date.year, date.month, Math.min(date.day, daysIn(date.year, date.month)));
  const seconds = BigInt(day) * DAY_SECONDS + BigInt(hour * 3600 + minute * 60 + second - offset);
  const nanos = seconds * NANOS + fraction;
  return nanos < MIN_TIME || nanos > latest ? null : new Time(nanos);
}

function dateParts(text: string): { year: number; month: number; day: number } | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [, yearText = '', monthText, dayText] = match;
  const digits = yearText.replace(/^[+-]/, '').length;
  const signed = digits !== yearText.length;
  // Years of more than four digits need a sign; a plus is only for those.
  if ((!signed && digits > 4) || digits > 9 || (yearText.startsWith('+') && digits === 4) || yearText === '-0000') return null;
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  return month < 1 || month > 12 || day < 1 || day > 31 ? null : { year, month, day };
}

function parseOffset(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes, seconds] = (text.slice(1).replaceAll(':', '').match(/\d{2}/g) ?? []).map(Number);
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  if ((minutes ?? 0) > 59 || (seconds ?? 0) > 59 || total > 18 * 3600) return null;
  return text.startsWith('-') ? -total : total;
}

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (MONTHS[month - 1] ?? 31);
}

/** Days from 1970-01-01 to a day of the proleptic Gregorian calendar. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Year, month and day of a day number. */
export function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function printDay(days: number): string {
  const { year, month, day } = civil(days);
  const digits = String(Math.abs(year)).padStart(4, '0');
  const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
  return `${sign}${digits}-${two(month)}-${two(day)}`;
}

function printFraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  if (nanos % 1000 === 0) return `.${digits.slice(0, 6)}`;
  return `.${digits}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

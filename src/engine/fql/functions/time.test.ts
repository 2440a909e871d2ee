import { describe, expect, it } from 'vitest';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import type { Txn } from '../../txn/txn.ts';
import { logic } from './logic.ts';
import { time } from './time.ts';

const ctx = stubContext({ txn: { now: 1_600_000_000_123_456, tell() {} } as Partial<Txn> as Txn });
const run = (query: string) => runForm([...time, ...logic], query, ctx);

const BOUNDS = 'dates and times must be between -1000000000-01-01T00:00:00Z and +1000000000-12-31T23:59:59.999999999Z';

describe('examples', () => {
  it.each(time.flatMap((form) => form.examples))('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('time and date', () => {
  it.each([
    ['{"time":"now"}', '{"@ts":"2020-09-13T12:26:40.123456Z"}'],
    ['{"now":null}', '{"@ts":"2020-09-13T12:26:40.123456Z"}'],
    ['{"time":" now"}', "invalid argument: Cannot cast ' now' to a time. @ "],
    ['{"time":"2019-02-30T00:00Z"}', '{"@ts":"2019-02-28T00:00:00Z"}'],
    ['{"time":"2019-01-01T00:00:00"}', "invalid argument: Cannot cast '2019-01-01T00:00:00' to a time. @ "],
    ['{"time":1}', 'invalid argument: String expected, Integer provided. @ time'],
    ['{"now":1}', 'invalid argument: Null expected, Integer provided. @ now'],
    ['{"date":" +12345-01-01 "}', '{"@date":"+12345-01-01"}'],
    ['{"date":"2019-02-30"}', "invalid argument: Cannot cast '2019-02-30' to a date. @ "],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('epoch', () => {
  it.each([
    ['{"epoch":-1,"unit":"nanosecond"}', '{"@ts":"1969-12-31T23:59:59.999999999Z"}'],
    ['{"epoch":3,"unit":" half days "}', '{"@ts":"1970-01-02T12:00:00Z"}'],
    ['{"epoch":31556889864403199,"unit":"seconds"}', '{"@ts":"+1000000000-12-31T23:59:59Z"}'],
    ['{"epoch":31556889864403200,"unit":"seconds"}', `invalid argument: ${BOUNDS} @ `],
    ['{"epoch":9223372036854775807,"unit":"days"}', `invalid argument: ${BOUNDS} @ `],
    ['{"epoch":1,"unit":"weeks"}', 'invalid argument: Time Unit expected, String provided. @ unit'],
    ['{"epoch":1,"unit":"Second"}', 'invalid argument: Time Unit expected, String provided. @ unit'],
    ['{"epoch":1.5,"unit":"second"}', 'invalid argument: Integer expected, Double provided. @ epoch'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('arithmetic', () => {
  it.each([
    ['{"time_add":{"@ts":"2020-01-01T00:00:00.000000001Z"},"offset":1,"unit":"microsecond"}', '{"@ts":"2020-01-01T00:00:00.000001001Z"}'],
    ['{"time_subtract":{"@date":"2020-03-01"},"offset":1,"unit":"day"}', '{"@date":"2020-02-29"}'],
    ['{"time_add":{"@date":"2020-03-01"},"offset":1,"unit":"half days"}', "invalid argument: Invalid time unit 'half days'. @ unit"],
    ['{"time_add":{"@date":"2020-03-01"},"offset":9223372036854775807,"unit":"day"}', `invalid argument: ${BOUNDS} @ offset`],
    ['{"time_subtract":{"@ts":"2020-01-01T00:00:00Z"},"offset":-9223372036854775808,"unit":"day"}', `invalid argument: ${BOUNDS} @ offset`],
    ['{"time_add":"2020-01-01","offset":1,"unit":"day"}', 'invalid argument: Temporal expected, String provided. @ time_add'],
    ['{"time_diff":{"@ts":"2020-01-02T00:00:00Z"},"other":{"@ts":"2020-01-01T00:00:01Z"},"unit":"hours"}', '-23'],
    // Between whole milliseconds, as a JDK 17 counts them; all other units are what lies between, cut.
    ['{"time_diff":{"@ts":"2020-01-01T00:00:00.0009Z"},"other":{"@ts":"2020-01-01T00:00:00.0021Z"},"unit":"milliseconds"}', '2'],
    ['{"time_diff":{"@ts":"1969-12-31T23:59:59.9995Z"},"other":{"@ts":"1970-01-01T00:00:00Z"},"unit":"millisecond"}', '1'],
    ['{"time_diff":{"@ts":"1969-12-31T23:59:59.9995Z"},"other":{"@ts":"1970-01-01T00:00:00Z"},"unit":"second"}', '0'],
    ['{"time_diff":{"@ts":"2020-01-01T00:00:00Z"},"other":{"@date":"2020-01-01"},"unit":"day"}', 'invalid argument: Incompatible time arguments. @ time_diff'],
    ['{"time_diff":{"@date":"2020-01-01"},"other":{"@date":"2020-01-01"},"unit":"hour"}', "invalid argument: Invalid time unit 'hour'. @ unit"],
    [
      '{"time_diff":{"@ts":"-999999999-01-01T00:00:00Z"},"other":{"@ts":"2020-01-01T00:00:00Z"},"unit":"nanosecond"}',
      'invalid argument: time difference must be between -9223372036854775808 and 9223372036854775807 @ time_diff',
    ],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('parts of a time', () => {
  it.each([
    ['{"to_seconds":{"@ts":"1969-12-31T23:59:59.5Z"}}', '-1'],
    ['{"to_millis":{"@ts":"1969-12-31T23:59:59.9995Z"}}', '-1'],
    ['{"to_micros":-1}', '-1'],
    ['{"to_micros":{"@ts":"+999999999-12-31T23:59:59Z"}}', '-5489277336243814976'],
    ['{"second":-1}', '59'],
    ['{"hour":-1}', '23'],
    ['{"year":-1}', '1969'],
    ['{"day_of_year":{"@ts":"2020-12-31T00:00:00Z"}}', '366'],
    ['{"day_of_week":{"@ts":"1969-12-28T00:00:00Z"}}', '7'],
    ['{"year":{"@date":"2020-01-01"}}', 'invalid argument: Time expected, Date provided. @ year'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

// Time and date (reference: fql/functions.md §9).
import { badArgument, type Cases, date, time } from '../cases.ts';

export const times: Cases = {
  Time: [
    [(q) => q.Time('1970-01-01T00:00:00.123456789Z'), time('1970-01-01T00:00:00.123456789Z')],
    [(q) => q.Time('1970-01-01T00:00:00-04:00'), time('1970-01-01T04:00:00Z')],
    [(q) => q.Equals(q.Time('now'), q.Time('now')), true],
    [(q) => q.Time('x'), badArgument("Cannot cast 'x' to a time.")],
  ],
  Epoch: [
    [(q) => [q.Epoch(12, 'second'), q.Epoch(12, 'millisecond'), q.Epoch(12, 'microsecond'), q.Epoch(1, 'nanosecond')],
      ['12Z', '00.012Z', '00.000012Z', '00.000000001Z'].map((end) => time(`1970-01-01T00:00:${end}`))],
    [(q) => q.Epoch(1, 'fortnight'), badArgument('Time Unit expected, String provided.', 'unit')],
    [(q) => q.Epoch(1.5, 'second'), badArgument('Integer expected, Double provided.', 'epoch')],
  ],
  Date: [
    [(q) => q.Date('2020-02-29'), date('2020-02-29')],
    [(q) => q.Date('2019-02-29'), badArgument("Cannot cast '2019-02-29' to a date.")],
  ],
  Now: [[(q) => [q.Equals(q.Now(), q.Time('now')), q.IsTimestamp(q.Now()), q.GT(q.Now(), q.Time('2020-01-01T00:00:00Z'))], [true, true, true]]],
  TimeAdd: [
    [(q) => q.TimeAdd(q.Epoch(0, 'second'), 1, 'hour'), time('1970-01-01T01:00:00Z')],
    [(q) => q.TimeAdd(q.Date('2020-02-28'), 2, 'days'), date('2020-03-01')],
    [(q) => q.TimeAdd(q.Date('2020-02-28'), 1, 'hour'), badArgument("Invalid time unit 'hour'.", 'unit')],
  ],
  TimeSubtract: [
    [(q) => q.TimeSubtract(q.Epoch(0, 'second'), 1, 'half day'), time('1969-12-31T12:00:00Z')],
    [(q) => q.TimeSubtract(q.Date('2020-03-01'), 1, 'day'), date('2020-02-29')],
  ],
  TimeDiff: [
    [(q) => [q.TimeDiff(q.Epoch(0, 'second'), q.Epoch(90, 'second'), 'minute'), q.TimeDiff(q.Date('2020-03-01'), q.Date('2020-02-01'), 'days')], [1, -29]],
    [(q) => q.TimeDiff(q.Epoch(0, 'second'), q.Date('2020-01-01'), 'days'), badArgument('Incompatible time arguments.', 'time_diff')],
  ],
};

import type { Ts } from '../base/platform.ts';
import type { Done } from './transact.ts';

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

/** What came of a request, as far as its cost goes. */
export type Spent = Pick<Done<unknown>, 'session' | 'ts' | 'retries'>;

/** Headers that say what a request cost (reference: fql/wire.md §5.3). Times are micros, `x-query-time` millis. */
export function metrics(done: Spent, began: Ts, ended: Ts, bytesIn: number, bytesOut: number): Record<string, string> {
  const { budget, txn: { stats } } = done.session.ctx;
  const counts = {
    'x-txn-time': done.ts,
    'x-compute-ops': budget.computeOps,
    'x-byte-read-ops': Math.ceil(stats.bytesRead / READ_UNIT),
    'x-byte-write-ops': Math.ceil(stats.bytesWritten / WRITE_UNIT),
    'x-query-time': Math.max(0, Math.round((ended - began) / 1000)),
    'x-query-bytes-in': bytesIn,
    'x-query-bytes-out': bytesOut,
    'x-storage-bytes-read': stats.bytesRead,
    'x-storage-bytes-write': stats.bytesWritten,
    'x-txn-retries': done.retries,
  };
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]));
}

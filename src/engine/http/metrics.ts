import type { Ts } from '../base/platform.ts';
import type { Done } from './transact.ts';

const READ_UNIT = 4096;
const WRITE_UNIT = 1024;

/** What came of a request, as far as its cost goes. */
export type Spent = Pick<Done<unknown>, 'session' | 'ts' | 'retries'>;

/** Headers that say what a request cost (reference: fql/wire.md §5.3). Times are micros, `x-query-time` millis. The bytes of the answer are counted when it is written (`respond`). */
export function metrics(done: Spent, began: Ts, ended: Ts, bytesIn: number): Record<string, string> {
  const { budget, txn: { stats } } = done.session.ctx;
  return {
    'x-txn-time': String(done.ts),
    'x-compute-ops': String(budget.computeOps),
    'x-byte-read-ops': String(Math.ceil(stats.bytesRead / READ_UNIT)),
    'x-byte-write-ops': String(Math.ceil(stats.bytesWritten / WRITE_UNIT)),
    'x-query-time': String(Math.max(0, Math.round((ended - began) / 1000))),
    'x-query-bytes-in': String(bytesIn),
    'x-storage-bytes-read': String(stats.bytesRead),
    'x-storage-bytes-write': String(stats.bytesWritten),
    'x-txn-retries': String(done.retries),
  };
}

import type { Platform, Ts } from '../base/platform.ts';
import { bytesOf } from './body.ts';
import type { HttpRequest } from './message.ts';
import type { Done } from './transact.ts';

/** What of a request's outcome its cost is told by. */
export type Spent = Pick<Done<unknown>, 'session' | 'ts' | 'retries'>;

/** Headers that say what a request cost (reference: fql/wire.md §5.3). Times are micros, `x-query-time` millis. The bytes of the answer are counted when it is written (`respond`). */
export function metrics(done: Spent, began: Ts, platform: Platform, request: HttpRequest): Record<string, string> {
  if (request.bare === true) return {};
  const { budget, txn: { cost } } = done.session.ctx;
  return {
    'x-txn-time': String(done.ts),
    'x-compute-ops': String(budget.computeOps),
    'x-byte-read-ops': String(cost.readOps),
    'x-byte-write-ops': String(cost.writeOps),
    'x-query-time': String(Math.max(0, Math.round((platform.now() - began) / 1000))),
    'x-query-bytes-in': String(bytesOf(request)),
    'x-storage-bytes-read': String(cost.bytesRead),
    'x-storage-bytes-write': String(cost.bytesWritten),
    'x-txn-retries': String(done.retries),
  };
}

/** Of one workload in one round; times in milliseconds of one operation (of one group, where several are in flight). */
export interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** Runs an operation again and again, one after the other. */
export async function timed(count: number, operation: (at: number) => Promise<unknown>, each = 1): Promise<Summary> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const began = performance.now();
    await operation(at);
    times.push(performance.now() - began);
  }
  return summary(times, each);
}

/** @param each operations in each of the times */
export function summary(times: readonly number[], each: number): Summary {
  const sorted = times.toSorted((a, b) => a - b);
  const total = sorted.reduce((sum, time) => sum + time, 0);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), perSecond: (sorted.length * each * 1000) / total };
}

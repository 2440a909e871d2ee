/** Of one workload in one round; times in milliseconds of one operation (of one group, where several are in flight). */
export interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

export interface Effort {
  /** So many times, one after the other, … */
  readonly times: number;
  /** … but not for longer than this, in milliseconds. */
  readonly cap: number;
  /** Documents in each; 1 by default. */
  readonly each?: number;
}

export async function timed({ times, cap, each = 1 }: Effort, operation: (at: number) => Promise<unknown>): Promise<Summary> {
  const taken: number[] = [];
  const first = performance.now();
  for (let at = 0; at < times && (at === 0 || performance.now() - first < cap); at++) {
    const began = performance.now();
    await operation(at);
    taken.push(performance.now() - began);
  }
  return summary(taken, each);
}

/** @param each documents in each of the times */
export function summary(times: readonly number[], each = 1): Summary {
  const sorted = times.toSorted((a, b) => a - b);
  const total = sorted.reduce((sum, time) => sum + time, 0);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), perSecond: (sorted.length * each * 1000) / total };
}

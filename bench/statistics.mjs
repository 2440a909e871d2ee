// Medians over rounds. Ratios are taken inside a round, where both sides met the same machine.

/** @typedef {{ p50: number, p99: number, perSecond: number }} Summary */
/** @typedef {Record<string, Summary>} Results One candidate in one round, by workload. */
/** @typedef {Record<string, Results>} Round By candidate. */
/** @typedef {{ median: number, low: number, high: number }} Spread */
/** @typedef {{ candidate: string, workload: string, p50: Spread, p99: Spread, perSecond: Spread, ratio: Spread | null }} Line */

/** @returns {Spread} */
export function spread(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)];
  const median = sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { median: median ?? 0, low, high };
}

/**
 * @param {readonly Round[]} rounds
 * @param {string} baseline The candidate to which others are compared, by the median time of an operation.
 * @returns {Line[]} by workload, then candidate
 */
export function lines(rounds, baseline) {
  const [first = {}] = rounds;
  const candidates = Object.keys(first);
  const workloads = [...new Set(Object.values(first).flatMap((results) => Object.keys(results)))];
  return workloads.flatMap((workload) =>
    candidates.flatMap((candidate) => {
      const found = rounds.flatMap((round) => round[candidate]?.[workload] ?? []);
      if (found.length === 0) return [];
      const ratios = rounds.flatMap((round) => {
        const [ours, theirs] = [round[candidate]?.[workload], round[baseline]?.[workload]];
        return ours === undefined || theirs === undefined ? [] : [theirs.p50 / ours.p50];
      });
      return [{
        candidate,
        workload,
        p50: spread(found.map(({ p50 }) => p50)),
        p99: spread(found.map(({ p99 }) => p99)),
        perSecond: spread(found.map(({ perSecond }) => perSecond)),
        ratio: ratios.length === 0 ? null : spread(ratios),
      }];
    }));
}

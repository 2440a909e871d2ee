// Medians over rounds. Ratios are taken inside a round, where both sides met the same machine.
import { figure } from './workloads.mjs';

/** @typedef {{ p50: number, p99: number, perSecond: number }} Summary Milliseconds, and documents per second. */
/** @typedef {Record<string, Summary>} Results One candidate in one round, by workload. */
/** @typedef {Record<string, Results>} Round By candidate. */
/** @typedef {{ median: number, low: number, high: number }} Spread */
/** @typedef {import('./workloads.mjs').Workload} Workload */

/** @returns {Spread} */
export function spread(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[0], sorted.at(-1)];
  const median = sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { median: median ?? 0, low, high };
}

/**
 * The figure of a workload that counts, over the rounds.
 * @returns {Spread | null} null where it was not measured
 */
export function figures(/** @type {readonly Round[]} */ rounds, /** @type {string} */ candidate, /** @type {Workload} */ workload) {
  const found = rounds.flatMap((round) => round[candidate]?.[workload.name] ?? []).map((one) => figure(workload, one));
  return found.length === 0 ? null : spread(found);
}

/**
 * The bytes that it left behind, over the rounds; they stand in the place of milliseconds (measure.mjs).
 * @returns {Spread | null} null where it was not measured
 */
export function bytesLeft(/** @type {readonly Round[]} */ rounds, /** @type {string} */ candidate, /** @type {'heap' | 'disk'} */ where) {
  const found = rounds.flatMap((round) => round[candidate]?.[where]?.p50 ?? []);
  return found.length === 0 ? null : spread(found);
}

/**
 * How many times as fast as another it was in the same round.
 * @returns {Spread | null}
 */
export function ratio(/** @type {readonly Round[]} */ rounds, /** @type {string} */ candidate, /** @type {string} */ other, /** @type {Workload} */ workload) {
  const found = rounds.flatMap((round) => {
    const [ours, theirs] = [round[candidate]?.[workload.name], round[other]?.[workload.name]];
    if (ours === undefined || theirs === undefined) return [];
    const [a, b] = [figure(workload, ours), figure(workload, theirs)];
    return workload.by === 'rate' ? [a / b] : [b / a];
  });
  return found.length === 0 ? null : spread(found);
}

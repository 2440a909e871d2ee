// Results as text for a terminal.
import { BASELINE } from './candidates.mjs';
import { bytesLeft, figures, ratio } from './statistics.mjs';
import { WORKLOADS } from './workloads.mjs';

/** @typedef {import('./statistics.mjs').Round} Round */

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const MEGABYTES = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Three digits, whatever the size. */
export const short = (/** @type {number} */ value) => NUMBER.format(value);
export const megabytes = (/** @type {number} */ bytes) => MEGABYTES.format(bytes / 1e6);

/** @returns {string} a table a workload */
export function table(/** @type {readonly Round[]} */ rounds, /** @type {readonly string[]} */ candidates) {
  const parts = WORKLOADS.flatMap((workload) => {
    const unit = workload.by === 'time' ? 'ms' : 'per second';
    const rows = candidates.flatMap((candidate) => {
      const found = figures(rounds, candidate, workload);
      if (found === null) return [];
      const times = ratio(rounds, candidate, BASELINE, workload);
      return [[candidate, short(found.median), `${short(found.low)}–${short(found.high)}`, ...(times === null ? ['', ''] : [short(times.median), `${short(times.low)}–${short(times.high)}`])]];
    });
    return rows.length === 0 ? [] : [`\n${workload.name}, ${workload.title}\n${align([['', unit, 'rounds', `times ${BASELINE}`, 'rounds'], ...rows])}`];
  });
  const sizes = candidates.map((candidate) => [candidate, ...PLACES.map((where) => sizeOf(bytesLeft(rounds, candidate, where)))]);
  return `${parts.join('\n')}\n\nLeft behind\n${align([['', 'heap of the worker', 'disk'], ...sizes])}`;
}

const PLACES = /** @type {const} */ (['heap', 'disk']);
const sizeOf = (/** @type {import('./statistics.mjs').Spread | null} */ found) => (found === null ? '' : `${megabytes(found.median)} MB`);

/** Columns as wide as their widest cell; the first to the left, the rest to the right. */
export function align(/** @type {readonly (readonly string[])[]} */ rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  return rows
    .map((cells) => `  ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`)
    .join('\n');
}

/** @typedef {import('./statistics.mjs').Line} Line */

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const time = (/** @type {number} */ ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(ms < 100 ? 1 : 0));

const COLUMNS = ['', 'p50 ms', 'rounds', 'p99 ms', 'per second', 'ratio', 'rounds'];

/** @returns {string} a table a workload */
export function table(/** @type {readonly Line[]} */ lines, /** @type {string} */ baseline) {
  const workloads = [...new Set(lines.map(({ workload }) => workload))];
  return workloads.map((workload) => {
    const rows = lines.filter((line) => line.workload === workload).map(row);
    return `\n${workload} (ratio: how many times as fast as ${baseline}, by p50)\n${align([COLUMNS, ...rows])}`;
  }).join('\n');
}

/** @returns {string[]} */
function row(/** @type {Line} */ { candidate, p50, p99, perSecond, ratio }) {
  return [
    candidate,
    time(p50.median),
    `${time(p50.low)}–${time(p50.high)}`,
    time(p99.median),
    NUMBER.format(perSecond.median),
    ratio === null ? '' : NUMBER.format(ratio.median),
    ratio === null ? '' : `${NUMBER.format(ratio.low)}–${NUMBER.format(ratio.high)}`,
  ];
}

/** Columns as wide as their widest cell; the first to the left, the rest to the right. */
export function align(/** @type {readonly (readonly string[])[]} */ rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  return rows
    .map((cells) => `  ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`)
    .join('\n');
}

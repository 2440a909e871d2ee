// What the workloads are called, and which of their figures counts.

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} title
 * @property {'time' | 'rate'} by The median time of one, or documents per second.
 */

/** @type {readonly Workload[]} */
export const WORKLOADS = [
  { name: 'W1', title: 'one durable create', by: 'time' },
  { name: 'W2', title: 'bulk, 1,000 creates per request', by: 'rate' },
  { name: 'W2b', title: '100 creates in flight', by: 'rate' },
  { name: 'R1', title: 'get by ref', by: 'time' },
  { name: 'R1x100', title: '100 gets in flight', by: 'rate' },
  { name: 'R2-16', title: 'page of 16 by index, with documents', by: 'time' },
  { name: 'R2-64', title: 'page of 64 by index, with documents', by: 'time' },
  { name: 'R3', title: 'count by predicate over all', by: 'time' },
  { name: 'U1', title: 'update by ref', by: 'time' },
  { name: 'S1', title: 'cold start to first answer', by: 'time' },
];

/** In this order: what creates comes before what reads, on a database already filled (W2). */
export const IN_ORDER = ['W1', 'W2b', 'R1', 'R1x100', 'R2-16', 'R2-64', 'R3', 'U1'];

/** The figure that counts: milliseconds, or documents per second. @returns {number} */
export const figure = (/** @type {Workload} */ { by }, /** @type {import('./statistics.mjs').Summary} */ { p50, perSecond }) => (by === 'time' ? p50 : perSecond);

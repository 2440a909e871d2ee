// What we mean to be: so many times as fast as each peer in the same round, `relaxed` beside those that
// are so by default, `strict` beside those that sync; and no larger than this.
import { bytesLeft, figures, ratio } from './statistics.mjs';
import { align, short } from './table.mjs';
import { WORKLOADS } from './workloads.mjs';

const OURS = { relaxed: 'Vivarium, relaxed', strict: 'Vivarium, strict' };

/** @typedef {Record<string, number>} Goals By workload. */
/** @type {readonly { peer: string, ours: 'relaxed' | 'strict', goals: Goals }[]} */
const GOALS = [
  { peer: 'Dexie', ours: 'relaxed', goals: { W1: 1.4, W2: 4, W2b: 10, R1: 3.5, R1x100: 6.5, 'R2-16': 5, 'R2-64': 4.5, R3: 30, U1: 1.6, S1: 0.65 } },
  { peer: 'PGlite', ours: 'strict', goals: { W1: 1, W2: 0.8, W2b: 10, R1: 4, R1x100: 15, 'R2-16': 7, 'R2-64': 6, R3: 0.7, U1: 0.8, S1: 10 } },
  { peer: 'sqlite-wasm', ours: 'strict', goals: { W1: 1.7, W2: 1.5, W2b: 6, R1: 1.2, R1x100: 2.1, 'R2-16': 2.3, 'R2-64': 3.2, R3: 0.4, U1: 1.5, S1: 2.5 } },
  { peer: 'sqlite-wasm, WAL', ours: 'strict', goals: { W1: 0.6, W2: 1.5, W2b: 6, R1: 1.2, R1x100: 2.1, 'R2-16': 2.3, 'R2-64': 3.2, R3: 0.4, S1: 2.5 } },
];

/** @returns {string} whether what is may be so much */
export const verdict = (/** @type {number} */ value, /** @type {number} */ most) => (value <= most ? 'met' : `× ${short(value / most)} to go`);

/** @returns {string} each goal, what was measured, and how far the one is from the other */
export function goalTable(/** @type {readonly import('./statistics.mjs').Round[]} */ rounds) {
  const rows = WORKLOADS.flatMap((workload) =>
    GOALS.flatMap(({ peer, ours, goals }) => {
      const goal = goals[workload.name];
      const found = ratio(rounds, OURS[ours], peer, workload);
      if (goal === undefined || found === null) return [];
      return [[workload.name, OURS[ours], `beside ${peer}`, short(found.median), `≥ ${goal}`, verdict(goal, found.median)]];
    }));
  return rows.length === 0 ? '' : `\nGoals\n${align([['', '', '', 'measured', 'goal', ''], ...rows])}`;
}

const TEN_THOUSAND = 10_000;
const MILLION = 1_000_000;

/** @typedef {(documents: number) => readonly import('./statistics.mjs').Round[]} RoundsOf */
/** @type {readonly { title: string, most: number, of: (rounds: RoundsOf) => number | undefined }[]} `undefined` where a part of it was not measured. */
const LIMITS = [
  { title: 'S1 at 1,000,000 documents, beside 10,000', most: 1.5, of: (rounds) => quotient(coldStart(rounds(MILLION)), coldStart(rounds(TEN_THOUSAND))) },
  { title: 'heap of the worker at 1,000,000 documents, MB', most: 100, of: (rounds) => quotient(bytesLeft(rounds(MILLION), OURS.relaxed, 'heap')?.median, 1e6) },
  ...[TEN_THOUSAND, 100_000].map((documents) => ({
    title: `disk at ${documents.toLocaleString('en')} documents, beside IndexedDB`,
    most: 1.3,
    of: (/** @type {RoundsOf} */ rounds) => quotient(bytesLeft(rounds(documents), OURS.relaxed, 'disk')?.median, bytesLeft(rounds(documents), 'IndexedDB, relaxed', 'disk')?.median),
  })),
];

const S1 = WORKLOADS.filter(({ name }) => name === 'S1');
const coldStart = (/** @type {readonly import('./statistics.mjs').Round[]} */ rounds) => S1.flatMap((workload) => figures(rounds, OURS.relaxed, workload)?.median ?? [])[0];
/** Of medians over the rounds: other sizes have rounds of their own. */
const quotient = (/** @type {number | undefined} */ a, /** @type {number | undefined} */ b) => (a === undefined || b === undefined ? undefined : a / b);

/** @returns {string} the same of what has to stay below a limit; `rounds` of one size, none where it was not measured */
export function limitTable(/** @type {RoundsOf} */ rounds) {
  const rows = LIMITS.flatMap(({ title, most, of }) => {
    const found = of(rounds);
    return found === undefined ? [] : [[title, short(found), `≤ ${most}`, verdict(found, most)]];
  });
  return rows.length === 0 ? '' : `\nLimits\n${align([['', 'measured', 'goal', ''], ...rows])}`;
}

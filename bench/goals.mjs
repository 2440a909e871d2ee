// How many times as fast as each peer we mean to be, in the same round: `relaxed` beside those
// that are so by default, `strict` beside those that sync.
import { ratio } from './statistics.mjs';
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

/** @returns {string} each goal, what was measured, and how far the one is from the other */
export function goalTable(/** @type {readonly import('./statistics.mjs').Round[]} */ rounds) {
  const rows = WORKLOADS.flatMap((workload) =>
    GOALS.flatMap(({ peer, ours, goals }) => {
      const goal = goals[workload.name];
      const found = ratio(rounds, OURS[ours], peer, workload);
      if (goal === undefined || found === null) return [];
      return [[workload.name, OURS[ours], `beside ${peer}`, short(found.median), `≥ ${goal}`, found.median >= goal ? 'met' : `× ${short(goal / found.median)} to go`]];
    }));
  return rows.length === 0 ? '' : `\nGoals\n${align([['', '', '', 'measured', 'goal', ''], ...rows])}`;
}

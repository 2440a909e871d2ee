// Where the ids of new blocks begin, and which are of no more use (see block-ids.ts): only for upkeep and
// imports, which are loaded late.
import { type BlockRange, RUN } from './block-ids.ts';

const RUNS = 2 ** 10;
const EPOCHS = 2 ** 24;

/**
 * Where the ids of something new begin. Two who begin in one epoch differ by their runs; where
 * they do not, the store takes only the first one's blocks.
 * @param run of those who begin something, each counts from a random one
 */
export function newBase(manifestNumber: number, run: number): number {
  return ((manifestNumber % EPOCHS) * RUNS + (run % RUNS)) * RUN;
}

/** All ids of what begins at a base. */
export const rangeOf = (base: number): BlockRange => ({ from: base, to: base + RUN });

/** How many manifests were installed since a base was given. */
export const ageOf = (base: number, manifestNumber: number): number => (manifestNumber + EPOCHS - Math.floor(base / (RUNS * RUN))) % EPOCHS;

/** The ranges of past epochs in which nothing is kept. */
export function deadRanges(bases: readonly number[], manifestNumber: number): BlockRange[] {
  const end = (manifestNumber % EPOCHS) * RUNS * RUN;
  const kept = bases.filter((base) => base < end).sort((a, b) => a - b).map(rangeOf);
  return [...kept, { from: end, to: end }]
    .map(({ from }, at) => ({ from: kept[at - 1]?.to ?? 0, to: from }))
    .filter(({ from, to }) => from < to);
}

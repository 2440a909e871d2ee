// Ids of blocks. One names the manifest it was begun under (its epoch), a random run of that
// epoch (epochs.ts), one of the four parts a segment has, and a place in it:
//
//   epoch 24 bits · run 10 · part 2 · place 17
//
// So the blocks of a segment are one range, and those of a part are neighbours that one request can
// fetch. It is also known without any list which blocks nobody will refer to any more: those of past
// epochs that the manifest does not name. Whoever began them in such an epoch is fenced off, unless it
// has installed the manifests since then itself, and those name what it has begun. Blocks of the present
// epoch may be somebody's work under way.

/** Half open. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

export type Part = 'tops' | 'olds' | 'index' | 'filter';

/** Places of a part: 4 GB of blocks. */
const PLACES = 2 ** 17;
const PART_AT: Readonly<Record<Part, number>> = { tops: 0, olds: PLACES, index: 2 * PLACES, filter: 3 * PLACES };
/** Ids of a run. */
export const RUN = 4 * PLACES;

/** In format 1 a segment had so many ids for its blocks, and a manifest so many segments. */
const RUNS_OF_SEGMENT_1 = 2;
const EPOCHS_OF_MANIFEST_1 = 2 ** 8;

/** @throws Error when a part is full */
export function blockId(base: number, part: Part, place: number): number {
  if (place >= PLACES) throw new Error('a segment of too many blocks');
  return base + PART_AT[part] + place;
}

/** The base of a block's id: where the ids of its segment begin. */
export const baseOf = (id: number): number => id - (id % RUN);

/** The bases of a segment of format 1, by any of its ids: it may have those of two runs. */
export function basesOfSegment1(id: number): readonly [first: number, second: number] {
  const first = id - (id % (RUNS_OF_SEGMENT_1 * RUN));
  return [first, first + RUN];
}

/** The number that a manifest of format 1 goes on from: all ids given in format 1 are of epochs before it. */
export const numberAfterFormat1 = (manifestNumber: number): number => (manifestNumber + 1) * EPOCHS_OF_MANIFEST_1;

// Apart from block-ids.ts, as only upkeep needs it, which is loaded late.
import type { BlockRange } from './block-ids.ts';

/** The parts of the ranges that lie in none of the others. Both lists are sorted, and their ranges do not overlap. */
export function without(ranges: readonly BlockRange[], others: readonly BlockRange[]): BlockRange[] {
  let first = 0;
  return ranges.flatMap(({ from, to }) => {
    const left: BlockRange[] = [];
    while ((others[first]?.to ?? Infinity) <= from) first++;
    let start = from;
    for (let at = first, other = others[at]; other !== undefined && other.from < to; other = others[++at]) {
      if (start < other.from) left.push({ from: start, to: other.from });
      start = other.to;
    }
    return start < to ? [...left, { from: start, to }] : left;
  });
}

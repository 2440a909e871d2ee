// What `findstrregex` answers.
import { Obj, type Value } from '../../value/value.ts';
import { countPoints } from './code-points.ts';
import type { Match } from './regex/machine.ts';

/** Matches as objects, with positions in code points from `offset` on. `end` is where the last character matched begins, as far as code units tell. */
export function describeMatches(matches: readonly Match[], text: string, offset: number): readonly Value[] {
  let counted = 0;
  let points = offset;
  // Matches come in order, so each character is counted once.
  const pointsBefore = (at: number): bigint => {
    points += countPoints(text, counted, at);
    counted = at;
    return BigInt(points);
  };
  return matches.map(({ start, end, groups }) =>
    Obj.of(
      ['start', pointsBefore(start)],
      ['end', pointsBefore(start === end ? end : end - 1)],
      ['data', groups[0] ?? ''],
    ),
  );
}

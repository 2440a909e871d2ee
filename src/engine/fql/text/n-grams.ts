import type { Path } from '../../base/path.ts';
import { outOfBounds } from '../../errors/codes.ts';
import { FqlError } from '../../errors/fql-error.ts';

const DEFAULT_MIN = 1n;
const DEFAULT_MAX = 2n;
/** How much larger the largest size may be than the smallest. */
const MAX_DIFFERENCE = 1n;

type Rule = readonly [broken: boolean, what: 'min' | 'max', rule: string];

/** What sizes must be; which words are used depends on which of them were given. */
function rules(min: bigint | undefined, max: bigint | undefined): readonly Rule[] {
  if (min !== undefined && max !== undefined) {
    return [
      [min > max || min <= 0n, 'min', '> 0 and <= max'],
      [max <= 0n, 'max', '> 0'],
      [max - min > MAX_DIFFERENCE, 'max', '<= min + 1'],
    ];
  }
  if (min !== undefined) {
    return [
      [min > DEFAULT_MAX || min <= 0n, 'min', '> 0 and <= max'],
      [DEFAULT_MAX - min > MAX_DIFFERENCE, 'min', '>= max - 1'],
    ];
  }
  if (max === undefined) return [];
  return [
    [max <= DEFAULT_MIN, 'max', '> 0 and >= min'],
    [max - DEFAULT_MIN > MAX_DIFFERENCE, 'max', '<= min + 1'],
  ];
}

/**
 * Smallest and largest size of n-grams.
 * @throws FqlError with an `invalid argument` for every rule that is broken
 */
export function gramSizes(min: bigint | undefined, max: bigint | undefined, at: Path): readonly [min: number, max: number] {
  const failures = rules(min, max).flatMap(([broken, what, rule]) =>
    broken ? outOfBounds(at, `${what} ngram size`, rule).failures : [],
  );
  if (failures.length > 0) throw new FqlError(failures);
  return [Number(min ?? DEFAULT_MIN), Number(max ?? DEFAULT_MAX)];
}

/** All pieces of a text that are between `min` and `max` code points long, by where they begin, shorter first. */
export function nGrams(text: string, min: number, max: number): readonly string[] {
  const points = [...text];
  return points.flatMap((_, start) => {
    const grams: string[] = [];
    for (let size = min; size <= max && start + size <= points.length; size++) {
      grams.push(points.slice(start, start + size).join(''));
    }
    return grams;
  });
}

// Names that may have been meant, as the gateway found and listed them.

const SHOWN = 5;

/** ` Did you mean 'a', 'b' or 'c'?` from what is spelt similarly, or nothing. */
export function didYouMean(input: string, options: readonly string[]): string {
  const near = nearest(input, options);
  return near.length === 0 ? '' : ` Did you mean ${orList(near.map((name) => `'${name}'`))}?`;
}

/** The first of some names: `a, b or c`. */
export function orList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

/** What is spelt similarly, nearest first, else in the order given: up to half of the longer name may differ. */
export function nearest(input: string, options: readonly string[]): readonly string[] {
  return options
    .map((option) => ({ option, limit: Math.max(Math.floor(Math.max(input.length, option.length) / 2), 1) }))
    // It takes as many edits as the lengths differ: no long name is compared with all short ones.
    .filter(({ option, limit }) => Math.abs(input.length - option.length) <= limit)
    .map(({ option, limit }) => ({ option, limit, edits: distance(input, option) }))
    .filter(({ edits, limit }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .map(({ option }) => option);
}

/** Edits (insert, delete, replace, swap neighbours) that lead from one word to the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(
        (row[j - 1] ?? 0) + cost, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, isSwap ? (before[j - 2] ?? 0) + cost : Infinity,
      ));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

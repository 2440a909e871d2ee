import { describe, expect, it } from 'vitest';
import { Gen } from '../../../testing/gen.ts';
import type { Budget } from '../../form/budget.ts';
import { indexIn, placesOf, replaceAll } from './search.ts';

const freely = { spent: () => undefined, characters: 0 } as unknown as Budget;

/** The platform's answer. */
function expected(find: string, text: string, from: number, most: number): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(find, from); at >= 0 && places.length < most; at = text.indexOf(find, at + find.length)) places.push(at);
  return places;
}

describe('searching a text', () => {
  it('finds what the platform finds, in texts that repeat themselves', () => {
    const gen = new Gen(7);
    const text = (longest: number): string => gen.list(longest, () => gen.pick(['a', 'a', 'b'])).join('');
    for (let run = 0; run < 5000; run++) {
      const [where, find, from, most] = [text(60), `${text(6)}a`, gen.below(8), gen.pick([1, 2, Infinity])];
      expect(placesOf(find, where, from, most, freely), `${find} in ${where} from ${from}`).toEqual(expected(find, where, from, most));
    }
  });

  it('finds and replaces the same, whichever search is taken', () => {
    for (const length of [1, 250, 300]) {
      const find = `${'a'.repeat(length - 1)}b`;
      const text = `${'a'.repeat(40_000)}${find}${find}ab`;
      for (const from of [0, 39_000, 40_001 + length]) expect(indexIn(text, find, from, freely)).toBe(text.indexOf(find, from));
      expect(replaceAll(text, find, 'xyz', freely)).toBe(text.replaceAll(find, 'xyz'));
    }
  });

  it('is left to the platform only while that ends soon', () => {
    const stepsOf = (find: string): number => {
      let spent = 0;
      const counting = { spent: ({ steps }: { steps: number }) => void (spent += steps), characters: 0 } as unknown as Budget;
      const text = 'a'.repeat(200_000);
      expect(indexIn(text, find, 0, counting)).toBe(-1);
      expect(replaceAll(text, find, '', counting)).toBe(text);
      return spent;
    };
    expect(stepsOf('b')).toBe(0);
    expect(stepsOf(`${'a'.repeat(300)}b`)).toBeGreaterThan(300);
  });

  it('goes on after a pause, within both texts', async () => {
    const pausing = { spent: () => Promise.resolve() } as unknown as Budget;
    const half = 'a'.repeat(100_000);
    expect(await placesOf(`${half}b`, `${half}${half}b`, 0, 1, pausing)).toEqual([100_000]);
  });

  it('takes time by the sum of both lengths', () => {
    const stepsOf = (length: number): number => {
      let spent = 0;
      const counting = { spent: ({ steps }: { steps: number }) => void (spent += steps) } as unknown as Budget;
      const half = 'a'.repeat(length / 4);
      expect(placesOf(`${half}b${half}`, 'a'.repeat(length), 0, 1, counting)).toEqual([]);
      return spent;
    };
    expect(stepsOf(4_000_000) / stepsOf(1_000_000)).toBeLessThan(5);
  });
});

// The posts, the same for every candidate and every run.
import type { Post } from './candidate.ts';

export const AUTHORS = Array.from({ length: 50 }, (_, number) => `author-${String(number).padStart(2, '0')}`);

/** Scores are whole numbers under this. */
export const SCORES = 1000;

const FIRST_TIME = 1_600_000_000_000;
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'juniper', 'kelp', 'lichen', 'moss', 'nettle', 'osier', 'pine'];

/** Numbers from 0 to 1, always the same ones (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** When a post was made: later, the higher its number. */
export const timeOf = (number: number): number => FIRST_TIME + number * 1000;

export function makePosts(count: number, first = 0): Post[] {
  return Array.from({ length: count }, (_, index) => makePost(first + index));
}

export function makePost(number: number): Post {
  const random = numbers(number);
  const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS, random)).join(' ');
  const hex = (): string => Math.floor(random() * 2 ** 32).toString(16).padStart(8, '0');
  return {
    id: hex() + hex(),
    author: pick(AUTHORS, random),
    createdAt: timeOf(number),
    title: words(3),
    body: words(11),
    score: Math.floor(random() * SCORES),
  };
}

// Searching a text for another in time that grows with the sum of their lengths (Knuth, Morris and
// Pratt). The platform's own search is faster, but in texts that repeat themselves it may take as long as
// the product, and nothing stops it.
import { andThen, loop, type MaybePromise } from '../../base/maybe.ts';
import type { Budget } from '../../form/budget.ts';
import { affordable } from './length-limit.ts';

/** Characters that are as much work as a step. */
const PER_STEP = 1000;
/** Characters read between two looks at the budget. */
const SLICE = 64 * PER_STEP;

/** Whether the platform's own search ends soon, whatever the two hold: from some 250 characters on it may compare all of them at every place. */
const isSoonFound = (text: string, find: string): boolean => find.length <= 250 || text.length * find.length <= 10_000_000;

/** Where a text stands in another, from a place on; -1 where it does not. */
export function indexIn(text: string, find: string, from: number, budget: Budget): MaybePromise<number> {
  return isSoonFound(text, find) ? text.indexOf(find, from) : andThen(placesOf(find, text, from, 1, budget), ([place = -1]) => place);
}

/** Where `find`, of one character or more, stands in a text from a place on: at most so many places, none within another. */
export function placesOf(find: string, text: string, from: number, most: number, budget: Budget): MaybePromise<readonly number[]> {
  /** By how much of `find` was read: how much of its beginning that ends with, too, being shorter. */
  const borders = new Int32Array(find.length + 1);
  const places: number[] = [];
  let matched = 0;
  /** Goes on with the characters of a text. @param read told the place after each */
  const over = (source: string, first: number, read: (place: number) => void): MaybePromise<true> => {
    let at = first;
    return loop(() => {
      const end = Math.min(at + SLICE, source.length);
      while (at < end && places.length < most) {
        const unit = source.charCodeAt(at++);
        while (matched > 0 && find.charCodeAt(matched) !== unit) matched = borders[matched] as number;
        if (find.charCodeAt(matched) === unit) matched++;
        read(at);
      }
      return at >= source.length || places.length === most ? true : andThen(budget.spent({ steps: SLICE / PER_STEP }), () => undefined);
    });
  };
  const bordered = over(find, 1, (place) => {
    borders[place] = matched;
  });
  return andThen(bordered, () => {
    matched = 0;
    const found = over(text, from, (place) => {
      if (matched < find.length) return;
      places.push(place - find.length);
      matched = 0;
    });
    return andThen(found, () => places);
  });
}

/** A text with each occurrence of another replaced. @throws HttpError when it gets too long */
export function replaceAll(text: string, find: string, replace: string, budget: Budget): MaybePromise<string> {
  if (isSoonFound(text, find)) {
    affordable(text.length + occurrences(text, find) * (replace.length - find.length), budget);
    return text.replaceAll(find, () => replace);
  }
  return andThen(placesOf(find, text, 0, Infinity, budget), (places) => {
    affordable(text.length + places.length * (replace.length - find.length), budget);
    let copied = 0;
    const pieces = places.map((place) => {
      const piece = text.slice(copied, place);
      copied = place + find.length;
      return piece;
    });
    return [...pieces, text.slice(copied)].join(replace);
  });
}

function occurrences(text: string, find: string): number {
  if (find === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) count++;
  return count;
}

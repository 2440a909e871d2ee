// The laws of sets: what holds of every kind of set over any data. Each takes a world in
// which an engine and the slow model were told the same things.
import { expect } from 'vitest';
import type { Element, ModelEvent, SetExpr } from '../set-model.ts';
import { eventText, queryOf, textOf, type World } from '../set-world.ts';

export interface PageText {
  readonly data: readonly string[];
  /** As an expression that can be sent again. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Asks for one page; its parts come back as they were written. */
export async function pageOf(world: World, query: string): Promise<PageText> {
  const fields = topLevel(await world.ask(query), '{');
  const cursor = (name: string): string | null => {
    const text = fields.get(name);
    return text === undefined ? null : asExpression(text);
  };
  return { data: [...topLevel(fields.get('data') ?? '[]', '[').values()], before: cursor('before'), after: cursor('after') };
}

/** Splits the text of an object or array into that of its members. */
function topLevel(text: string, open: '{' | '['): Map<string, string> {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error(`expected ${open}: ${text}`);
  return new Map(Object.entries(parsed).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** Objects that are no special value are wrapped, as drivers do. */
function asExpression(text: string): string {
  return JSON.stringify(wrapped(JSON.parse(text)));
}

function wrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrapped);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).some((key) => key.startsWith('@'))) return value;
  return { object: Object.fromEntries(Object.entries(value).map(([key, field]) => [key, wrapped(field)])) };
}

/** What a set is said to hold, in words for a failure. */
export interface Expected {
  readonly name: string;
  /** The set or event set as a query. */
  readonly query: string;
  readonly items: readonly string[];
}

export const expectedElements = (name: string, set: SetExpr, world: World, time: number): Expected => ({
  name,
  query: queryOf(set),
  items: world.model.elements(set, time, world.now).map((element: Element) => textOf(element)),
});

export const expectedEvents = (name: string, set: SetExpr, world: World): Expected => ({
  name: `events of ${name}`,
  query: `{"events":${queryOf(set)}}`,
  items: world.model.events(set).map((event: ModelEvent) => eventText(event)),
});

/** Sizes to page by: small ones, just the whole, and more. Pages of one lead from place to place besides. */
const sizesFor = (count: number): number[] => [...new Set([1, 2, 3, count, count + 1])].filter((size) => size > 0);

/**
 * From every place of a set, a page of any size holds just what follows it, and one before it
 * just what leads up to it; cursors are there exactly where there is more, and lead there.
 * So pages joined in either direction are the set. Answers how many pages were read.
 */
export async function pagesMeet(world: World, { name, query, items }: Expected, more = '', sizes = sizesFor(items.length)): Promise<number> {
  let pages = 0;
  const read = async (rest: string): Promise<PageText> => {
    pages++;
    return pageOf(world, `{"paginate":${query}${more}${rest}}`);
  };
  const whole = await read(',"size":100000');
  expect({ name, data: whole.data, before: whole.before, after: whole.after }).toEqual({ name, data: items, before: null, after: null });
  const places: (string | null)[] = [null];
  for (let cursor: string | null = null; places.length <= items.length; ) {
    const page: PageText = await read(`,"size":1${cursor === null ? '' : `,"after":${cursor}`}`);
    expect({ name, at: places.length - 1, data: page.data }).toEqual({ name, at: places.length - 1, data: items.slice(places.length - 1, places.length) });
    cursor = page.after;
    if (cursor === null) break;
    places.push(cursor);
  }
  expect({ name, places: places.length }).toEqual({ name, places: Math.max(1, items.length) });
  for (const size of sizes) {
    for (let at = 1; at < places.length; at++) {
      const cursor = places[at] ?? '';
      const after = await read(`,"size":${size},"after":${cursor}`);
      const end = at + size < items.length ? (places[at + size] ?? '') : null;
      expect({ name, at, size, ...after }).toEqual({ name, at, size, data: items.slice(at, at + size), before: cursor, after: end });
      const before = await read(`,"size":${size},"before":${cursor}`);
      const start = at - size;
      expect({ name, at, size, ...before, before: before.before !== null }).toEqual({
        name, at, size, data: items.slice(Math.max(0, start), at), before: start > 0, after: cursor,
      });
      if (before.before !== null) {
        const further = await read(`,"size":${items.length + 1},"before":${before.before}`);
        expect({ name, at, size, data: further.data }).toEqual({ name, at, size, data: items.slice(0, start) });
      }
    }
  }
  return pages;
}

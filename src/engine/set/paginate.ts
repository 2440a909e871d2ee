// Pages. A page is always in the order of its set. `after` reads on from the cursor, including it;
// `before` reads back from it, excluding it (reference: data/sets.md §6–7; brief §4.2).
import { andThen, drawing, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { invalidArgument, permissionDenied } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { requireKept } from '../schema/retention.ts';
import { RANK } from '../wire/version.ts';
import { same } from '../value/equal.ts';
import { Page, Sourced, type Value } from '../value/value.ts';
import { combining, histories } from './lazy.ts';
import { cursorParts } from './position.ts';
import { cursorOf, elementOf, type Entry, type EntryCursor, everything, KEY_END, type Position, type SetOp, type Window } from './set-op.ts';
import { around } from './window.ts';

export interface PageRequest {
  readonly set: SetOp;
  readonly size: number;
  readonly direction: 'after' | 'before';
  /** Absent on a first page. */
  readonly cursor: Value | undefined;
  /** Position of the cursor in the query. */
  readonly cursorAt: Path;
  readonly sources: boolean;
}

/** The size of a page: the version's default, and what becomes of too large a one. @throws FqlError at `at` */
export function pageSize(asked: bigint | undefined, ctx: EvalContext, at: Path): number {
  const { default: usual, max, overflow } = ctx.wire.pageSize;
  if (asked === undefined) return usual;
  if (asked > BigInt(max) && overflow === 'refuse') throw invalidArgument(at, `Page size ${asked} exceeds the maximum of ${max}.`);
  return Number(asked > BigInt(max) ? BigInt(max) : asked);
}

export function paginate(request: PageRequest, ctx: EvalContext, at: Path): MaybePromise<Page> {
  const { set, cursor, cursorAt } = request;
  // A cursor that is none is told before who may read the set.
  return andThen(cursor === undefined ? null : readCursor(cursor, set, ctx, cursorAt), (find) =>
    reading(set, ctx, at, () => (find === null ? pageAt(request, null, ctx) : andThen(find(), (place) => pageAt(request, place, ctx)))),
  );
}

/** Runs work that reads a set. @throws FqlError `permission denied` at `at` */
export function reading<T>(set: SetOp, ctx: EvalContext, at: Path, work: () => MaybePromise<T>): MaybePromise<T> {
  return andThen(set.readable(ctx), (readable) => {
    if (!readable) throw permissionDenied(at);
    if (ctx.validTime !== null) requireKept(ctx.validTime, set.earliest(ctx));
    return work();
  });
}

function pageAt(request: PageRequest, place: Place | null, ctx: EvalContext): MaybePromise<Page> {
  const { size } = request;
  const backwards = request.direction === 'before';
  const echo = place?.shown;
  if (size <= 0) return new Page([], backwards && size < 0 ? undefined : echo, backwards || size === 0 ? echo : undefined);
  return andThen(read(request, place, backwards, ctx), (page) =>
    page.data.length === 0 && isSynthetic(request, ctx) ? read(request, null, !backwards, ctx) : page,
  );
}

function read({ set, size, sources }: PageRequest, place: Place | null, backwards: boolean, ctx: EvalContext): MaybePromise<Page> {
  const { reversed } = set.shape(ctx);
  const window = windowOf(place, reversed, backwards);
  ctx.txn.cost.begin();
  return andThen(take(set.open(ctx, window), size + 1), (entries) => {
    const more = entries.length > size;
    const page = entries.slice(0, size);
    if (backwards) page.reverse();
    const edge = backwards ? page[0] : entries[size];
    const beyond = more && edge !== undefined ? cursorOf(edge, reversed) : undefined;
    const data = sources ? page.map((entry) => new Sourced(elementOf(entry), eachOnce(entry.sources ?? [set.basis]))) : page.map(elementOf);
    const cursors = page.map((entry) => cursorOf(entry, reversed));
    return backwards ? new Page(data, beyond, place?.shown, cursors) : new Page(data, place?.shown, beyond, cursors);
  });
}

/**
 * In 2.0 two cursors stand for the ends of a set in descending order, also where nothing
 * lies beyond them: `before: null` for its first page, `after: 0` for its last (brief §4.2).
 */
function isSynthetic({ set, direction, cursor }: PageRequest, ctx: EvalContext): boolean {
  const { descending, reversed } = set.shape(ctx);
  const falling = (descending[0] ?? false) !== reversed;
  return falling && ctx.wire.rank === RANK['2.0'] && cursor === (direction === 'before' ? null : 0n);
}

/** The same set may have been made several times. */
const eachOnce = (sets: readonly SetOp[]): readonly SetOp[] => sets.filter((set, at) => sets.findIndex((other) => same(set, other)) === at);

interface Place {
  readonly position: Position;
  readonly shown: Value;
}

/** Where a cursor leads. @throws FqlError where the set has no such place */
export const placeOf = (cursor: Value, set: SetOp, ctx: EvalContext, at: Path): MaybePromise<Place> => andThen(readCursor(cursor, set, ctx, at), (find) => find());

/** What finds the place that a cursor leads to; for that a set may be read. @throws FqlError where the set has no such place */
function readCursor(cursor: Value, set: SetOp, ctx: EvalContext, at: Path): MaybePromise<() => MaybePromise<Place>> {
  const shape = set.shape(ctx);
  if (shape.events !== null) {
    return andThen(histories(), ({ eventCursor }) => {
      const place = eventCursor(cursor, shape, ctx.wire.rank === RANK['2.0'], at);
      return () => place;
    });
  }
  const shown = cursorParts(cursor, at);
  return () =>
    andThen(set.place(shown, ctx), (found) => {
      const place = found ?? around('');
      const { low, group } = place;
      // An element that stands for its whole group has the place of the group.
      const position = shape.grouped && group !== undefined ? andThen(combining(), ({ settled }) => settled(set, shown, group, low, ctx)) : place;
      return andThen(position, (position) => ({ position, shown }));
    });
}

/** From the cursor on in the set's order, or all that lies before it. */
function windowOf(place: Place | null, reversed: boolean, backwards: boolean): Window {
  const descending = reversed !== backwards;
  if (place === null) return everything(descending);
  const { low, high, group } = place.position;
  // `after` takes the cursor in, `before` leaves it out; a reversed set turns low and high round.
  const edge = reversed ? high : low;
  return reversed === backwards ? { from: edge, fromGroup: group, to: KEY_END, descending } : { from: '', to: edge, toGroup: group, descending };
}

/** The next entries. @param count of them at most; at least 1 */
function take({ next }: EntryCursor, count: number): MaybePromise<Entry[]> {
  const entries: Entry[] = [];
  return drawing(next, (entry: Entry | null) => (entry !== null && entries.push(entry) < count ? undefined : entries))();
}

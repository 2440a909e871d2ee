// Sets as something to read. A set is a sorted run of entries; entries of one index, or of
// several that agree on their order, are compared by their keys alone.
import type { Key } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import type { EventOrder } from '../txn/moment.ts';
import { DocEvent, type Ref, SetValue, type Value } from '../value/value.ts';
import { boundOf } from './position.ts';
import type { Shape } from './shape.ts';
import type { Position, Window } from './window.ts';

export { REFS_ONLY, type Shape } from './shape.ts';
export { contains, everything, KEY_END, type Position, type Window } from './window.ts';

export interface Entry {
  /** Place in the set: the covered values, then the ref, as bytes. */
  readonly key: Key;
  /** How many bytes of the key are values; 0 when the set covers none. */
  readonly split: number;
  readonly values: readonly Value[];
  readonly ref: Ref;
  /** Entries of an event set are events. */
  readonly event?: DocEvent;
  /** The predicate of the filter that it is read for is true of it. */
  readonly passes?: boolean;
  /** The sets that gave this entry, where several may have. */
  readonly sources?: readonly SetOp[] | undefined;
}

/** A position among entries. */
export interface EntryCursor {
  next(): MaybePromise<Entry | null>;
  /**
   * Leaps forward: ascending, to the first key ≥ `key`; descending, to the last key < `key`.
   * Leaps end where groups end (see `groupKey`), never inside one.
   */
  seek(key: Key): void;
}

export abstract class SetOp extends SetValue {
  abstract shape(ctx: EvalContext): Shape;
  /** @throws FqlError where a member cannot be read */
  abstract open(ctx: EvalContext, window: Window): EntryCursor;
  /** The events of the set, as entries of an event set. @throws FqlError when it keeps none */
  abstract history(ctx: EvalContext, window: Window): EntryCursor;
  /** Whether the caller may read the set, and its events, at all; single entries are filtered besides. */
  abstract readable(ctx: EvalContext): MaybePromise<boolean>;
  /** The earliest time it may be read at. Histories do not fail: they begin there. */
  abstract earliest(ctx: EvalContext): Ts;
  /** The order of its events at one instant. */
  abstract readonly eventOrder: EventOrder;

  /** Whether it is made of events. */
  get historical(): boolean {
    return false;
  }

  /** The set that its entries come from, as `sources` names it. */
  get basis(): SetOp {
    return this;
  }

  /** Of a set of events, or of one made of such: the set whose history it is. Any other set is its own. */
  get snapshot(): SetOp {
    return this;
  }

  /** How many entries it has, where that can be told without making each; else `null`. Billed as if they were read one by one. */
  tally(_ctx: EvalContext): MaybePromise<number> | null {
    return null;
  }

  /** Where a tuple of values, perhaps followed by a ref, stands in the set; `null` where the set has nothing that shows it. */
  place(parts: readonly Value[], ctx: EvalContext): MaybePromise<Position | null> {
    return boundOf(parts, this.shape(ctx));
  }
}

/** Works something out once for each context: a set may be asked again and again, and ask the sets that it holds. */
export function perContext<T>(work: (ctx: EvalContext) => T): (ctx: EvalContext) => T {
  let known: { readonly ctx: EvalContext; readonly result: T } | null = null;
  return (ctx) => {
    if (known?.ctx !== ctx) known = { ctx, result: work(ctx) };
    return known.result;
  };
}

/** What a page shows of an entry: its value, its values, or its ref. */
export function elementOf(entry: Entry): Value {
  if (entry.event !== undefined) return entry.event;
  const [first] = entry.values;
  if (first === undefined) return entry.ref;
  return entry.values.length === 1 ? first : entry.values;
}

/**
 * The cursor that stands for an entry: its values and its ref, or its event without data.
 * A reversed set of refs is one that covers its refs.
 */
export function cursorOf({ event, values, ref }: Entry, reversed: boolean): Value {
  if (event === undefined) return [...(reversed && values.length === 0 ? [ref] : values), ref];
  return new DocEvent('cursor', event.ts, event.action, event.ref, event.kind === 'set' ? event.data : undefined, event.changes);
}

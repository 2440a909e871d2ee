// Sets that show another set differently: distinct, reverse, range, filter, events.
import { andThen, drawing, type MaybePromise } from '../../base/maybe.ts';
import { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { noHistory, wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import { type EvalContext, veiled } from '../../form/context.ts';
import { tsKey } from '../../kv/keyspace.ts';
import type { EventOrder } from '../../txn/moment.ts';
import { type Lambda, Obj, type Value } from '../../value/value.ts';
import { deferredCursor } from '../cursors.ts';
import { combining } from '../lazy.ts';
import { clamp, type Position } from '../window.ts';
import { DocumentsSet } from './documents.ts';
import { elementOf, type Entry, type EntryCursor, SetOp, type Shape, type Window } from '../set-op.ts';

abstract class View extends SetOp {
  constructor(protected readonly inner: SetOp) {
    super();
  }

  get eventOrder(): EventOrder {
    return this.inner.eventOrder;
  }

  override get historical(): boolean {
    return this.inner.historical;
  }

  override get basis(): SetOp {
    return this.inner.basis;
  }

  shape(ctx: EvalContext): Shape {
    return this.inner.shape(ctx);
  }

  override place(parts: readonly Value[], ctx: EvalContext): MaybePromise<Position | null> {
    return this.inner.place(parts, ctx);
  }

  earliest(ctx: EvalContext): Ts {
    return this.inner.earliest(ctx);
  }

  readable(ctx: EvalContext): MaybePromise<boolean> {
    return this.inner.readable(ctx);
  }

  override get snapshot(): SetOp {
    // The same view, but of that set.
    return Object.create(this, { inner: { value: this.inner.snapshot } }) as this;
  }

  history(_ctx: EvalContext, _window: Window): EntryCursor {
    throw noHistory(Path.root);
  }

  /** The set that is shown, where it is not made of events. @throws FqlError their order is not that of a set */
  protected get current(): SetOp {
    if (this.historical) throw noHistory(Path.root);
    return this.inner;
  }
}

/** Entries with identical covered values appear once. */
export class DistinctSet extends View {
  describe(): Obj {
    return Obj.of(['distinct', this.inner]);
  }

  override shape(ctx: EvalContext): Shape {
    const shape = this.inner.shape(ctx);
    return { ...shape, grouped: !shape.mixed };
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () => andThen(combining(), ({ distinct }) => distinct((part) => this.inner.open(ctx, part), window)));
  }

  override history(ctx: EvalContext, window: Window): EntryCursor {
    return this.inner.history(ctx, window);
  }
}

/** The same entries read from the last to the first. */
export class ReverseSet extends View {
  describe(): Obj {
    return Obj.of(['reverse', this.inner]);
  }

  override shape(ctx: EvalContext): Shape {
    const shape = this.inner.shape(ctx);
    return { ...shape, reversed: !shape.reversed };
  }

  override get basis(): SetOp {
    return this;
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    const { next, seek } = this.current.open(ctx, window);
    // The members that a combined set names are not the source here, but the set as it stands. What names its source is a plain object.
    const sources = [this];
    return { next: drawing(next, (entry) => (entry?.sources === undefined ? entry : { ...entry, sources })), seek };
  }
}

/** The entries between two bounds, both inside; `[]` is open. */
export class RangeSet extends View {
  constructor(
    inner: SetOp,
    private readonly from: readonly Value[],
    private readonly to: readonly Value[],
    /** How many values the inner set covers. */
    private readonly width: number,
  ) {
    super(inner);
  }

  describe(): Obj {
    return this.between(this.from, this.to);
  }

  /** Of a bound with values the ref behind them is not shown (reference: data/sets.md §2). */
  override shown(): Obj {
    const width = this.width || Infinity;
    return this.between(this.from.slice(0, width), this.to.slice(0, width));
  }

  private between(from: readonly Value[], to: readonly Value[]): Obj {
    const written = (bound: readonly Value[]): Value | undefined => (bound.length === 1 ? bound[0] : bound.length === 0 ? undefined : bound);
    return Obj.from({ range: this.inner, from: written(from), to: written(to) });
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    const { current } = this;
    const { reversed } = current.shape(ctx);
    const [first, last] = reversed ? [this.to, this.from] : [this.from, this.to];
    const bound = (parts: readonly Value[]): MaybePromise<Position | null> => (parts.length === 0 ? null : current.place(parts, ctx));
    return deferredCursor(ctx, () =>
      andThen(bound(first), (low) => andThen(bound(last), (high) => current.open(ctx, clamp(window, low, high)))),
    );
  }
}

/** The entries for which a lambda answers true; it runs when the set is read. */
export class FilterSet extends View {
  constructor(
    inner: SetOp,
    private readonly predicate: Lambda,
    private readonly at: Path,
  ) {
    super(inner);
  }

  describe(): Obj {
    return Obj.of(['filter', this.predicate], ['collection', this.inner]);
  }

  open(asked: EvalContext, window: Window): EntryCursor {
    const { current: from } = this;
    const ctx = veiled(asked);
    const told = from instanceof DocumentsSet ? from.openWhere(this.predicate, ctx, window) : null;
    const inner = told ?? from.open(ctx, window);
    const take = (entry: Entry | null): MaybePromise<Entry | null | undefined> => {
      if (entry === null || (told !== null && entry.passes === true)) return entry;
      const holds = this.holds(entry, ctx);
      return holds instanceof Promise ? holds.then((yes) => (yes ? entry : undefined)) : holds ? entry : undefined;
    };
    return { next: drawing(inner.next, take), seek: inner.seek };
  }

  override tally(ctx: EvalContext): MaybePromise<number> | null {
    const { inner } = this;
    return inner instanceof DocumentsSet ? inner.tally(ctx, this.predicate, (entry) => this.holds(entry, ctx)) : null;
  }

  /** Whether the predicate is true of an entry. @throws FqlError where it is neither true nor false */
  private holds(entry: Entry, ctx: EvalContext): MaybePromise<boolean> {
    return andThen(ctx.apply(this.predicate, elementOf(entry), this.at), this.judged);
  }

  private readonly judged = (result: Value): boolean => {
    if (typeof result !== 'boolean') throw wrongType(this.at, ['Boolean'], typeName(result));
    return result;
  };
}

/** The history of a set, as a set of events. */
export class EventsSet extends View {
  describe(): Obj {
    return Obj.of(['events', this.inner.describe()]);
  }

  override get historical(): boolean {
    return true;
  }

  /** The history of a view comes from the set behind it. */
  override get basis(): SetOp {
    return this.inner.basis === this.inner ? this : this.inner.basis;
  }

  override shape(ctx: EvalContext): Shape {
    return { ...this.inner.shape(ctx), reversed: false, grouped: false, events: this.inner.eventOrder };
  }

  override earliest(): Ts {
    return -Infinity;
  }

  /** A time read at leaves out what came later; history is otherwise the same at any time (reference: data/history.md §4). */
  open(ctx: EvalContext, window: Window): EntryCursor {
    if (ctx.validTime === null) return this.inner.history(ctx, window);
    const end = tsKey(ctx.validTime + 1);
    return this.inner.history(ctx, clamp(window, null, { low: end, high: end }));
  }

  override get snapshot(): SetOp {
    return this.inner;
  }
}

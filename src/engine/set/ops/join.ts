// Join: for each entry of the source a target set, their entries merged in order, equal ones
// once (reference: data/sets.md §4).
import { andThen, drawing, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { set, type SetLike } from '../../form/casts.ts';
import { type EvalContext, veiled } from '../../form/context.ts';
import { listOf } from '../../schema/definitions.ts';
import type { EventOrder } from '../../txn/moment.ts';
import { Lambda, Obj, type Ref, type Value } from '../../value/value.ts';
import { deferredCursor } from '../cursors.ts';
import { termsOf } from '../join-source.ts';
import type { Joining } from '../join-targets.ts';
import { combining, histories } from '../lazy.ts';
import { elementOf, type Entry, type EntryCursor, everything, type Position, REFS_ONLY, SetOp, type Shape, type Window } from '../set-op.ts';
import { MatchSet } from './match.ts';

export class JoinSet extends SetOp {
  readonly eventOrder: EventOrder;

  constructor(
    private readonly source: SetOp,
    private readonly target: Lambda | Ref,
    private readonly toSet: (value: SetLike, ctx: EvalContext) => SetOp,
    private readonly at: Path,
  ) {
    super();
    this.eventOrder = target instanceof Lambda ? 'mixed' : 'merged';
  }

  describe(): Obj {
    return Obj.of(['join', this.source], ['with', this.target]);
  }

  shape(ctx: EvalContext): Shape {
    if (this.target instanceof Lambda) return { ...REFS_ONLY, reversed: isReversed(this.target.source), grouped: true, open: true };
    return { ...new MatchSet(this.target, [], this.at).shape(ctx), grouped: true };
  }

  /** Only the targets show what kind of set a lambda leads to: the first one, unless that is a join that leads nowhere. */
  override place(parts: readonly Value[], ctx: EvalContext): MaybePromise<Position | null> {
    if (!(this.target instanceof Lambda)) return super.place(parts, ctx);
    const placed = (entry: Entry | null): MaybePromise<Position | null | undefined> =>
      entry && andThen(this.targetOf(entry, ctx), (target) => andThen(target.place(parts, ctx), (position) => position ?? undefined));
    return drawing(this.source.open(veiled(ctx), everything()).next, placed)();
  }

  earliest(ctx: EvalContext): Ts {
    return this.source.earliest(ctx);
  }

  readable(ctx: EvalContext): MaybePromise<boolean> {
    return this.source.readable(ctx);
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () => andThen(combining(), ({ joined }) => joined(this.joining(ctx), window)));
  }

  /** Events of the targets while what leads to them is in the source. */
  history(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () => andThen(histories(), ({ joinHistory }) => joinHistory(this.joining(ctx), window)));
  }

  private joining(ctx: EvalContext): Joining {
    // An index leads on from all that is there, as in the original; a lambda could tell what it is handed.
    const sourceCtx = this.target instanceof Lambda ? veiled(ctx) : ctx.with({ unveiled: true });
    return { source: this.source, sourceCtx, targetOf: (entry) => this.targetOf(entry, ctx), ctx, shape: this.shape(ctx), at: this.at };
  }

  private targetOf(entry: Entry, ctx: EvalContext): MaybePromise<SetOp> {
    if (!(this.target instanceof Lambda)) return new MatchSet(this.target, termsOf(entry), this.at);
    const element = elementOf(entry.event === undefined ? entry : { key: entry.key, split: 0, values: entry.values, ref: entry.ref });
    return andThen(ctx.apply(this.target, element, this.at), (value) => this.toSet(set.read(value, this.at), ctx));
  }
}

/** The keys of forms whose order is that of a set they hold, and under which that set stands: of several sets the first, in `do` the last. */
const WAYS = ['reverse', 'range', 'distinct', 'union', 'intersection', 'difference', 'then', 'do', 'in'];

/** Whether the sets that a lambda leads to are reversed, as far as its source shows. */
function isReversed(source: Value): boolean {
  const bound: [name: string, value: Value][] = [];
  let at: Value | undefined = source;
  let reversed = false;
  while (at instanceof Obj) {
    const words: Obj = at;
    reversed = words.has('reverse') !== reversed;
    bound.push(...listOf(words.get('let')).flatMap((item) => (item instanceof Obj ? item.entries() : [])));
    const place = bound.findLastIndex(([name]) => name === words.get('var'));
    const way = words.has('filter') ? 'collection' : (WAYS.find((key) => words.has(key)) ?? '');
    // The value of a variable may only use variables that were bound before it.
    at = place < 0 ? listOf(words.get(way)).at(way === 'do' ? -1 : 0) : bound.splice(place)[0]?.[1];
  }
  return reversed;
}

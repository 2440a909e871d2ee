// Join: for each entry of the source a target set, their entries merged in order, equal ones
// once (reference: data/sets.md §4).
import { andThen, fold, loop, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { wrongType } from '../../errors/codes.ts';
import { typeName } from '../../errors/type-name.ts';
import type { EvalContext } from '../../form/context.ts';
import { tupleKey, refKey } from '../../order/order-key.ts';
import { Lambda, Obj, type Ref, type Value } from '../../value/value.ts';
import { deferredCursor, mergeCursors } from '../cursors.ts';
import { elementOf, type Entry, type EntryCursor, everything, groupKey, REFS_ONLY, SetOp, type Shape, type Window } from '../set-op.ts';
import { MatchSet } from './match.ts';

/** Source entries are looked at up to this many. */
const MAX_SOURCE = 100_000;

export class JoinSet extends SetOp {
  constructor(
    private readonly source: SetOp,
    private readonly target: Lambda | Ref,
    /** Makes a set of what the lambda answers, or `null`. */
    private readonly toSet: (value: Value, ctx: EvalContext) => SetOp | null,
    private readonly at: Path,
  ) {
    super();
  }

  describe(): Obj {
    return Obj.of(['join', this.source], ['with', this.target]);
  }

  shape(ctx: EvalContext): Shape {
    return this.target instanceof Lambda ? REFS_ONLY : new MatchSet(this.target, [], this.at).shape(ctx);
  }

  readable(ctx: EvalContext): MaybePromise<boolean> {
    return this.source.readable(ctx);
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return this.merged(ctx, window, (target) => target.open(ctx, window), (a, b) => groupKey(a) === groupKey(b));
  }

  /** Events of all targets of the entries that are in the source now. */
  history(ctx: EvalContext, window: Window): EntryCursor {
    return this.merged(ctx, window, (target) => target.history(ctx, window), (a, b) => a.key === b.key);
  }

  private merged(ctx: EvalContext, window: Window, open: (target: SetOp) => EntryCursor, same: (a: Entry, b: Entry) => boolean): EntryCursor {
    return deferredCursor(() =>
      andThen(this.targets(ctx), (targets) => mergeCursors(targets.map(open), window.descending, same)),
    );
  }

  /** The target sets, each once; those that may not be read count as empty. */
  private targets(ctx: EvalContext): MaybePromise<SetOp[]> {
    const entries = this.source.open(ctx, everything());
    const targets = new Map<string, SetOp>();
    const gathered = loop<SetOp[]>(() =>
      andThen(entries.next(), (entry) => {
        if (entry === null || targets.size >= MAX_SOURCE) return [...targets.values()];
        const key = entry.values.length > 0 ? tupleKey(entry.values) : refKey(entry.ref);
        if (targets.has(key)) return undefined;
        return andThen(this.targetOf(entry, ctx), (target) => {
          targets.set(key, target);
          return undefined;
        });
      }),
    );
    return andThen(gathered, (all) =>
      fold(all, [] as SetOp[], (kept, target) =>
        andThen(target.readable(ctx), (readable) => {
          if (readable) kept.push(target);
          return kept;
        }),
      ),
    );
  }

  private targetOf(entry: Entry, ctx: EvalContext): MaybePromise<SetOp> {
    if (!(this.target instanceof Lambda)) {
      return new MatchSet(this.target, entry.values.length > 0 ? entry.values : [entry.ref], this.at);
    }
    return andThen(ctx.apply(this.target, elementOf(entry), this.at), (value) => {
      const set = this.toSet(value, ctx);
      if (set === null) throw wrongType(this.at, ['Set'], typeName(value));
      return set;
    });
  }
}


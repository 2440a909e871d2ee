// Union, intersection and difference (reference: data/sets.md §4). Entries are matched by
// their covered values, or by their ref where they cover none: a set of refs goes together with
// one that covers just the ref.
import { andThen, fold, mapEach, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { invalidArgument } from '../../errors/codes.ts';
import type { EvalContext } from '../../form/context.ts';
import type { EventOrder } from '../../txn/moment.ts';
import { Obj, type Value } from '../../value/value.ts';
import type { AlgebraKind, Combination, Shaped } from '../algebra-members.ts';
import { deferredCursor } from '../cursors.ts';
import { combining, histories } from '../lazy.ts';
import { boundOf } from '../position.ts';
import { type EntryCursor, perContext, type Position, SetOp, type Shape, type Window } from '../set-op.ts';

type Verdicts = readonly boolean[];

interface Rule {
  /** Whether each group leaves at most one entry, given whether that is so in each member. */
  readonly grouped: (members: Verdicts) => boolean;
  /** Whether the set may be read, given whether each member may: members that may not be read are left out. */
  readonly readable: (members: Verdicts) => boolean;
}

const all = (members: Verdicts): boolean => members.every(Boolean);
const some = (members: Verdicts): boolean => members.some(Boolean);
const first = ([own = false]: Verdicts): boolean => own;

const RULES: Readonly<Record<AlgebraKind, Rule>> = {
  union: { grouped: all, readable: some },
  intersection: { grouped: some, readable: some },
  difference: { grouped: first, readable: first },
};

class AlgebraSet extends SetOp {
  readonly eventOrder: EventOrder;
  private readonly holdsEvents: boolean;

  constructor(
    private readonly kind: AlgebraKind,
    private readonly members: readonly SetOp[],
  ) {
    super();
    this.eventOrder = members.some(({ eventOrder }) => eventOrder === 'document' || eventOrder === 'mixed') ? 'mixed' : 'merged';
    this.holdsEvents = members.some((member) => member.historical);
  }

  override get historical(): boolean {
    return this.holdsEvents;
  }

  override get snapshot(): SetOp {
    return this.holdsEvents ? new AlgebraSet(this.kind, this.members.map(({ snapshot }) => snapshot)) : this;
  }

  describe(): Obj {
    const [only] = this.members;
    return Obj.of([this.kind, this.members.length === 1 && only !== undefined ? only : this.members]);
  }

  readonly shape = perContext((ctx): Shape => {
    const shapes = this.shapes(ctx);
    const shape = shapes.find(({ open }) => !open) ?? (shapes[0] as Shape);
    const events = shape.events === null ? null : this.eventOrder;
    const mixed = shapes.some(({ open, mixed, descending }) => !open && (mixed || descending.length !== shape.descending.length));
    return { ...shape, events, mixed, grouped: !mixed && RULES[this.kind].grouped(shapes.map(({ grouped }) => grouped)) };
  });

  /** The shapes of the members. Where one covers values, those that cover none are read as covering their ref. */
  private shapes(ctx: EvalContext): readonly Shape[] {
    const shapes = this.members.map((member) => member.shape(ctx));
    const covering = shapes.find(({ open, descending }) => !open && descending.length > 0);
    if (covering === undefined) return shapes;
    const { collation } = covering;
    return shapes.map((shape) => (shape.open || shape.events !== null || shape.descending.length > 0 ? shape : { ...shape, descending: [false], collation }));
  }

  /** A whole entry is placed by a member that covers as many values; anything else by the first member whose shape is known, or is seen in what it holds. */
  override place(parts: readonly Value[], ctx: EvalContext): MaybePromise<Position | null> {
    const shapes = this.shapes(ctx);
    const closed = shapes.flatMap(({ open }, at) => (open ? [] : [at]));
    const at = closed.find((candidate) => shapes[candidate]?.descending.length === parts.length - 1) ?? closed[0];
    if (at === undefined) return fold(this.members, null as Position | null, (found, member) => found ?? member.place(parts, ctx));
    const [member, shape] = [this.members[at] as SetOp, shapes[at] as Shape];
    return isWidened(member, shape, ctx) ? boundOf(parts, shape) : member.place(parts, ctx);
  }

  readonly earliest = perContext((ctx): Ts => this.members.map((member) => member.earliest(ctx)).reduce((a, b) => Math.max(a, b)));

  readable(ctx: EvalContext): MaybePromise<boolean> {
    const each = ctx.budget.nest(() => mapEach(this.members, (member) => member.readable(ctx)));
    return andThen(each, RULES[this.kind].readable);
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () => andThen(combining(), ({ combined }) => combined(this.combination(ctx), window)));
  }

  history(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () => andThen(histories(), ({ algebraHistory }) => algebraHistory(this.combination(ctx), window)));
  }

  private combination(ctx: EvalContext): Combination {
    const shapes = this.shapes(ctx);
    const members = this.members.map((member, at): Shaped => {
      const shape = shapes[at] as Shape;
      return { member, shape, isWidened: isWidened(member, shape, ctx) };
    });
    return { kind: this.kind, members, shape: () => this.shape(ctx), ctx };
  }
}

const isWidened = (member: SetOp, shape: Shape, ctx: EvalContext): boolean => !shape.open && member.shape(ctx).descending.length < shape.descending.length;

/** @throws FqlError `invalid argument` at `at` for members whose orders do not fit together */
export function combine(kind: AlgebraKind, members: readonly SetOp[], ctx: EvalContext, at: Path): SetOp {
  const shapes = members.map((member) => member.shape(ctx)).filter(({ open }) => !open);
  shapes.slice(1).forEach((shape, index) => {
    if (!agree(shapes[index] as Shape, shape)) throw invalidArgument(at, 'Sets are not compatible.');
  });
  return new AlgebraSet(kind, members);
}

/** Which parts of an entry descend: its values as the shape says, and after them the ref, which never does. */
const flags = ({ descending }: Shape): readonly boolean[] => [...descending, false];

function agree(a: Shape, b: Shape): boolean {
  const common = Math.min(a.descending.length, b.descending.length);
  return (
    (a.events === null) === (b.events === null) &&
    a.reversed === b.reversed &&
    (a.collation === b.collation || common === 0) &&
    flags(a).every((flag, index) => flag === (flags(b)[index] ?? flag))
  );
}

// Union, intersection and difference (reference: data/sets.md §4). Entries are matched by
// their covered values, or by their ref where they cover none: a set of refs goes together with
// one that covers just the ref.
import { afterPrefix, type Key } from '../../base/bytes.ts';
import { andThen, fold, mapEach, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { invalidArgument } from '../../errors/codes.ts';
import type { EvalContext } from '../../form/context.ts';
import { PENDING } from '../../kv/keyspace.ts';
import { refKey } from '../../order/order-key.ts';
import { type EventOrder, momentKey, readTime } from '../../txn/moment.ts';
import { shownTs } from '../../txn/version.ts';
import { DocEvent, Obj, type Value } from '../../value/value.ts';
import { deferredCursor, emptyCursor, filterCursor, Peeking, withSource } from '../cursors.ts';
import { groupwise, type GroupRule, onceByRef } from '../groupwise.ts';
import { histories } from '../lazy.ts';
import { mergeCursors } from '../merged.ts';
import type { MemberEvent } from '../merged-history.ts';
import { boundOf } from '../position.ts';
import { type Entry, type EntryCursor, groupKey, perContext, type Position, SetOp, type Shape, type Window } from '../set-op.ts';

export type AlgebraKind = 'union' | 'intersection' | 'difference';

type Opener = (window: Window) => EntryCursor;

/** A member, and how many values it covers: groups of different widths are never the same. */
interface Member {
  readonly open: Opener;
  readonly width: number;
}

interface Rule {
  open(members: readonly Member[], window: Window): EntryCursor;
  /** The entry that stands for a group, given the first entry that each member has of it. */
  first(heads: readonly (Entry | null)[]): Entry | null;
  /** Whether each group leaves at most one entry, given whether that is so in each member. */
  grouped(members: readonly boolean[]): boolean;
  /** Whether the set may be read, given whether each member may: members that may not be read are left out. */
  readable(members: readonly boolean[]): boolean;
}

const size = (group: readonly Entry[]): number => group.length;
// By folding: there may be more members than a call can have arguments.
const largest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b));
const smallest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b));

/** Each group as often as in the member that has most of it. */
const most: GroupRule = { needsAll: false, combine: (groups) => onceByRef(groups, largest(groups.map(size))) };
/** Each group as often as in the member that has least of it. */
const least: GroupRule = { needsAll: true, combine: (groups) => onceByRef(groups, smallest(groups.map(size))) };

const lowest = (heads: readonly (Entry | null)[]): Entry | null =>
  heads.reduce((best, head) => (head === null || (best !== null && best.key <= head.key) ? best : head), null);

/** Openers of members that cover equally many values, together. */
function byWidth(members: readonly Member[]): Opener[][] {
  const widths = [...new Set(members.map(({ width }) => width))];
  return widths.map((width) => members.filter((member) => member.width === width).map(({ open }) => open));
}

const RULES: Readonly<Record<AlgebraKind, Rule>> = {
  union: {
    open: (members, window) =>
      mergeCursors(
        byWidth(members).map((alike) => groupwise(alike, most, window)),
        window.descending,
      ),
    first: lowest,
    grouped: (members) => members.every(Boolean),
    readable: (members) => members.some(Boolean),
  },
  intersection: {
    open(members, window) {
      const [alike = [], ...others] = byWidth(members);
      return others.length > 0 ? emptyCursor : groupwise(alike, least, window);
    },
    first: (heads) => (heads.includes(null) ? null : lowest(heads)),
    grouped: (members) => members.some(Boolean),
    readable: (members) => members.some(Boolean),
  },
  difference: {
    open([own, ...others], window) {
      if (own === undefined) return emptyCursor;
      const alike = others.filter(({ width }) => width === own.width).map(({ open }) => open);
      return difference(own.open(window), alike, window);
    },
    first: ([own = null, ...others]) => (others.every((head) => head === null) ? own : null),
    grouped: ([own = false]) => own,
    readable: ([own]) => own === true,
  },
};

export class AlgebraSet extends SetOp {
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
    return { ...shape, events, grouped: RULES[this.kind].grouped(shapes.map(({ grouped }) => grouped)) };
  });

  /** The shapes of the members. Where one covers values, those that cover none are read as covering their ref. */
  private shapes(ctx: EvalContext): readonly Shape[] {
    const shapes = this.members.map((member) => member.shape(ctx));
    if (!shapes.some(({ open, descending }) => !open && descending.length > 0)) return shapes;
    return shapes.map((shape) => (shape.open || shape.events !== null || shape.descending.length > 0 ? shape : { ...shape, descending: [false] }));
  }

  /** A whole entry is placed by a member that covers as many values; anything else by the first member whose shape is known. */
  override place(parts: readonly Value[], ctx: EvalContext): MaybePromise<Position> {
    const shapes = this.shapes(ctx);
    const closed = shapes.flatMap(({ open }, at) => (open ? [] : [at]));
    const at = closed.find((candidate) => shapes[candidate]?.descending.length === parts.length - 1) ?? closed[0] ?? 0;
    const [member, shape] = [this.members[at] as SetOp, shapes[at] as Shape];
    return isWidened(member, shape, ctx) ? boundOf(parts, shape) : member.place(parts, ctx);
  }

  readonly earliest = perContext((ctx): Ts => largest(this.members.map((member) => member.earliest(ctx))));

  readable(ctx: EvalContext): MaybePromise<boolean> {
    const each = ctx.budget.nest(() => mapEach(this.members, (member) => member.readable(ctx)));
    return andThen(each, (all) => RULES[this.kind].readable(all));
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () =>
      andThen(this.readableMembers(ctx), (members) => {
        const usual = this.shape(ctx).descending.length;
        const openers = members.map((each): Member => ({ open: (part) => openAlike(each, ctx, part), width: each.shape.open ? usual : each.shape.descending.length }));
        return RULES[this.kind].open(openers, window);
      }),
    );
  }

  history(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () =>
      andThen(this.readableMembers(ctx), (members) => {
        const openers = members.map(({ member }) => (part: Window) => withSource(member.history(ctx, part), member.basis));
        const turn = (events: readonly MemberEvent[]): MaybePromise<readonly Entry[]> =>
          this.kind === 'union' ? events.map(({ entry }) => entry) : this.turns(events, members, ctx);
        return andThen(histories(), ({ mergedHistory }) => mergedHistory(openers, window, turn));
      }),
    );
  }

  /** The groups that enter or leave the set at one instant, by what the members hold of them just before and just after it. */
  private turns(events: readonly MemberEvent[], members: readonly Shaped[], ctx: EvalContext): MaybePromise<readonly Entry[]> {
    const [some] = events;
    if (some === undefined) return [];
    const time = readTime(some.entry.key);
    const [before, after] = (time === PENDING ? [ctx.txn.now, null] : [time - 1, time]).map((validTime) => ctx.with({ validTime })) as [EvalContext, EvalContext];
    const shape = this.shape(ctx);
    const groups = new Map(events.map(({ entry }) => [groupOf(entry, shape), entry]));
    const first = ({ low, high }: Position, at: EvalContext): MaybePromise<Entry | null> =>
      andThen(
        mapEach(members, (each) => openAlike(each, at, { from: low, to: high, descending: false }).next()),
        (heads) => RULES[this.kind].first(heads),
      );
    return fold([...groups.values()], [] as Entry[], (changes, { values, ref }) => {
      const place = boundOf(values.length > 0 ? values : [ref], shape);
      return andThen(first(place, before), (was) =>
        andThen(first(place, after), (is) => {
          const changed = was === null ? is : is === null ? was : null;
          if (changed !== null) changes.push(changeOf(changed, was === null ? 'add' : 'remove', time));
          return changes;
        }),
      );
    });
  }

  /** The members that may be read; the others count as empty. */
  private readableMembers(ctx: EvalContext): MaybePromise<readonly Shaped[]> {
    const shapes = this.shapes(ctx);
    return andThen(mapEach(this.members, (member) => member.readable(ctx)), (readable) =>
      this.members.map((member, at) => ({ member, shape: shapes[at] as Shape })).filter((_, at) => readable[at]),
    );
  }
}

/** A member, and its shape among the others. */
interface Shaped {
  readonly member: SetOp;
  readonly shape: Shape;
}

const isWidened = (member: SetOp, shape: Shape, ctx: EvalContext): boolean => !shape.open && member.shape(ctx).descending.length < shape.descending.length;

/** Opens a member so that its entries are in the order of all: sets of refs are widened, events put in the order of merged sets. */
function openAlike({ member, shape }: Shaped, ctx: EvalContext, window: Window): EntryCursor {
  const open: Opener = (part) => withSource(member.open(ctx, part), member.basis);
  const isWide = isWidened(member, shape, ctx);
  if (!isWide && !member.historical) return open(window);
  return deferredCursor(ctx, () =>
    andThen(histories(), ({ widened, mergedHistory }) => (isWide ? widened(open, window) : mergedHistory([open], window, (events) => events.map(({ entry }) => entry)))),
  );
}

const groupOf = ({ values, ref }: Entry, shape: Shape): Key => boundOf(values.length > 0 ? values : [ref], shape).low;

function changeOf(entry: Entry, action: 'add' | 'remove', time: Ts): Entry {
  const data = entry.values.length > 0 ? entry.values : undefined;
  const event = new DocEvent('set', shownTs(time), action, entry.ref, data);
  return { ...entry, key: momentKey(time, action, 'merged') + refKey(entry.ref) + entry.key.slice(0, entry.split), split: 0, event };
}

/** What the first has and none of the others has. The others are asked for its groups one after the other. */
function difference(own: EntryCursor, others: readonly Opener[], { from, to, descending, fromGroup, toGroup }: Window): EntryCursor {
  const end = toGroup === undefined ? to : afterPrefix(toGroup);
  const members = others.map((open) => new Peeking(open({ from: fromGroup ?? from, to: end, descending }), descending));
  let decided: { readonly group: Key; readonly kept: boolean } | null = null;
  return filterCursor(own, (entry) => {
    const group = groupKey(entry);
    if (decided?.group === group) return decided.kept;
    const lacks = (member: Peeking): MaybePromise<boolean> => {
      member.seek(descending ? afterPrefix(group) : group);
      return andThen(member.peek(), (head) => head === null || groupKey(head) !== group);
    };
    const kept = fold(members, true, (all, member) => all && lacks(member));
    return andThen(kept, (known) => {
      decided = { group, kept: known };
      return known;
    });
  });
}

/** Refuses members whose orders do not fit together. @throws FqlError `invalid argument` at `at` */
export function requireCompatible(members: readonly SetOp[], ctx: EvalContext, at: Path): void {
  const shapes = members.map((member) => member.shape(ctx)).filter(({ open }) => !open);
  shapes.slice(1).forEach((shape, index) => {
    if (!agree(shapes[index] as Shape, shape)) throw invalidArgument(at, 'Sets are not compatible.');
  });
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

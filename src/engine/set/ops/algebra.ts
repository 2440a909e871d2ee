// Union, intersection and difference: members are read side by side, group by group. A group
// is all entries with the same covered values (or the same ref): values decide, refs only
// break ties. Members leap, so that an intersection costs what its smallest member costs.
import type { Key } from '../../base/bytes.ts';
import { andThen, fold, loop, mapEach, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { invalidArgument } from '../../errors/codes.ts';
import type { EvalContext } from '../../form/context.ts';
import { Obj } from '../../value/value.ts';
import { deferredCursor, listCursor, mergeCursors, Peeking, takeGroup } from '../cursors.ts';
import { replay } from '../replay.ts';
import { type Entry, type EntryCursor, groupKey, KEY_END, SetOp, type Shape, type Window } from '../set-op.ts';

export type AlgebraKind = 'union' | 'intersection' | 'difference';

interface Rule {
  /** Which entries a group leaves, given what each member has of it. */
  combine(groups: readonly (readonly Entry[])[]): readonly Entry[];
  /** The next group to look at, from the members' next groups (absent where one has ended); `null` ends. */
  target(heads: readonly (Key | null)[], first: (keys: readonly Key[]) => Key, last: (keys: readonly Key[]) => Key): Key | null;
  /** Whether the members that may not be read can be left out, by their place. */
  readable(members: readonly boolean[]): boolean;
}

const present = (heads: readonly (Key | null)[]): Key[] => heads.filter((head) => head !== null);

/** The entries of several groups by ref, each once, in order. */
function distinctRefs(groups: readonly (readonly Entry[])[]): Entry[] {
  const byKey = new Map<Key, Entry>();
  for (const entry of groups.flat()) {
    const known = byKey.get(entry.key);
    byKey.set(entry.key, known === undefined ? entry : { ...known, sources: [...(known.sources ?? []), ...(entry.sources ?? [])] });
  }
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const sizes = (groups: readonly (readonly Entry[])[]): number[] => groups.map((group) => group.length);

const RULES: Readonly<Record<AlgebraKind, Rule>> = {
  union: {
    combine: (groups) => distinctRefs(groups).slice(0, Math.max(...sizes(groups))),
    target: (heads, first) => (present(heads).length === 0 ? null : first(present(heads))),
    readable: (members) => members.some(Boolean),
  },
  intersection: {
    combine: (groups) => distinctRefs(groups).slice(0, Math.min(...sizes(groups))),
    target: (heads, _, last) => (heads.includes(null) ? null : last(present(heads))),
    readable: (members) => members.some(Boolean),
  },
  difference: {
    combine: ([own = [], ...others]) => (others.some((group) => group.length > 0) ? [] : own),
    target: ([own]) => own ?? null,
    readable: ([own]) => own === true,
  },
};

export class AlgebraSet extends SetOp {
  constructor(
    private readonly kind: AlgebraKind,
    private readonly members: readonly SetOp[],
  ) {
    super();
  }

  describe(): Obj {
    const [only] = this.members;
    return Obj.of([this.kind, this.members.length === 1 && only !== undefined ? only : this.members]);
  }

  shape(ctx: EvalContext): Shape {
    return (this.members[0] as SetOp).shape(ctx);
  }

  readable(ctx: EvalContext): MaybePromise<boolean> {
    return andThen(mapEach(this.members, (member) => member.readable(ctx)), (all) => RULES[this.kind].readable(all));
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(() =>
      andThen(this.readableMembers(ctx), (members) => {
        const tagged = members.map((member) => withSource(member.open(ctx, window), member));
        return groupwise(tagged, RULES[this.kind], window.descending);
      }),
    );
  }

  history(ctx: EvalContext, window: Window): EntryCursor {
    if (this.kind === 'union') {
      return mergeCursors(this.members.map((member) => member.history(ctx, window)), window.descending, (a, b) => a.key === b.key);
    }
    return deferredCursor(() =>
      andThen(mapEach(this.members, (member) => replay(member, ctx)), (histories) => {
        const { combine } = RULES[this.kind];
        return listCursor(replay.combine(histories, (groups) => combine(groups).length > 0, window), window.descending);
      }),
    );
  }

  /** Members that may not be read count as empty: left out, except where the first decides. */
  private readableMembers(ctx: EvalContext): MaybePromise<readonly SetOp[]> {
    return fold(this.members, [] as SetOp[], (kept, member) =>
      andThen(member.readable(ctx), (readable) => (readable ? [...kept, member] : kept)),
    );
  }
}

/** Refuses members whose orders do not fit together. @throws FqlError `invalid argument` at `at` */
export function requireCompatible(members: readonly SetOp[], ctx: EvalContext, at: Path): void {
  const shapes = members.map((member) => member.shape(ctx));
  shapes.reduce((a, b) => {
    const common = Math.min(a.descending.length, b.descending.length);
    const agree =
      a.historical === b.historical &&
      a.reversed === b.reversed &&
      (a.collation === b.collation || common === 0) &&
      a.descending.slice(0, common).every((flag, index) => flag === b.descending[index]);
    if (!agree) throw invalidArgument(at, 'Sets are not compatible.');
    return b;
  });
}

function withSource(cursor: EntryCursor, source: SetOp): EntryCursor {
  return {
    next: () => andThen(cursor.next(), (entry) => (entry === null ? null : { ...entry, sources: entry.sources ?? [source] })),
    seek: (key) => cursor.seek(key),
  };
}

function groupwise(cursors: readonly EntryCursor[], rule: Rule, descending: boolean): EntryCursor {
  const members = cursors.map((cursor) => new Peeking(cursor, descending));
  const ordered = (keys: readonly Key[]): Key[] => keys.toSorted((a, b) => (a === b ? 0 : a < b !== descending ? -1 : 1));
  const first = (keys: readonly Key[]): Key => ordered(keys)[0] as Key;
  const last = (keys: readonly Key[]): Key => ordered(keys).at(-1) as Key;
  let ready: Entry[] = [];

  const headGroups = (): MaybePromise<(Key | null)[]> =>
    mapEach(members, (member) => andThen(member.peek(), (entry) => (entry === null ? null : groupKey(entry))));

  function advance(): MaybePromise<Entry[] | undefined> {
    return andThen(headGroups(), (heads) => {
      const group = rule.target(heads, first, last);
      if (group === null) return [];
      // A group's entries all begin with its key: its near end is the key itself, its far end just after them.
      for (const member of members) member.seek(descending ? group + KEY_END : group);
      return andThen(mapEach(members, (member) => takeGroup(member, group)), (groups) => {
        const entries = [...rule.combine(groups)];
        if (entries.length === 0) return undefined;
        return descending ? entries.reverse() : entries;
      });
    });
  }

  return {
    next: () => {
      const entry = ready.shift();
      if (entry !== undefined) return entry;
      return andThen(loop(advance), (entries) => {
        ready = entries;
        return ready.shift() ?? null;
      });
    },
    seek: (key) => {
      ready = ready.filter((entry) => (descending ? entry.key < key : entry.key >= key));
      if (ready.length === 0) for (const member of members) member.seek(key);
    },
  };
}

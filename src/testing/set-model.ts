// A database that is nothing but a list of versions, and sets computed from it by looking at
// everything: slow, plain, and independent of how the engine reads. Laws compare the two.
import { compare, compareRefs } from '../engine/order/compare.ts';
import { termKey } from '../engine/order/term-key.ts';
import { isArray, type Ref, type Value } from '../engine/value/value.ts';

export type Data = Readonly<Record<string, Value>>;

export interface ModelVersion {
  readonly ref: Ref;
  readonly ts: number;
  /** `null` where the document is deleted. */
  readonly data: Data | null;
  readonly ttl: number | null;
}

export interface ModelIndex {
  readonly name: string;
  /** Numbers of its collections. */
  readonly sources: readonly number[];
  /** Fields of `data`, or `ref`; `fold:` and a field for its case folded, `twice:` for its text two times. */
  readonly terms: readonly string[];
  readonly values: readonly { readonly field: string; readonly reverse: boolean }[];
}

export interface Element {
  readonly values: readonly Value[];
  readonly ref: Ref;
}

export interface ModelEvent extends Element {
  readonly ts: number;
  readonly action: 'add' | 'remove';
}

export interface DocumentEvent {
  readonly ts: number;
  readonly action: 'create' | 'update' | 'delete';
  /** What was created, or is another now: null where it was taken away. */
  readonly data: Data | null;
}

export type SetExpr =
  | { readonly kind: 'match'; readonly index: ModelIndex; readonly terms: readonly Value[] }
  | { readonly kind: 'documents'; readonly collection: number }
  | { readonly kind: 'singleton' | 'document'; readonly ref: Ref }
  | { readonly kind: 'union' | 'intersection' | 'difference'; readonly members: readonly SetExpr[] }
  | { readonly kind: 'distinct' | 'reverse'; readonly of: SetExpr }
  | { readonly kind: 'range'; readonly of: SetExpr; readonly from: readonly Value[]; readonly to: readonly Value[] }
  /** Elements whose first part is at or above the bound. */
  | { readonly kind: 'filter'; readonly of: SetExpr; readonly bound: Value }
  | { readonly kind: 'join'; readonly of: SetExpr; readonly index: ModelIndex; readonly by: 'index' | 'lambda' };

/** Which way the values of a set are sorted, and whether it is read backwards. */
interface Shape {
  readonly descending: readonly boolean[];
  readonly reversed: boolean;
}

export class SetModel {
  /** Versions of each document, oldest first. */
  private readonly documents = new Map<string, { readonly ref: Ref; readonly versions: readonly ModelVersion[] }>();

  /** What has run out by then is not there. */
  private now = -Infinity;

  /** One version for each time: the later write counts. */
  write(version: ModelVersion): void {
    this.remove(version.ref, version.ts);
    const versions = [...this.historyOf(version.ref), version].sort((a, b) => a.ts - b.ts);
    this.documents.set(version.ref.identity, { ref: version.ref, versions });
  }

  /** Takes a version out of history. */
  remove(ref: Ref, ts: number): void {
    this.documents.set(ref.identity, { ref, versions: this.historyOf(ref).filter((version) => version.ts !== ts) });
  }

  /** Whether one of several writes, in order, gives an index an entry that another live document has. */
  isTaken(index: ModelIndex, writes: readonly ModelVersion[], now: number): boolean {
    const states = new Map(this.refs.map((ref) => [ref.identity, this.at(ref, now)]));
    const keysOf = (version: ModelVersion | null): string[] =>
      version === null ? [] : entriesOf(index, version).map(({ terms, values }) => termKey(terms) + termKey(values));
    return writes.some((write) => {
      const before = states.get(write.ref.identity) ?? null;
      // A change of the end of its life puts all entries in anew.
      const known = before?.ttl === write.ttl ? keysOf(before) : [];
      states.set(write.ref.identity, write);
      const others = [...states].filter(([identity]) => identity !== write.ref.identity).flatMap(([, state]) => keysOf(state));
      return keysOf(write).some((key) => !known.includes(key) && others.includes(key));
    });
  }

  get refs(): readonly Ref[] {
    return [...this.documents.values()].map(({ ref }) => ref);
  }

  historyOf(ref: Ref): readonly ModelVersion[] {
    return this.documents.get(ref.identity)?.versions ?? [];
  }

  /** The version at a time, unless it has run out by now; `null` where there is none. */
  at(ref: Ref, time: number, now = time): ModelVersion | null {
    const version = this.historyOf(ref).findLast(({ ts }) => ts <= time);
    if (version === undefined || version.data === null || (version.ttl !== null && version.ttl <= now)) return null;
    return version;
  }

  /** The elements of a set at a time, in its own order. */
  elements(set: SetExpr, time: number, now = time): Element[] {
    this.now = now;
    const natural = this.ascending(set, time);
    return shapeOf(set).reversed ? natural.reverse() : natural;
  }

  private ascending(set: SetExpr, time: number): Element[] {
    switch (set.kind) {
      case 'match':
        return sorted(this.refs.flatMap((ref) => this.matched(set.index, set.terms, this.at(ref, time, this.now))), shapeOf(set));
      case 'documents':
        return sorted(this.refs.filter((ref) => ref.collection === set.collection && this.at(ref, time, this.now) !== null).map(bare), shapeOf(set));
      case 'singleton':
      case 'document':
        return this.at(set.ref, time, this.now) === null ? [] : [bare(set.ref)];
      case 'union':
      case 'intersection':
      case 'difference':
        return sorted(combined(set.kind, set.members.map((member) => this.ascending(member, time)), set.members.some(coversValues)), shapeOf(set));
      case 'reverse':
        return this.ascending(set.of, time);
      case 'distinct':
        return firsts(this.ascending(set.of, time));
      case 'range': {
        const shape = shapeOf(set);
        const [low, high] = shape.reversed ? [set.to, set.from] : [set.from, set.to];
        return this.ascending(set.of, time).filter(
          (element) => beside(element, low, shape) >= 0 && beside(element, high, shape) <= 0,
        );
      }
      case 'filter':
        return this.ascending(set.of, time).filter((element) => compare(partsOf(element)[0] as Value, set.bound) >= 0);
      case 'join': {
        const targets = this.ascending(set.of, time).map((element) => this.ascending(targetOf(set, element), time));
        return firsts(sorted(targets.flat(), shapeOf(set)));
      }
    }
  }

  private matched(index: ModelIndex, terms: readonly Value[], version: ModelVersion | null): Element[] {
    if (version === null) return [];
    const key = termKey(terms);
    return entriesOf(index, version).filter((entry) => termKey(entry.terms) === key).map(({ values }) => ({ values, ref: version.ref }));
  }

  /** The events of a set, in their order. */
  events(set: SetExpr): ModelEvent[] {
    switch (set.kind) {
      case 'match':
        return inOrder(this.refs.flatMap((ref) => this.changes(ref, (version) => this.matched(set.index, set.terms, version))), 'remove', shapeOf(set));
      case 'documents':
        return inOrder(
          this.refs.filter((ref) => ref.collection === set.collection).flatMap((ref) => this.changes(ref, presence)),
          'remove',
        );
      case 'singleton':
        return this.documentEvents(set.ref).flatMap(({ ts, action }) => (action === 'update' ? [] : [{ ...bare(set.ref), ts, action: action === 'create' ? ('add' as const) : ('remove' as const) }]));
      case 'distinct':
        return this.events(set.of);
      case 'union':
        return inOrder(once(set.members.flatMap((member) => this.events(member))), 'add', shapeOf(set));
      case 'intersection':
      case 'difference':
        return this.turns(set);
      case 'join':
        return inOrder(once(this.sourced(set).flatMap(([element, isPresent]) => this.events(targetOf(set, element)).filter(({ ts }) => isPresent(ts)))), 'add', shapeOf(set));
      default:
        throw new Error(`${set.kind} keeps no history`);
    }
  }

  /** What happened to a document, each version against what was there before it. */
  documentEvents(ref: Ref): DocumentEvent[] {
    let previous: ModelVersion | null = null;
    return this.historyOf(ref).map(({ ts, data, ttl }) => {
      const hasRunOut = (previous?.ttl ?? Infinity) <= ts;
      const was: Data | null = hasRunOut ? null : (previous?.data ?? null);
      previous = { ref, ts, data, ttl };
      if (data === null) return { ts, action: 'delete', data: null };
      return was === null ? { ts, action: 'create', data: orNull(data) } : { ts, action: 'update', data: orNull(changed(was, data)) };
    });
  }

  /** What each version of a document adds and removes. A version that has run out when the next one comes has left nothing to remove. */
  private changes(ref: Ref, entries: (version: ModelVersion | null) => readonly Element[]): ModelEvent[] {
    let before: ModelVersion | null = null;
    return this.historyOf(ref).flatMap((version) => {
      const known = before !== null && (before.data === null || (before.ttl !== null && before.ttl <= version.ts)) ? null : before;
      const [old, now] = [entries(known), entries(version.data === null ? null : version)];
      const same = (known?.ttl ?? null) === version.ttl;
      const lacks = (list: readonly Element[], { values }: Element): boolean =>
        !same || !list.some((other) => termKey(other.values) === termKey(values));
      before = version;
      return [
        ...old.filter((element) => lacks(now, element)).map((element) => ({ ...element, ts: version.ts, action: 'remove' as const })),
        ...now.filter((element) => lacks(old, element)).map((element) => ({ ...element, ts: version.ts, action: 'add' as const })),
      ];
    });
  }

  /**
   * What ever was in the source of a join, and when: from the instant at which a document brings it
   * up to the one at which the last takes it out, both inside. What only runs out stays.
   */
  private sourced({ of }: Extract<SetExpr, { readonly kind: 'join' }>): [element: Element, isPresent: (ts: number) => boolean][] {
    const events = this.events(of);
    const groups = byGroup(events);
    return firsts(events).map((element) => {
      const own = groups.get(groupOf(element)) ?? [];
      const isHeld = (until: number): boolean => {
        const last = new Map(own.filter(({ ts }) => ts <= until).map(({ ref, action }) => [ref.identity, action]));
        return [...last.values()].includes('add');
      };
      return [element, (ts) => isHeld(ts - 1) || isHeld(ts)];
    });
  }

  /**
   * When a document's entry comes into a combined set, and when it goes, by the members that have this very one: what
   * had run out by then is not there, what did so later is. One member alone is left as it is.
   */
  private turns(set: Extract<SetExpr, { readonly members: readonly SetExpr[] }>): ModelEvent[] {
    const all = set.members.flatMap((member) => this.events(member));
    if (set.members.length === 1) return inOrder(all, 'add', shapeOf(set));
    const turning = new Map(all.map((event) => [`${event.ts} ${entryOf(event)}`, event]));
    const events = [...turning.values()].flatMap((event) => {
      const [was, is] = [event.ts - 1, event.ts].map((time) => this.holds(set, event, time));
      const values = set.members.some(coversValues) ? partsOf(event) : event.values;
      return was === is ? [] : [{ ref: event.ref, values, ts: event.ts, action: is === true ? ('add' as const) : ('remove' as const) }];
    });
    return inOrder(events, 'add', shapeOf(set));
  }

  /** Whether a set has a document's entry, whatever others have the same values. */
  private holds(set: SetExpr, entry: Element, time: number): boolean {
    if (set.kind === 'distinct') return this.holds(set.of, entry, time);
    if (!('members' in set)) return this.elements(set, time).some((element) => entryOf(element) === entryOf(entry));
    const held = set.members.map((member) => this.holds(member, entry, time));
    return set.kind === 'union' ? held.includes(true) : held.every((yes, at) => yes === (set.kind === 'intersection' || at === 0));
  }
}

/** Data without a field is no data. */
const orNull = (data: Data): Data | null => (Object.keys(data).length === 0 ? null : data);

function changed(was: Data, is: Data): Data {
  const differs = (key: string): boolean => termKey([was[key] ?? null]) !== termKey([is[key] ?? null]);
  // Where nothing is left, all there is to say is that.
  return orNull(is) === null ? {} : Object.fromEntries([...new Set([...Object.keys(was), ...Object.keys(is)])].filter(differs).map((key) => [key, is[key] ?? null]));
}

const bare = (ref: Ref): Element => ({ values: [], ref });
const presence = (version: ModelVersion | null): readonly Element[] => (version === null ? [] : [bare(version.ref)]);

/** What the values of an element, or its ref where it covers none, say. */
export const groupOf = (element: Element): string => termKey(partsOf(element));

const entryOf = (element: Element): string => `${groupOf(element)} ${element.ref.identity}`;

/** What elements of several sets are compared by. */
const partsOf = ({ values, ref }: Element): readonly Value[] => (values.length > 0 ? values : [ref]);

export function shapeOf(set: SetExpr): Shape {
  switch (set.kind) {
    case 'match':
      return { descending: set.index.values.map(({ reverse }) => reverse), reversed: false };
    case 'join':
      return { descending: set.index.values.map(({ reverse }) => reverse), reversed: false };
    case 'documents':
    case 'singleton':
    case 'document':
      return { descending: [], reversed: false };
    case 'union':
    case 'intersection':
    case 'difference':
      return shapeOf(set.members[0] as SetExpr);
    case 'reverse': {
      const { descending, reversed } = shapeOf(set.of);
      return { descending, reversed: !reversed };
    }
    default:
      return shapeOf(set.of);
  }
}

const coversValues = (set: SetExpr): boolean =>
  'members' in set ? set.members.some(coversValues) : shapeOf(set).descending.length > 0;

function targetOf(set: Extract<SetExpr, { readonly kind: 'join' }>, { values, ref }: Element): SetExpr {
  return { kind: 'match', index: set.index, terms: values.length > 0 ? values : [ref] };
}

// --- order -----------------------------------------------------------------------------

function compareValues(a: readonly Value[], b: readonly Value[], { descending }: Shape): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compare(a[at] as Value, b[at] as Value);
    if (order !== 0) return descending[at] === true ? -order : order;
  }
  return 0;
}

function sorted(elements: readonly Element[], shape: Shape): Element[] {
  return [...elements].sort(
    (a, b) => compareValues(partsOf(a), partsOf(b), shape) || partsOf(a).length - partsOf(b).length || compareRefs(a.ref, b.ref),
  );
}

/** Where an element lies beside a bound that may be only its beginning: 0 when it begins so. */
function beside({ values, ref }: Element, bound: readonly Value[], shape: Shape): number {
  return compareValues([...values, ref], bound, shape);
}

function inOrder(events: readonly ModelEvent[], first: 'add' | 'remove', shape: Shape = UNORDERED): ModelEvent[] {
  const rank = (event: ModelEvent): number => (event.action === first ? 0 : 1);
  return [...events].sort(
    (a, b) => a.ts - b.ts || rank(a) - rank(b) || compareRefs(a.ref, b.ref) || compareValues(a.values, b.values, shape),
  );
}

const UNORDERED: Shape = { descending: [], reversed: false };

const once = (events: readonly ModelEvent[]): ModelEvent[] => [
  ...new Map(events.map((event) => [`${event.ts} ${event.action} ${event.ref.identity} ${termKey(event.values)}`, event])).values(),
];

// --- combining -------------------------------------------------------------------------

function firsts(elements: readonly Element[]): Element[] {
  const seen = new Set<string>();
  return elements.filter((element) => !seen.has(groupOf(element)) && seen.add(groupOf(element)));
}

/** @param wide some member covers values: elements without any stand for their ref */
function combined(kind: 'union' | 'intersection' | 'difference', plain: readonly (readonly Element[])[], wide: boolean): Element[] {
  const members = wide ? plain.map((elements) => elements.map((element) => ({ ...element, values: partsOf(element) }))) : plain;
  const counts = members.map(byGroup);
  const groups = new Set(members.flat().map(groupOf));
  return [...groups].flatMap((group) => {
    const parts = counts.map((count) => count.get(group) ?? []);
    const [own = [], ...others] = parts;
    if (kind === 'difference') return others.some((part) => part.length > 0) ? [] : own;
    const sizes = parts.map((part) => part.length);
    const wanted = kind === 'union' ? Math.max(...sizes) : Math.min(...sizes);
    const all = [...new Map(parts.flat().map((element) => [element.ref.identity, element])).values()];
    return all.sort((a, b) => compareRefs(a.ref, b.ref)).slice(0, wanted);
  });
}

function byGroup<E extends Element>(elements: readonly E[]): Map<string, E[]> {
  const groups = new Map<string, E[]>();
  for (const element of elements) groups.set(groupOf(element), [...(groups.get(groupOf(element)) ?? []), element]);
  return groups;
}

// --- index entries ---------------------------------------------------------------------

/** The entries of a version: the product of its terms and values (reference: data/indexes.md §5). */
export function entriesOf(index: ModelIndex, version: ModelVersion): { terms: readonly Value[]; values: readonly Value[] }[] {
  if (version.data === null || !index.sources.includes(version.ref.collection)) return [];
  const leaves = (field: string): readonly Value[] => {
    const value = field === 'ref' ? version.ref : made(field, version.data ?? {});
    const found = isArray(value) ? [...new Map(value.map((item) => [termKey([item]), item])).values()] : [value];
    return found.length === 0 ? [null] : found;
  };
  const tuples = (fields: readonly string[]): Value[][] =>
    fields
      .reduce<Value[][]>((all, field) => all.flatMap((tuple) => leaves(field).map((value) => [...tuple, value])), [[]])
      .filter((tuple) => tuple.length === 0 || tuple.some((value) => value !== null));
  const values = tuples(index.values.map(({ field }) => field));
  return tuples(index.terms).flatMap((terms) => values.map((tuple) => ({ terms, values: tuple })));
}

function made(field: string, data: Data): Value {
  const [how, of = ''] = field.split(':');
  const value = data[of === '' ? field : of] ?? null;
  if (of === '' || typeof value !== 'string') return value;
  return how === 'fold' ? value.toLowerCase() : value + value;
}

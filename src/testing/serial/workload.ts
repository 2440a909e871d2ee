// Random requests that get in each other's way, each with its meaning on a plain model: money
// that moves, names that are unique, groups with room for few, counters and lists, and reads of
// all these by ref and by index. Each one that writes leaves a mark, by which it is found when
// its answer was lost, and found twice if it was applied twice.
import type { Gen } from '../gen.ts';
import { type Operation, UNKNOWN } from './check.ts';

export interface State {
  readonly accounts: readonly number[];
  readonly counters: readonly number[];
  readonly lists: readonly (readonly number[])[];
  /** Owners of names. */
  readonly names: Readonly<Record<string, number>>;
  /** Members of groups, ascending. */
  readonly groups: readonly (readonly number[])[];
}

const START = 100;
const ROOM = 2;
const NAMES = ['ann', 'bob', 'cy'];

export const INITIAL: State = { accounts: [START, START, START, START], counters: [0, 0], lists: [[], []], names: {}, groups: [[], []] };

/** A request and what it means. */
export interface Step {
  /** Of its mark, and in messages. */
  readonly number: number;
  readonly name: string;
  /** The body of a query of version 4. */
  readonly body: string;
  readonly run: Operation<State>['run'];
}

/** What became of a step's request. */
export interface Exchange {
  readonly invoked: number;
  readonly responded: number;
  /** 0 when no answer came. */
  readonly status: number;
  /** Its `x-txn-time`. */
  readonly ts: number;
  readonly text: string;
}

// --- The language ----------------------------------------------------------------------

type Expr = unknown;

const object = (fields: Readonly<Record<string, Expr>>): Expr => ({ object: fields });
const ref = (collection: string, id: number): Expr => ({ ref: { collection }, id: String(id + 1) });
const field = (of: Expr, name: string): Expr => ({ select: ['data', name], from: { get: of } });
const data = (fields: Readonly<Record<string, Expr>>): Expr => object({ data: object(fields) });
const update = (of: Expr, fields: Readonly<Record<string, Expr>>): Expr => ({ update: of, params: data(fields) });
const create = (collection: Expr, fields: Readonly<Record<string, Expr>>): Expr => ({ create: collection, params: data(fields) });
const match = (index: string, ...terms: readonly Expr[]): Expr => ({ match: { index }, ...(terms.length === 0 ? {} : { terms }) });
const all = (set: Expr): Expr => ({ select: 'data', from: { paginate: set, size: 1000 } });
const index = (name: string, collection: string, terms: readonly string[], values: readonly (readonly string[])[], unique = false): Expr => ({
  create_index: object({
    name,
    source: { collection },
    terms: terms.map((term) => object({ field: ['data', term] })),
    values: values.map((path) => object({ field: path })),
    unique,
  }),
});

const COLLECTIONS = ['accounts', 'counters', 'lists', 'people', 'members', 'marks'];

/** The queries that make the initial state, one after the other. */
export const SET_UP: readonly string[] = [
  COLLECTIONS.map((name) => ({ create_collection: object({ name }) })),
  [
    index('balances', 'accounts', [], [['data', 'balance']]),
    index('by_name', 'people', ['name'], [], true),
    index('names', 'people', [], [['data', 'name']]),
    index('by_group', 'members', ['group'], [['data', 'n'], ['ref']]),
    index('marks_by_number', 'marks', [], [['data', 'number'], ['ts']]),
  ],
  [
    ...INITIAL.accounts.map((balance, id) => create(ref('accounts', id), { balance })),
    ...INITIAL.counters.map((n, id) => create(ref('counters', id), { n })),
    ...INITIAL.lists.map((items, id) => create(ref('lists', id), { items })),
  ],
].map((expression) => JSON.stringify(expression));

/** Answers `[number, ts]` of each mark. */
export const MARKS = JSON.stringify({ select: 'data', from: { paginate: match('marks_by_number'), size: 100_000 } });

// --- The steps -------------------------------------------------------------------------

/** A query, given what leaves its mark, and its meaning. */
interface Kind {
  readonly name: string;
  readonly query: (mark: Expr) => Expr;
  readonly run: Step['run'];
}

const changed = <T>(items: readonly T[], at: number, item: T): readonly T[] => items.with(at, item);
const of = <T>(items: readonly T[], at: number): T => items[at] as T;

function transfer(from: number, to: number, amount: number): Kind {
  const [source, target] = [ref('accounts', from), ref('accounts', to)];
  return {
    name: `transfer ${amount} from ${from} to ${to}`,
    query: (mark) => ({
      let: [{ from: field(source, 'balance') }, { to: field(target, 'balance') }],
      in: {
        if: { gte: [{ var: 'from' }, amount] },
        then: {
          do: [
            mark,
            update(source, { balance: { subtract: [{ var: 'from' }, amount] } }),
            update(target, { balance: { add: [{ var: 'to' }, amount] } }),
            [field(source, 'balance'), field(target, 'balance')],
          ],
        },
        else: false,
      },
    }),
    run: (state) => {
      const left = of(state.accounts, from) - amount;
      if (left < 0) return [state, false];
      const sum = of(state.accounts, to) + amount;
      return [{ ...state, accounts: changed(changed(state.accounts, from, left), to, sum) }, [left, sum]];
    },
  };
}

const total: Kind = {
  name: 'total',
  query: () => ({ add: INITIAL.accounts.map((_, id) => field(ref('accounts', id), 'balance')) }),
  run: (state) => [state, state.accounts.reduce((sum, balance) => sum + balance, 0)],
};

const balances: Kind = {
  name: 'balances by index',
  query: () => all(match('balances')),
  run: (state) => [state, state.accounts.toSorted((a, b) => a - b)],
};

function claim(name: string, owner: number): Kind {
  return {
    name: `claim ${name}`,
    query: (mark) => ({ do: [create({ collection: 'people' }, { name, owner }), mark, 'claimed'] }),
    run: (state) => (name in state.names ? [state, 'instance not unique'] : [{ ...state, names: { ...state.names, [name]: owner } }, 'claimed']),
  };
}

function release(name: string): Kind {
  const person = match('by_name', name);
  return {
    name: `release ${name}`,
    query: (mark) => ({ if: { exists: person }, then: { do: [{ delete: { select: 'ref', from: { get: person } } }, mark, true] }, else: false }),
    run: (state) => {
      const { [name]: owner, ...names } = state.names;
      return owner === undefined ? [state, false] : [{ ...state, names }, true];
    },
  };
}

function holder(name: string): Kind {
  const person = match('by_name', name);
  return {
    name: `holder of ${name}`,
    query: () => ({ if: { exists: person }, then: field(person, 'owner'), else: null }),
    run: (state) => [state, state.names[name] ?? null],
  };
}

const names: Kind = { name: 'names', query: () => all(match('names')), run: (state) => [state, Object.keys(state.names).sort()] };

function increment(id: number): Kind {
  const counter = ref('counters', id);
  return {
    name: `increment ${id}`,
    query: (mark) => ({ do: [mark, update(counter, { n: { add: [field(counter, 'n'), 1] } }), field(counter, 'n')] }),
    run: (state) => {
      const n = of(state.counters, id) + 1;
      return [{ ...state, counters: changed(state.counters, id, n) }, n];
    },
  };
}

function append(id: number, item: number): Kind {
  const list = ref('lists', id);
  return {
    name: `append ${item} to ${id}`,
    query: (mark) => ({ do: [mark, update(list, { items: { append: [item], collection: field(list, 'items') } }), field(list, 'items')] }),
    run: (state) => {
      const items = [...of(state.lists, id), item];
      return [{ ...state, lists: changed(state.lists, id, items) }, items];
    },
  };
}

function items(id: number): Kind {
  return { name: `list ${id}`, query: () => field(ref('lists', id), 'items'), run: (state) => [state, of(state.lists, id)] };
}

/** Reads an index in order to write into it: who comes between is a phantom. */
function enter(group: number, n: number): Kind {
  return {
    name: `enter ${group}`,
    query: (mark) => ({
      if: { lt: [{ count: match('by_group', group) }, ROOM] },
      then: { do: [create({ collection: 'members' }, { group, n }), mark, true] },
      else: false,
    }),
    run: (state) => {
      const members = of(state.groups, group);
      if (members.length >= ROOM) return [state, false];
      return [{ ...state, groups: changed(state.groups, group, [...members, n].sort((a, b) => a - b)) }, true];
    },
  };
}

function leave(group: number): Kind {
  const first = { select: ['data', 0], from: { paginate: match('by_group', group), size: 1 }, default: null };
  return {
    name: `leave ${group}`,
    query: (mark) => ({
      let: [{ first }],
      in: {
        if: { equals: [{ var: 'first' }, null] },
        then: false,
        else: { do: [{ delete: { select: 1, from: { var: 'first' } } }, mark, { select: 0, from: { var: 'first' } }] },
      },
    }),
    run: (state) => {
      const [first, ...rest] = of(state.groups, group);
      return first === undefined ? [state, false] : [{ ...state, groups: changed(state.groups, group, rest) }, first];
    },
  };
}

function members(group: number): Kind {
  return {
    name: `members of ${group}`,
    query: () => ({ map: { lambda: ['n', '_'], expr: { var: 'n' } }, collection: all(match('by_group', group)) }),
    run: (state) => [state, of(state.groups, group)],
  };
}

const KINDS: readonly ((gen: Gen, number: number) => Kind)[] = [
  (gen) => {
    const from = gen.below(INITIAL.accounts.length);
    return transfer(from, (from + 1 + gen.below(INITIAL.accounts.length - 1)) % INITIAL.accounts.length, 1 + gen.below(60));
  },
  () => total,
  () => balances,
  (gen, number) => claim(gen.pick(NAMES), number),
  (gen) => release(gen.pick(NAMES)),
  (gen) => holder(gen.pick(NAMES)),
  () => names,
  (gen) => increment(gen.below(INITIAL.counters.length)),
  (gen, number) => append(gen.below(INITIAL.lists.length), number),
  (gen) => items(gen.below(INITIAL.lists.length)),
  (gen, number) => enter(gen.below(INITIAL.groups.length), number),
  (gen) => leave(gen.below(INITIAL.groups.length)),
  (gen) => members(gen.below(INITIAL.groups.length)),
];

export function steps(gen: Gen, count: number): Step[] {
  return Array.from({ length: count }, (_, number) => {
    const { name, query, run } = gen.pick(KINDS)(gen, number);
    const mark = create({ collection: 'marks' }, { number });
    return { number, name: `#${number} ${name}`, body: JSON.stringify(query(mark)), run };
  });
}

// --- What clients saw ------------------------------------------------------------------

/** Error codes that are answers: they say how things stood. */
const TOLD = ['instance not unique'];

/**
 * What a client saw, for the checker.
 * @param marked the answer to `MARKS`, asked at the end
 */
export function operationsOf(seen: readonly (readonly [Step, Exchange])[], marked: readonly (readonly [number, number])[]): Operation<State>[] {
  const marks = new Map(marked);
  return seen.map(([{ number, name, run }, { invoked, responded, status, ts, text }]) => {
    const common = { name, run, invoked };
    const found = marks.get(number);
    const { resource, errors } = status === 0 ? {} : (JSON.parse(text) as { resource?: unknown; errors?: readonly { code: string }[] });
    if (resource !== undefined) return { ...common, responded, ts, wrote: found !== undefined, answer: resource };
    const code = errors?.[0]?.code;
    if (code !== undefined && TOLD.includes(code)) return { ...common, responded, ts: null, wrote: false, answer: code };
    // It may have been applied nevertheless; then its mark is there.
    return { ...common, responded: Number.POSITIVE_INFINITY, ts: found ?? null, wrote: found !== undefined, answer: UNKNOWN };
  });
}

/** Steps that were applied more than once, or whose commit's time is not the one they were told. */
export function marksAtFault(seen: readonly (readonly [Step, Exchange])[], marked: readonly (readonly [number, number])[]): string[] {
  const counts = new Map<number, number>();
  for (const [number] of marked) counts.set(number, (counts.get(number) ?? 0) + 1);
  const marks = new Map(marked);
  return seen.flatMap(([{ number, name }, { status, ts }]) => {
    const count = counts.get(number) ?? 0;
    if (count > 1) return [`${name} was applied ${count} times`];
    const at = marks.get(number);
    return at !== undefined && (status === 200 || status === 201) && at !== ts ? [`${name} says ${ts}, but its mark ${at}`] : [];
  });
}

// What can be read as a set: sets, sets that were stored, documents and schema classes.
import { Path } from '../base/path.ts';
import { asParseError, invalidExpression, noHistory, wrongType } from '../errors/codes.ts';
import { isRefOf, typeName } from '../errors/type-name.ts';
import { identifier, ref, type SetLike } from '../form/casts.ts';
import type { EvalContext } from '../form/context.ts';
import { StoredSet } from '../value/stored-set.ts';
import { isArray, Lambda, Obj, Ref, type SetValue, type Value } from '../value/value.ts';
import type { AlgebraKind } from './algebra-members.ts';
import { combine } from './ops/algebra.ts';
import { DocumentsSet, SingletonSet } from './ops/documents.ts';
import { JoinSet } from './ops/join.ts';
import { MatchSet } from './ops/match.ts';
import { DistinctSet, EventsSet, FilterSet, RangeSet, ReverseSet } from './ops/views.ts';
import { SetOp } from './set-op.ts';

/** The set that a ref or set value stands for. */
export function toSet(value: SetLike, ctx: EvalContext): SetOp {
  if (value instanceof Ref) return value.isNativeCollection ? new DocumentsSet(value, 'ref') : new SingletonSet(value, 'ref');
  if (value instanceof SetOp) return value;
  return revive(value, ctx);
}

/** Makes a set of its description. @throws FqlError `invalid expression`: it came from the text of a query */
function revive(set: SetValue, ctx: EvalContext): SetOp {
  const description = set.describe();
  if (description instanceof Ref) return toSet(description, ctx);
  try {
    for (const [key, make] of Object.entries(MAKERS)) if (description.has(key)) return make(description, ctx);
  } catch (error) {
    throw asParseError(error);
  }
  throw invalidExpression(Path.root, 'Invalid set.');
}

type Maker = (description: Obj, ctx: EvalContext) => SetOp;

const algebra =
  (kind: AlgebraKind): Maker =>
  (description, ctx) =>
    combine(kind, partsOf(description.get(kind)).map((part) => member(part, ctx)), ctx, Path.root);

/** By the key that tells what a set is. `match` stands last: in its oldest form it holds the terms. */
const MAKERS: Readonly<Record<string, Maker>> = {
  union: algebra('union'),
  intersection: algebra('intersection'),
  difference: algebra('difference'),
  distinct: (description, ctx) => new DistinctSet(member(description.get('distinct'), ctx)),
  reverse: (description, ctx) => new ReverseSet(member(description.get('reverse'), ctx)),
  range: (description, ctx) => rangeOf(member(description.get('range'), ctx), partsOf(description.get('from')), partsOf(description.get('to')), ctx),
  filter: (description, ctx) => new FilterSet(member(description.get('collection'), ctx), lambdaOf(description.get('filter')), Path.root),
  join: (description, ctx) => {
    const target = description.get('with');
    return new JoinSet(member(description.get('join'), ctx), target instanceof Ref ? target : lambdaOf(target), toSet, Path.root);
  },
  singleton: (description) => new SingletonSet(refIn(description.get('singleton'))),
  documents: (description) => new DocumentsSet(refIn(description.get('documents'))),
  events: (description, ctx) => eventsOf(member(description.get('events'), ctx), Path.root),
  match: (description) => {
    const index = description.get('index');
    const [of, terms] = index === undefined ? [description.get('match'), description.get('terms')] : [index, description.get('match')];
    return new MatchSet(indexIn(of), partsOf(terms), Path.root);
  },
};

export const rangeOf = (set: SetOp, from: readonly Value[], to: readonly Value[], ctx: EvalContext): RangeSet =>
  new RangeSet(set, from, to, set.shape(ctx).descending.length);

/** @throws FqlError events have no events */
export function eventsOf(set: SetOp, at: Path): EventsSet {
  if (set.historical) throw noHistory(at);
  return new EventsSet(set);
}

const partsOf = (value: Value | undefined): readonly Value[] => (value === undefined ? [] : isArray(value) ? value : [value]);

const member = (value: Value | undefined, ctx: EvalContext): SetOp =>
  toSet(value instanceof Obj ? new StoredSet(value) : identifier.read(value ?? null, Path.root), ctx);

function lambdaOf(value: Value | undefined): Lambda {
  if (!(value instanceof Lambda)) throw wrongType(Path.root, ['Lambda', 'Index Ref'], typeName(value ?? null));
  return value;
}

const refIn = (value: Value | undefined): Ref => ref.read(value ?? null, Path.root);

function indexIn(value: Value | undefined): Ref {
  const index = refIn(value);
  if (!isRefOf(index, 'indexes')) throw wrongType(Path.root, ['Index Ref'], typeName(index));
  return index;
}

// Which fields belong together, and where their refs are kept (reference: graphql/graphql.md §4).
//
// Fields pair up by the type they lead to; a written name pairs them outright. Recorded
// models carry a name on every such field, and pairing them again gives the same relations.
import { baseName, directive, type Field, isList, isNotNull, type ObjectType, textArg } from './model.ts';
import { decapitalize, linkKey, relationCandidate, smaller } from './names.ts';

/** The field at the other end of a relation. */
export interface Opposite {
  readonly field: string;
  readonly required: boolean;
}

interface LinkBase {
  readonly type: string;
  readonly field: string;
  /** The type the field leads to. */
  readonly target: string;
  /** The name recorded with this field. */
  readonly name: string;
}

export type Link =
  /** A ref in this document; `unique` when the other side leads back to one. */
  | (LinkBase & { readonly kind: 'ref'; readonly back: Opposite | null; readonly unique: boolean })
  /** One document whose field `back` holds a ref to this one. */
  | (LinkBase & { readonly kind: 'inverse'; readonly back: Opposite; readonly index: string })
  /** All documents whose field `back` holds a ref to this one. */
  | (LinkBase & { readonly kind: 'many'; readonly back: Opposite; readonly index: string })
  /** Documents of a collection of its own, each with a ref to both ends. */
  | (LinkBase & {
      readonly kind: 'links';
      readonly back: Opposite | null;
      readonly collection: string;
      readonly ownKey: string;
      readonly otherKey: string;
      /** This end's documents → the others. */
      readonly index: string;
      /** Of both ends together, by the names of their types: that of its index, and its keys. */
      readonly pairIndex: string;
      readonly pairKeys: readonly string[];
    });

export interface Relations {
  /** By `Type.field`. */
  readonly links: ReadonlyMap<string, Link>;
  readonly problems: readonly string[];
}

export const linkOf = (relations: Relations, type: string, field: string): Link | undefined =>
  relations.links.get(`${type}.${field}`);

interface End {
  readonly type: string;
  readonly field: Field;
  readonly target: string;
  readonly list: boolean;
  readonly candidate: string;
  readonly written: string | undefined;
}

/** A to-one field goes by its own candidate when nothing was written: that pairs with anything. */
const isExplicit = (end: End): boolean => end.written !== undefined && (end.list || end.written !== end.candidate);

export function findRelations(types: readonly ObjectType[]): Relations {
  const ends = endsOf(types);
  const { pairs, problems } = pairUp(ends);
  const links = new Map<string, Link>();
  const named = new Map<string, End>();
  for (const end of ends) {
    const link = describe(end, pairs.get(end));
    if (link === null) {
      problems.push(SELF_RELATION);
      continue;
    }
    const name = `${end.type} ${link.name}`;
    const namesake = named.get(name);
    if (namesake !== undefined && pairs.get(namesake) !== end) problems.push(doubled(link));
    named.set(name, end);
    links.set(`${end.type}.${end.field.name}`, link);
  }
  return { links, problems };
}

/** Which two ends are of one relation. */
function pairUp(ends: readonly End[]): { readonly pairs: ReadonlyMap<End, End>; readonly problems: string[] } {
  const pairs = new Map<End, End>();
  const problems: string[] = [];

  const open = (end: End): boolean => !pairs.has(end);
  const facing = (end: End): End[] =>
    ends.filter((other) => other !== end && other.type === end.target && other.target === end.type && open(other));
  const join = (end: End, other: End): void => void pairs.set(end, other).set(other, end);

  // Written names first: the same name at both ends.
  for (const end of ends) {
    if (!open(end) || end.written === undefined) continue;
    const [named] = facing(end).filter((other) => other.written === end.written);
    if (named !== undefined) join(end, named);
  }
  // Then by type: lists with single fields, lists with lists, single fields with each other.
  const rounds: readonly [own: boolean, other: boolean][] = [[true, false], [true, true], [false, false]];
  for (const [own, other] of rounds) {
    const fits = (end: End): End[] =>
      facing(end).filter((to) => to.list === other && !(isExplicit(end) && isExplicit(to)) && !(end.type === to.type && !own));
    for (const end of ends.filter((candidate) => candidate.list === own)) {
      if (!open(end)) continue;
      const [first, ...more] = fits(end);
      if (first === undefined) continue;
      const rivals = ends.filter((rival) => rival !== end && rival.list === own && rival.type === end.type && open(rival));
      if (more.length > 0 || rivals.some((rival) => fits(rival).includes(first))) {
        problems.push(ambiguous(end));
      }
      join(end, first);
    }
  }
  return { pairs, problems };
}

function endsOf(types: readonly ObjectType[]): End[] {
  const names = new Set(types.map((type) => type.name));
  return types.flatMap((type) =>
    type.fields.flatMap((field) => {
      const [target, list, use] = [baseName(field.type), isList(field.type), directive(field, 'relation')];
      // A list without the directive is a plain array of ids.
      if (!names.has(target) || (list && use === undefined)) return [];
      const candidate = relationCandidate(type.name, field.name);
      return [{ type: type.name, field, target, list, candidate, written: textArg(use, 'name') ?? (list ? undefined : candidate) }];
    }),
  );
}

function describe(end: End, back: End | undefined): Link | null {
  const base = { type: end.type, field: end.field.name, target: end.target };
  const opposite = back && { field: back.field.name, required: isNotNull(back.field.type) };
  if (end.list && (back === undefined || back.list)) {
    if (end.type === end.target) return null;
    const name = sharedName(end, back);
    const pair = [end.type, end.target].sort();
    return {
      ...base, kind: 'links', name, back: opposite ?? null, collection: name,
      ownKey: linkKey(end.type), otherKey: linkKey(end.target),
      index: `${name}_by_${decapitalize(end.type)}`,
      pairIndex: `${name}_by_${pair.map(decapitalize).join('_and_')}`,
      pairKeys: pair.map(linkKey),
    };
  }
  if (back === undefined || opposite === undefined || (!end.list && back.list)) {
    return { ...base, kind: 'ref', name: end.written ?? end.candidate, back: opposite ?? null, unique: false };
  }
  const name = sharedName(end, back);
  const index = `${name}_by_${decapitalize(end.type)}`;
  if (end.list) return { ...base, kind: 'many', name, back: opposite, index };
  // The end with the larger candidate keeps the ref.
  return end.candidate > back.candidate
    ? { ...base, kind: 'ref', name, back: opposite, unique: true }
    : { ...base, kind: 'inverse', name, back: opposite, index };
}

/** The name both ends go by: the written one, or the smaller candidate. */
function sharedName(end: End, back: End | undefined): string {
  if (back === undefined || isExplicit(end)) return end.written ?? end.candidate;
  if (isExplicit(back)) return back.written ?? back.candidate;
  return smaller(end.candidate, back.candidate);
}

const ambiguous = (end: End): string =>
  `The relationship between the types '${end.type}' and '${end.target}' is ambiguous at the field '${end.type}.${end.field.name}'. ` +
  'Use the @relation directive with the same name on both of its fields to make it explicit.';

const doubled = ({ type, name }: Link): string =>
  `The relation name '${name}' stands on two fields of the type '${type}'.`;

const SELF_RELATION = 'Many to many self-references are not allowed';

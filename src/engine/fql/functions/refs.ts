// Refs by name and by id (functions.md §6).
import type { Path } from '../../base/path.ts';
import { wrongType } from '../../errors/codes.ts';
import { allOf } from '../../errors/fql-error.ts';
import { isRefOf, typeName } from '../../errors/type-name.ts';
import { any, databaseRef, nothing, optional, string, undefinedRef } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { type Form, form } from '../../form/form.ts';
import { type NamedKind, namedKindIn, type NativeName, nativeRef, Ref, UnresolvedRef } from '../../value/ref.ts';
import type { Value } from '../../value/value.ts';
import type { WireId } from '../../wire/version.ts';
import { type AnyRef, documentId, documentOf } from '../refs.ts';

const SOURCE = 'functions.md §6; ast/functions/BasicFunctions';

/** A collection, resolved or not, whose documents are called by their ids. */
function parentOf(value: Value, at: Path): AnyRef {
  if (!(value instanceof Ref || value instanceof UnresolvedRef) || typeName(value) !== 'Collection Ref') throw wrongType(at, ['Collection Ref'], typeName(value));
  if (value instanceof Ref && namedKindIn(Number(value.id)) !== undefined) throw wrongType(at, ['Regular Class Ref'], 'Schema Class Ref');
  return value;
}

/** Read by `parentOf`, so that what is wrong with the id is told beside it. */
const parent = { ...any, names: ['Collection Ref'] };

/** The name looked up in this database or a child of it. */
function byName(kind: NamedKind, key: string, example: string, since?: WireId): Form {
  return form({
    params: { [key]: string, scope: optional(databaseRef) },
    effect: 'pure',
    since,
    source: SOURCE,
    summary: `The ref of a ${kind.replace('_', ' ')} by its name.`,
    examples: [[`{"select":"id","from":{"${key}":"${example}"}}`, `"${example}"`]],
    run(args, ctx) {
      const name = args[key] as string;
      const scope = args.scope as Ref | undefined;
      if (scope === undefined) return ctx.catalog.resolve(kind, name) ?? new UnresolvedRef(kind, name);
      const other = ctx.catalogOf(scope.id);
      return other.resolve(kind, name) ?? new UnresolvedRef(kind, name, null, other.path.slice(ctx.catalog.path.length));
    },
  });
}

/** How many there are where the examples run. */
const EXAMPLES: Readonly<Partial<Record<NativeName, number>>> = {
  databases: 1, collections: 2, indexes: 2, functions: 1, roles: 1, credentials: 1, access_providers: 1,
};

/** A native collection as a set. */
function native(name: NativeName, key: string = name, since?: WireId): Form {
  return form({
    params: { [key]: any },
    effect: 'pure',
    since,
    source: SOURCE,
    summary: `All ${name.replace('_', ' ')}.`,
    examples: [[`{"count":{"${key}":null}}`, `${EXAMPLES[name] ?? 0}`]],
    run(args, ctx, at) {
      const scope = args[key] as Value;
      if (scope === null) return nativeRef(name, ctx.catalog.scope);
      if (scope instanceof UnresolvedRef) throw undefinedRef(scope, at.at(key));
      if (!isRefOf(scope, 'databases')) throw wrongType(at.at(key), ['Database Ref', 'Null'], typeName(scope));
      return nativeRef(name, scope.id);
    },
  });
}

/** Both spellings of a form that makes a new id. */
const newId = (key: string): Form =>
  form({
    params: { [key]: nothing },
    effect: 'write',
    source: SOURCE,
    summary: 'A new id, as text of digits.',
    examples: [[`{"is_string":{"${key}":null}}`, 'true']],
    // The last ten bits are one node's in the original; code that makes random numbers of ids counts on the distance.
    run: (_args, ctx: EvalContext) => String(ctx.txn.nextId(1024n)),
  });

export const refs: readonly Form[] = [
  form({
    params: { ref: parent, id: any, scope: optional(databaseRef) },
    effect: 'pure',
    source: SOURCE,
    summary: 'The ref of a document by its collection and id.',
    examples: [['{"select":["id"],"from":{"ref":{"tokens":null},"id":"12"}}', '"12"']],
    run: ({ ref, id }, _ctx, at) => documentOf(...allOf(() => parentOf(ref, at.at('ref')), () => documentId(id, at.at('id')))),
  }),
  byName('database', 'database', 'annex'),
  byName('index', 'index', 'spells_by_cost'),
  byName('collection', 'class', 'spells'),
  byName('collection', 'collection', 'spells'),
  byName('function', 'function', 'double'),
  byName('role', 'role', 'readers'),
  byName('access_provider', 'access_provider', 'issuer', '4'),
  native('databases'),
  native('indexes'),
  native('collections', 'classes'),
  native('collections'),
  native('functions'),
  native('roles'),
  native('keys'),
  native('tokens'),
  native('credentials'),
  native('access_providers', 'access_providers', '4'),
  newId('new_id'),
  newId('next_id'),
];

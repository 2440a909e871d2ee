// Carries out an import: reads what is there, plans, writes (reference: graphql/graphql.md
// §2, §10). Everything happens in one transaction, so there is nothing to wait for: the
// pause of `override` let other nodes hear of the deletions, and here every engine has
// before its next answer.
import { andThen, each, type MaybePromise, rescue } from '../base/maybe.ts';
import { FqlError } from '../errors/fql-error.ts';
import { classesOf, listOf } from '../schema/definitions.ts';
import { equals } from '../value/equal.ts';
import { Lambda, Obj, Ref, type Value } from '../value/value.ts';
import { type Database, type SchemaDocument, type SchemaKind } from './database.ts';
import { IMPORT_MODES, type ImportMode, type ImportPlan, planImport } from './import-plan.ts';
import type { PlannedDocument, PlannedIndex } from './planned.ts';
import { textOf } from './run-graphql.ts';
import { ImportError } from './sdl.ts';
import { gqlOf, gqlValue, replacing, storedModel, toValue } from './stored-model.ts';

export interface ImportAnswer {
  readonly status: number;
  /** `text/plain`. */
  readonly text: string;
  /** Whether the transaction counts. */
  readonly commit: boolean;
}

/**
 * @param mode as in the query string; `null` or `''` is `merge`.
 * @param authorization header as the client sent it; the answer repeats it.
 */
export function runImport(sdl: string, mode: string | null, authorization: string, db: Database): MaybePromise<ImportAnswer> {
  const wanted = IMPORT_MODES.find((known) => known === (mode || 'merge'));
  if (wanted === undefined) return refused(`Unknown import mode '${mode ?? ''}'. Known modes are: ${IMPORT_MODES.join(', ')}.`);
  return rescue(
    () => andThen(db.databaseMeta(), (gql) => {
      const plan = planImport(sdl, wanted, storedModel(db, gql));
      return andThen(carryOut(plan, wanted, db, gql), (): ImportAnswer => ({ status: 200, text: success(authorization), commit: true }));
    }),
    (error) => {
      if (error instanceof ImportError) return refused(error.message);
      if (error instanceof FqlError) return refused(error.failures.map(textOf).join('\n'));
      throw error;
    },
  );
}

const refused = (text: string): ImportAnswer => ({ status: 400, text, commit: false });

const success = (authorization: string): string =>
  'Schema imported successfully.\n' +
  'Use the following HTTP header to connect to the FaunaDB GraphQL API:\n\n' +
  `{ "Authorization": ${JSON.stringify(authorization)} }`;

const KINDS: readonly SchemaKind[] = ['index', 'function', 'collection'];

function carryOut(plan: ImportPlan, mode: ImportMode, db: Database, old: Obj | null): MaybePromise<unknown> {
  const among = (documents: readonly PlannedDocument[], kind: SchemaKind, name: string): boolean =>
    documents.some((document) => document.kind === kind && document.name === name);
  const cleared = each(KINDS, (kind) =>
    each(db.schema(kind).filter((document) => gqlOf(document) !== null), (document) => {
      if (mode === 'override') return db.deleteSchema(document.ref);
      const stays = among(plan.documents, kind, document.name) || (mode === 'merge' && !among(plan.left, kind, document.name));
      return stays ? null : db.updateSchema(document.ref, NOTHING);
    }),
  );
  return andThen(cleared, () =>
    andThen(each(plan.documents, (document) => write(document, db)), () =>
      db.setDatabaseMeta(plan.database === null ? null : unlessSame(old, gqlValue(db, plan.database))),
    ),
  );
}

const metadata = (gql: Value): Obj => Obj.of(['data', Obj.of(['gql', gql])]);
const NOTHING = metadata(null);

/** The next metadata, or the old where the time alone is new: pages import at every load, and the history of a schema is kept for ever. */
const unlessSame = (old: Obj | null, next: Obj): Obj => (old !== null && equals(old, next.with('ts', old.get('ts') ?? null)) ? old : next);

/** Creates the document, or writes its metadata to the one that is there. */
function write(document: ImportPlan['documents'][number], db: Database): MaybePromise<unknown> {
  const existing = db.schema(document.kind).find((candidate) => candidate.name === document.name);
  const gql = gqlValue(db, document.meta);
  if (existing === undefined) {
    const fields = definition(document, db);
    return db.createSchema(document.kind, fields.with('data', Obj.of(['gql', gql])));
  }
  if (document.kind === 'index' && !fits(document, document.written, existing, db)) {
    throw new ImportError(`The index '${document.name}' exists already with another definition.`);
  }
  if (!document.written) return null;
  const old = gqlOf(existing);
  const next = unlessSame(old, old === null ? gql : replacing(old, gql));
  return next === old ? null : db.updateSchema(existing.ref, metadata(next));
}

function definition(document: PlannedDocument, db: Database): Obj {
  const name: [string, Value] = ['name', document.name];
  switch (document.kind) {
    case 'collection':
      return Obj.of(name, ['history_days', 30n]);
    case 'function': {
      const { lambda, expr } = document.body;
      return Obj.of(name, ['body', new Lambda(lambda, toValue(expr), BODY_VERSION, null)]);
    }
    case 'index':
      return Obj.of(
        name,
        ['source', collectionRef(document.source, db)],
        ['terms', fieldsOf(document.terms)],
        ['values', fieldsOf(document.values)],
        ['unique', document.unique],
        ['serialized', true],
      );
  }
}

/** The version under which bodies of functions are read. */
const BODY_VERSION = '4';

const fieldsOf = (names: readonly string[]): Value => names.map((name) => Obj.of(['field', pathOf(name)]));

function collectionRef(name: string, db: Database): Ref {
  const found = db.schema('collection').find((document) => document.name === name);
  // Collections are planned before their indexes.
  if (found === undefined) throw new Error(`unknown type ${name}`);
  return found.ref;
}

/**
 * Whether an index that is there gives what the plan wants. What a field of Query reads may be unique. One that a directive calls
 * by name may be made by hand: it may have more sources, and bindings for terms; of what a query reads the number of terms counts, and no value.
 * @param isWritten whether this import's text asks for it; what earlier ones have taken stays taken
 */
function fits(planned: PlannedIndex, isWritten: boolean, { fields }: SchemaDocument, db: Database): boolean {
  const isRead = planned.meta !== null;
  const unique = fields.get('unique') === true;
  if (unique !== planned.unique && (planned.unique || !isRead)) return false;
  if (planned.chosen && !isWritten) return true;
  const [sources, terms, values] = ['source', 'terms', 'values'].map((name) => listOf(fields.get(name))) as [Values, Values, Values];
  const source = collectionRef(planned.source, db);
  const collections = sources.flatMap(classesOf);
  const isOf = (one: Value): boolean => one === '_' || (one instanceof Ref && one.equals(source));
  if (terms.length !== planned.terms.length || !collections.some(isOf)) return false;
  if (planned.chosen && isRead) return true;
  const isTerm = (item: Value, at: number): boolean => {
    const path = pathIn(item);
    return path === null ? planned.chosen : equals(path, pathOf(planned.terms[at] as string));
  };
  return (planned.chosen || collections.length === 1) && terms.every(isTerm) && equals(values.map(pathIn), planned.values.map(pathOf));
}

type Values = readonly Value[];

const pathOf = (name: string): Value => ['data', name];

/** Of a binding `null`. */
const pathIn = (item: Value): Value => (item instanceof Obj && item.get('field')) || null;

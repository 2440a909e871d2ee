// Resolvers that read (reference: graphql/graphql.md §8.1, §8.2). What a field does is data
// (field-plan.ts); here is how.
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import { Path } from '../base/path.ts';
import { wrongType } from '../errors/codes.ts';
import { typeName } from '../errors/type-name.ts';
import { Doc, isArray, Obj, Page, Ref, SetValue, type Value } from '../value/value.ts';
import { decodeCursor } from './cursor.ts';
import { type Database, GatewayError, type PageRequest } from './database.ts';
import { collectionName, type Model, type ObjectType } from './model.ts';
import type { Link } from './relations.ts';

/** What resolvers are given beside their field. */
export interface Context {
  readonly db: Database;
  readonly model: Model;
  readonly links: ReadonlyMap<string, Link>;
}

export type Args = Readonly<Record<string, unknown>>;

/** A page whose elements are ready to be shown; where it begins and ends becomes a text only if that is asked for. */
export interface PageResult {
  readonly data: readonly unknown[];
  readonly before?: Value | undefined;
  readonly after?: Value | undefined;
}

const DEFAULT_SIZE = 50;
const MAX_SIZE = 100_000;

/** Size and cursor of a page, from the arguments of its field. */
export function pageRequest(args: Args, db: Database): PageRequest {
  const size = typeof args['_size'] === 'number' ? args['_size'] : DEFAULT_SIZE;
  const text = args['_cursor'];
  if (typeof text !== 'string') return { size, cursor: null };
  const cursor = decodeCursor(text, db.utf8);
  if (cursor === null) throw new GatewayError('invalid argument', 'The pagination cursor is not valid.');
  return { size, cursor };
}

const toPage = ({ before, after }: Page, data: readonly unknown[]): PageResult => ({ data, before, after });

/** A page of the documents an index leads to. */
export function documentPage(db: Database, index: string, terms: readonly Value[], args: Args): MaybePromise<PageResult> {
  const { size, cursor } = pageRequest(args, db);
  return andThen(db.page(index, terms, { size: Math.min(size, MAX_SIZE), cursor }), (found) =>
    andThen(db.getAll(refsIn(found)), (documents) => toPage(found, documents)),
  );
}

/** The ref of the first document an index leads to. */
export const firstRef = (db: Database, index: string, terms: readonly Value[]): MaybePromise<Ref | null> =>
  andThen(db.page(index, terms, { size: 1, cursor: null }), (found) => refsIn(found)[0] ?? null);

/** As `Get` takes them. @throws FqlError where an element is no ref: the values of an index that was there may be others */
const refsIn = ({ data }: Page): Ref[] => data.map((element) => (element instanceof Ref ? element : noDocument(element)));

const noDocument = (value: Value): never => {
  throw wrongType(Path.root, ['Ref', 'Set'], typeName(value));
};

export const findDocument = (db: Database, type: ObjectType, id: string): MaybePromise<Doc | null> => readable(db, db.ref(collectionName(type), id));

/** As `If(Exists(ref), Get(ref), null)`: there is no document that may not be read. */
const readable = (db: Database, ref: Ref): MaybePromise<Doc | null> => andThen(db.getAll([ref]), ([found = null]) => found);

/** A field of a document, of an object inside one, or of what a function answered. */
export const storedField = (db: Database, source: unknown, field: string, embedded: boolean): Value =>
  db.field((embedded ? source : documentFields(source)) as Value, field);

/** A function may answer with a document, with an object that looks like one, or with its fields alone. */
function documentFields(source: unknown): unknown {
  if (source instanceof Doc) return source.fields.get('data');
  const data = identityOf(source) === null ? undefined : (source as Obj).get('data');
  return data instanceof Obj ? data : source;
}

export const identityOf = (source: unknown): Ref | null => {
  if (source instanceof Doc) return source.ref;
  const ref = source instanceof Obj ? source.get('ref') : undefined;
  return ref instanceof Ref ? ref : null;
};

/**
 * Refs become their documents, and sets, as `Get` takes them, the first of theirs; documents, as functions answer them, stay.
 * @param required whether there must be a document: then one that may not be read is an error
 */
export function documentsOf(db: Database, value: Value, required = true): MaybePromise<unknown> {
  if (value instanceof Ref) return required ? db.get(value) : readable(db, value);
  if (value instanceof SetValue) return andThen(db.head(value), (ref) => documentsOf(db, ref, required));
  return isArray(value) ? mapEach(value, (item) => documentsOf(db, item, required)) : value;
}

/** The same for what a field of documents holds. @throws FqlError as `Get` does, for what leads to none, such as an id alone */
export function heldDocuments(db: Database, value: Value, required: boolean): MaybePromise<unknown> {
  if (isArray(value)) return mapEach(value, (item) => heldDocuments(db, item, required));
  const canBe = value === null || [Ref, SetValue, Doc, Obj].some((kind) => value instanceof kind);
  return canBe ? documentsOf(db, value, required) : noDocument(value);
}

export function relatedTo(source: unknown, link: Link, args: Args, db: Database, required: boolean): MaybePromise<unknown> {
  if (link.kind === 'ref') return heldDocuments(db, storedField(db, source, link.field, false), required);
  const own = identityOf(source);
  if (own === null) return link.kind === 'inverse' ? null : { data: [] };
  if (link.kind !== 'inverse') return documentPage(db, link.index, [own], args);
  return andThen(firstRef(db, link.index, [own]), (ref) => documentsOf(db, ref, required));
}

/** A page from a function: a Page, or an object that looks like one. */
export function pageFromFunction(db: Database, value: Value): MaybePromise<PageResult> {
  const page = value instanceof Page ? value : pageLike(value);
  if (page === null) throw new GatewayError('invalid argument', 'The function of a paginated resolver must return a page.');
  return andThen(documentsOf(db, page.data), (data) => toPage(page, data as readonly unknown[]));
}

function pageLike(value: Value): Page | null {
  const data = value instanceof Obj ? value.get('data') : undefined;
  if (!(value instanceof Obj) || data === undefined || !isArray(data)) return null;
  return new Page(data, value.get('before') ?? undefined, value.get('after') ?? undefined);
}

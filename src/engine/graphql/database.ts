// What the gateway needs of the engine. All of it happens inside one transaction; whoever
// gives a Database decides at the end whether it counts.
import type { MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import type { Doc, Obj, Page, Ref, SetValue, Time, Value } from '../value/value.ts';
import type { Cursor } from './cursor.ts';

export type SchemaKind = 'collection' | 'index' | 'function';

/** A collection, index or function as it is now. */
export interface SchemaDocument {
  readonly name: string;
  readonly ref: Ref;
  /** All stored fields except `ref` and `ts`. */
  readonly fields: Obj;
}

/** Where a page begins, with refs by name. */
export interface PageRequest {
  readonly size: number;
  readonly cursor: Cursor | null;
}

/** Errors of the language are thrown as FqlError; anything else ends the request. */
export interface Database {
  readonly utf8: Platform['utf8'];
  /** Time of the transaction, recorded with what an import writes. */
  readonly now: Time;
  /** The same object as long as schema documents are the same: what was derived from them is kept with it. */
  readonly schemaIdentity: object;

  // Schema documents. All by id, the order in which they were made.
  schema(kind: SchemaKind): readonly SchemaDocument[];
  /** @throws FqlError */
  createSchema(kind: SchemaKind, fields: Obj): MaybePromise<unknown>;
  /** Merges like an update: fields of objects one by one, `null` takes a field away. @throws FqlError */
  updateSchema(ref: Ref, fields: Obj): MaybePromise<unknown>;
  deleteSchema(ref: Ref): MaybePromise<unknown>;
  /** `data.gql` of the database itself. */
  databaseMeta(): MaybePromise<Obj | null>;
  setDatabaseMeta(gql: Obj | null): MaybePromise<unknown>;

  // Documents.
  /** @throws FqlError no such collection, or a text that is no id */
  ref(collection: string, id: string): Ref;
  /** @throws FqlError `permission denied` */
  get(ref: Ref): MaybePromise<Doc | null>;
  /** The same for many at once; one that may not be read is `null`. */
  getAll(refs: readonly Ref[]): MaybePromise<readonly (Doc | null)[]>;
  /** What the first entry of a set leads to. @throws FqlError `permission denied` */
  head(set: SetValue): MaybePromise<Ref | null>;
  /** A page of the index at these terms: refs for one without values, else its values. @throws FqlError no such index, `permission denied` */
  page(index: string, terms: readonly Value[], request: PageRequest): MaybePromise<Page>;
  /** @throws FqlError */
  create(collection: string, data: Obj): MaybePromise<Doc>;
  /** Merges `data` into the document's. @throws FqlError */
  update(ref: Ref, data: Obj): MaybePromise<Doc>;
  /** Answers the document as it was. @throws FqlError */
  remove(ref: Ref): MaybePromise<Doc>;
  /** Calls a user function; several arguments are one array. @throws FqlError */
  call(name: string, args: readonly Value[]): MaybePromise<Value>;
  /** What a field of a value is, as `select` finds it; `null` where it has none. */
  field(value: Value, name: string): Value;
  /** A cursor of a page, with refs by name. @throws GatewayError for a value that no cursor can hold */
  cursorOf(direction: Cursor['direction'], value: Value): Cursor;
  /** The value a function takes as a cursor. */
  cursorValue(cursor: Cursor): Value;
}

/** An error of the gateway itself that ends the operation like one of the database. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

// The gateway's port on the engine: documents, sets and functions under the rights of the
// caller, in the transaction of the context.
import { andThen, mapEach, type MaybePromise, rescue } from '../base/maybe.ts';
import { Path } from '../base/path.ts';
import { createDocument, deleteDocument, updateDocument, type WritePlaces } from '../doc/write.ts';
import { getDocument } from '../doc/read.ts';
import { readingAhead } from '../doc/reading-ahead.ts';
import { stageDocument } from '../doc/stage.ts';
import { instanceNotFound, invalidRef, permissionDenied } from '../errors/codes.ts';
import { FqlError } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { callFunction } from '../fql/functions/basics.ts';
import { lookup } from '../fql/lookup.ts';
import { documentId } from '../fql/refs.ts';
import { listOf } from '../schema/definitions.ts';
import { MatchSet } from '../set/ops/match.ts';
import { paginate } from '../set/paginate.ts';
import { headOf } from '../set/read.ts';
import { collectionRefOf, FIRST_COLLECTION, GATEWAY_COLLECTION, KIND_COLLECTION, type NamedKind, NATIVE, nativeName, nativeRef } from '../value/ref.ts';
import { equals } from '../value/equal.ts';
import { DateValue, type Doc, isArray, Obj, type Page, Ref, type SetValue, Time, type Value } from '../value/value.ts';
import { type Cursor, type CursorValue, NamedRef } from './cursor.ts';
import { type Database, GatewayError, type PageRequest, type SchemaDocument, type SchemaKind } from './database.ts';

/** Errors of the gateway have no position: what it runs was not written by the client. */
const AT = Path.root;
const PLACES: WritePlaces = { form: AT, target: AT, params: AT };

/**
 * @param ctx of API version 4, in a transaction of its own
 * @param identity an object that lives as long as the catalog stays as it is: the catalog that is kept, not a fork of it
 */
export function engineDatabase(ctx: EvalContext, identity: object): Database {
  return new EngineDatabase(ctx, identity);
}

class EngineDatabase implements Database {
  readonly utf8;
  readonly now: Time;

  constructor(
    private readonly ctx: EvalContext,
    readonly schemaIdentity: object,
  ) {
    this.utf8 = ctx.platform.utf8;
    this.now = Time.fromMicros(ctx.txn.now);
  }

  // --- schema documents ----------------------------------------------------------------

  schema(kind: SchemaKind): readonly SchemaDocument[] {
    return this.ctx.catalog.all(kind);
  }

  createSchema(kind: SchemaKind, fields: Obj): MaybePromise<Doc> {
    return createDocument(nativeRef(KIND_COLLECTION[kind], this.ctx.catalog.scope), fields, this.ctx, PLACES);
  }

  updateSchema(ref: Ref, fields: Obj): MaybePromise<Doc> {
    return updateDocument(ref, fields, this.ctx, PLACES);
  }

  deleteSchema(ref: Ref): MaybePromise<Doc | null> {
    // Deleting a collection takes its indexes along: one that is gone already is no error.
    return this.ctx.catalog.definition(ref) === null ? null : deleteDocument(ref, this.ctx, PLACES);
  }

  databaseMeta(): MaybePromise<Obj | null> {
    return andThen(this.ctx.txn.version(this.metaRef, null), (version) => {
      const gql = version?.fields?.get('gql');
      return gql instanceof Obj ? gql : null;
    });
  }

  setDatabaseMeta(gql: Obj | null): MaybePromise<void> {
    return andThen(allows(this.ctx, 'create', collectionRefOf({ collection: FIRST_COLLECTION, scope: this.ctx.catalog.scope })), (allowed) => {
      if (!allowed) throw permissionDenied(AT);
      return andThen(this.databaseMeta(), (old) => (equals(old, gql) ? undefined : stageDocument(this.metaRef, gql === null ? null : Obj.of(['gql', gql]), this.ctx, AT)));
    });
  }

  private get metaRef(): Ref {
    return new Ref(GATEWAY_COLLECTION, 0n, this.ctx.catalog.scope);
  }

  // --- documents -----------------------------------------------------------------------

  ref(collection: string, id: string): Ref {
    const found = this.resolve('collection', collection);
    return new Ref(Number(found.id), documentId(id, AT), found.scope);
  }

  get(ref: Ref): MaybePromise<Doc | null> {
    return andThen(this.ctx.budget.step(), () => orNull('instance not found', () => getDocument(ref, this.ctx, AT)));
  }

  getAll(refs: readonly Ref[]): MaybePromise<readonly (Doc | null)[]> {
    return mapEach(refs, readingAhead(refs, this.ctx, (ref) => orNull('permission denied', () => this.get(ref))));
  }

  head(set: SetValue): MaybePromise<Ref | null> {
    return andThen(headOf(set, this.ctx, AT), (entry) => entry?.ref ?? null);
  }

  page(index: string, terms: readonly Value[], { size, cursor }: PageRequest): MaybePromise<Page> {
    const set = new MatchSet(this.resolve('index', index), terms, AT);
    const place = cursor === null ? undefined : this.cursorValue(cursor);
    const direction = cursor?.direction ?? 'after';
    return paginate({ set, size, direction, cursor: place, cursorAt: AT, sources: false }, this.ctx, AT);
  }

  create(collection: string, data: Obj): MaybePromise<Doc> {
    return createDocument(this.resolve('collection', collection), Obj.of(['data', data]), this.ctx, PLACES);
  }

  update(ref: Ref, data: Obj): MaybePromise<Doc> {
    return updateDocument(ref, Obj.of(['data', data]), this.ctx, PLACES);
  }

  remove(ref: Ref): MaybePromise<Doc> {
    return deleteDocument(ref, this.ctx, PLACES);
  }

  call(name: string, args: readonly Value[]): MaybePromise<Value> {
    const { before } = this.ctx.catalog;
    const ref = this.resolve('function', name, before);
    return andThen(allows(this.ctx, 'call', ref, [args]), (allowed) => {
      if (!allowed) throw permissionDenied(AT);
      const definition = before.userFunction(ref);
      if (definition === null) throw instanceNotFound(AT, 'Function');
      return callFunction(definition, args, this.ctx, AT);
    });
  }

  field(value: Value, name: string): Value {
    return lookup(value, [name], this.ctx) ?? null;
  }

  // --- cursors -------------------------------------------------------------------------

  cursorOf(direction: Cursor['direction'], value: Value): Cursor {
    return { direction, values: listOf(value).map((item) => this.named(item)) };
  }

  cursorValue(cursor: Cursor): Value {
    return cursor.values.map((value) => this.unnamed(value));
  }

  private named(value: Value): CursorValue {
    if (value === null || typeof value !== 'object') return value;
    if (isArray(value)) return value.map((item) => this.named(item));
    if (value instanceof Time || value instanceof DateValue) return value;
    const name = value instanceof Ref ? (this.ctx.catalog.collection(value.collection)?.name ?? nativeText(value.collection)) : undefined;
    if (!(value instanceof Ref) || name === undefined) {
      throw new GatewayError('invalid argument', 'The cursor of this page cannot be written.');
    }
    return new NamedRef(name, value.id.toString());
  }

  private unnamed(value: CursorValue): Value {
    if (value instanceof NamedRef) return this.nativeDocument(value) ?? this.ref(value.collection, value.id);
    return Array.isArray(value) ? (value as readonly CursorValue[]).map((item) => this.unnamed(item)) : (value as Value);
  }

  /** A schema document, key or token. */
  private nativeDocument({ collection, id }: NamedRef): Ref | null {
    const native = Object.values(NATIVE).find((number) => nativeText(number) === collection);
    return native === undefined ? null : new Ref(native, documentId(id, AT), this.ctx.catalog.scope);
  }

  private resolve(kind: NamedKind, name: string, catalog = this.ctx.catalog): Ref {
    const ref = catalog.resolve(kind, name);
    if (ref === null) throw invalidRef(AT, kind, name);
    return ref;
  }
}

/** How a cursor calls a native collection: no collection can be named so. */
function nativeText(collection: number): string | undefined {
  const name = nativeName(collection);
  return name && `native ${name}`;
}

/** `null` instead of one kind of error. */
function orNull<T>(code: string, attempt: () => MaybePromise<T>): MaybePromise<T | null> {
  return rescue<T | null>(attempt, (error) => {
    if (error instanceof FqlError && error.failures.some((failure) => failure.code === code)) return null;
    throw error;
  });
}

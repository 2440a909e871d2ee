// A database of maps, for tests of the gateway alone: no history, no privileges, functions
// are given as code. Unique indexes hold.
import { notUnique } from '../engine/errors/codes.ts';
import { Path } from '../engine/base/path.ts';
import { Doc, Obj, Page, Ref, Time, type Value } from '../engine/value/value.ts';
import { FIRST_COLLECTION, NATIVE, ROOT_SCOPE } from '../engine/value/ref.ts';
import { type CursorValue, NamedRef } from '../engine/graphql/cursor.ts';
import type { Database, FoundPage, PageRequest, SchemaDocument, SchemaKind } from '../engine/graphql/database.ts';

export type Function = (...args: readonly Value[]) => Value;

const NATIVE_OF: Readonly<Record<SchemaKind, number>> = {
  collection: NATIVE.collections, index: NATIVE.indexes, function: NATIVE.functions,
};

export class MemoryDatabase implements Database {
  readonly utf8 = { encode: (text: string) => ENCODER.encode(text), decode: (bytes: Uint8Array) => DECODER.decode(bytes) };
  now = new Time(1_618_959_271_557_442_000n);
  /** By number of the native collection, then id. */
  readonly documents = new Map<string, Doc>();
  readonly functions: Record<string, Function> = {};
  meta: Obj | null = null;
  private lastId = 0n;
  private lastNumber = FIRST_COLLECTION;
  nextId = (): bigint => ++this.lastId;

  schema(kind: SchemaKind): readonly SchemaDocument[] {
    return this.all(NATIVE_OF[kind]).map(({ ref, fields }) => ({ ref, fields, name: String(fields.get('name')) }));
  }

  createSchema(kind: SchemaKind, fields: Obj): void {
    this.put(new Doc(new Ref(NATIVE_OF[kind], BigInt(this.lastNumber++), ROOT_SCOPE), 1, merge(Obj.empty, fields)));
  }

  updateSchema(ref: Ref, fields: Obj): void {
    this.put(new Doc(ref, 1, merge(this.get(ref)?.fields ?? Obj.empty, fields)));
  }

  deleteSchema(kind: SchemaKind, ref: Ref): void {
    this.documents.delete(ref.identity);
    if (kind === 'collection') for (const { ref: inside } of this.all(Number(ref.id))) this.documents.delete(inside.identity);
  }

  databaseMeta(): Obj | null {
    return this.meta;
  }

  setDatabaseMeta(gql: Obj | null): void {
    this.meta = gql;
  }

  ref(collection: string, id: string): Ref {
    const found = this.schema('collection').find((document) => document.name === collection);
    return new Ref(Number(found?.ref.id), BigInt(id), ROOT_SCOPE);
  }

  get(ref: Ref): Doc | null {
    return this.documents.get(ref.identity) ?? null;
  }

  getAll(refs: readonly Ref[]): (Doc | null)[] {
    return refs.map((ref) => this.get(ref));
  }

  head(): null {
    return null;
  }

  page(index: string, terms: readonly Value[], { size, cursor }: PageRequest): FoundPage {
    const { fields } = this.schema('index').find((document) => document.name === index) as SchemaDocument;
    const source = Number((fields.get('source') as Ref).id);
    const paths = (key: string): string[] => ((fields.get(key) ?? []) as Obj[]).map((item) => (item.get('field') as string[])[1] ?? '');
    const data = (document: Doc, key: string): Value => (document.fields.get('data') as Obj).get(key) ?? null;
    const entries = this.all(source)
      .filter((document) => paths('terms').every((key, at) => identity(data(document, key)) === identity(terms[at] ?? null)))
      .map((document) => (paths('values').length === 0 ? document.ref : data(document, paths('values')[0] ?? '')) as Ref)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const start = cursor?.values[0] instanceof NamedRef ? BigInt(cursor.values[0].id) : null;
    const later = entries.filter((ref) => start === null || ref.id >= start);
    const earlier = entries.filter((ref) => start !== null && ref.id < start);
    const back = cursor?.direction === 'before';
    const elements = back ? earlier.slice(-size) : later.slice(0, size);
    const next = back ? later[0] : later[size];
    const first = elements[0];
    const before = first !== undefined && (back ? earlier.length > size : earlier.length > 0) ? first : undefined;
    const at = (ref: Ref | undefined): CursorValue[] | null => (ref === undefined ? null : [this.named(ref)]);
    const [beforeAt, afterAt] = [at(before), at(next)];
    return {
      elements,
      before: beforeAt && { direction: 'before', values: beforeAt },
      after: afterAt && { direction: 'after', values: afterAt },
    };
  }

  create(collection: string, data: Obj): Doc {
    const ref = this.ref(collection, String(this.nextId()));
    return this.write(new Doc(ref, 1_618_959_271_660_000, Obj.of(['data', merge(Obj.empty, data)])));
  }

  update(ref: Ref, data: Obj): Doc {
    return this.write(new Doc(ref, 1_618_959_271_660_001, merge(this.get(ref)?.fields ?? Obj.empty, Obj.of(['data', data]))));
  }

  remove(ref: Ref): Doc {
    const document = this.get(ref) as Doc;
    this.documents.delete(ref.identity);
    return document;
  }

  call(name: string, args: readonly Value[]): Value {
    const body = this.functions[name];
    if (body === undefined) throw new Error(`no function ${name}`);
    return body(...args);
  }

  pageOf(page: Page): FoundPage {
    return { elements: page.data, before: null, after: page.after === undefined ? null : { direction: 'after', values: page.after as CursorValue[] } };
  }

  cursorValue({ values }: { readonly values: readonly CursorValue[] }): Value {
    return values as readonly Value[];
  }

  private write(document: Doc): Doc {
    for (const { fields } of this.schema('index').filter((index) => index.fields.get('unique') === true)) {
      if (Number((fields.get('source') as Ref).id) !== document.ref.collection) continue;
      const keys = (fields.get('terms') as Obj[]).map((item) => (item.get('field') as string[])[1] ?? '');
      const of = (one: Doc): string => keys.map((key) => identity((one.fields.get('data') as Obj).get(key) ?? null)).join();
      const taken = this.all(document.ref.collection).some((other) => !other.ref.equals(document.ref) && of(other) === of(document));
      if (taken && of(document) !== keys.map(() => 'null').join()) throw notUnique(Path.root);
    }
    return this.put(document);
  }

  private put(document: Doc): Doc {
    this.documents.set(document.ref.identity, document);
    return document;
  }

  private all(collection: number): Doc[] {
    const found = [...this.documents.values()].filter((document) => document.ref.collection === collection);
    return found.sort((a, b) => (a.ref.id < b.ref.id ? -1 : 1));
  }

  private named(ref: Ref): NamedRef {
    const collection = this.schema('collection').find((document) => Number(document.ref.id) === ref.collection);
    return new NamedRef(collection?.name ?? '', ref.id.toString());
  }
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

const identity = (value: Value): string => (value instanceof Ref ? value.identity : typeof value === 'bigint' ? `${value}n` : JSON.stringify(value));

/** Updates merge objects; null takes a field away. */
function merge(old: Obj, next: Obj): Obj {
  return next.entries().reduce((all, [key, value]) => {
    if (value === null) return all.without(key);
    const before = all.get(key);
    return all.with(key, value instanceof Obj ? merge(before instanceof Obj ? before : Obj.empty, value) : value);
  }, old);
}

// The catalog of one database: its schema documents by name and by number. It is read whole
// and kept until one of them changes; a query that writes schema gets a fork of its own.
import { type Key, prefixSpan, type Span } from '../base/bytes.ts';
import { andThen, type MaybePromise, readAll, together } from '../base/maybe.ts';
import { collectionPrefix, ID_BYTES, readCollectionPrefix, readId, STAMP_BYTES } from '../kv/keyspace.ts';
import type { Txn } from '../txn/txn.ts';
import { liveFields, readVersion } from '../txn/version.ts';
import type { Obj } from '../value/obj.ts';
import { collectionRefOf, FIRST_COLLECTION, NAMED_COLLECTIONS, NATIVE, type NamedKind, nativeName, Ref, type Scope } from '../value/ref.ts';
import type { CollectionDefinition, DatabaseDefinition, Definition, FunctionDefinition, IndexDefinition } from './definitions.ts';
import { READERS } from './definitions.ts';
import { nativeIndexes } from './native-indexes.ts';

const keyOf = (ref: Ref): string => `${ref.collection}/${ref.id}`;

/** What a catalog takes in; `null` is what is deleted. */
const newNotes = () => ({
  byRef: new Map<string, Definition | null>(),
  byName: new Map<string, Definition | null>(),
  /** Made by the running query: usable for writing, not yet for reading. */
  fresh: new Set<string>(),
  highest: new Map<number, bigint>(),
});

/** Of all catalogs that have taken in nothing, as the fork of nearly every request: never written to. */
const NOTHING = newNotes();

export class Catalog {
  private own = NOTHING;
  private indexes: ReadonlyMap<number, readonly IndexDefinition[]> | null = null;
  /** Collections by number, as they were asked for: every document that is read asks. A fork shares them until it changes. */
  private collections: Map<number, CollectionDefinition | null>;
  /** How often it was changed. */
  changes = 0;
  /** Stands for it in what was made with it and may outlive it. What a fork makes is its own: it depends on the caller, too. */
  readonly mark = {};

  constructor(
    readonly scope: Scope,
    /** Names of the databases from the root to this one. */
    readonly path: readonly string[],
    private readonly parent: Catalog | null = null,
  ) {
    this.collections = parent?.collections ?? new Map();
  }

  /** A catalog that starts as this one and may be changed by one transaction. */
  fork(): Catalog {
    return new Catalog(this.scope, this.path, this);
  }

  /** It as it was before the running query. */
  get before(): Catalog {
    return this.parent ?? this;
  }

  /** Takes in a schema document as it is from now on; `null` fields are a deletion. */
  note(ref: Ref, fields: Obj | null, isFresh = false): void {
    const read = READERS.get(ref.collection);
    if (read === undefined) return;
    if (this.own === NOTHING) this.own = newNotes();
    const { byName, byRef, fresh, highest } = this.own;
    if (ref.id > this.highestId(ref.collection)) highest.set(ref.collection, ref.id);
    // What was deleted before the catalog was read leaves nothing but its id.
    if (fields === null && this.parent === null) return;
    const before = this.definition(ref);
    const after = fields === null ? null : read(ref, fields);
    if (before !== null) byName.set(`${before.kind}/${before.name}`, null);
    if (after !== null) byName.set(`${after.kind}/${after.name}`, after);
    byRef.set(keyOf(ref), after);
    if (isFresh) fresh.add(keyOf(ref));
    this.indexes = null;
    this.collections = new Map();
    this.changes++;
  }

  definition(ref: Ref): Definition | null {
    return ref.scope === this.scope ? this.find('byRef', keyOf(ref)) : null;
  }

  /** The ref of a name, if there is one now. An index made by the running query cannot be used by it. */
  resolve(kind: NamedKind, name: string): Ref | null {
    const known = this.find('byName', `${kind}/${name}`);
    return known === null || (this.isFresh(known.ref) && (kind === 'index' || kind === 'function')) ? null : known.ref;
  }

  /** What has the name and keeps others from it, also if the running query made it. */
  holder(kind: NamedKind, name: string): Definition | null {
    return this.find('byName', `${kind}/${name}`);
  }

  private find(by: 'byRef' | 'byName', key: string): Definition | null {
    const known = this.own[by].get(key);
    return known === undefined ? (this.parent?.find(by, key) ?? null) : known;
  }

  isFresh(ref: Ref): boolean {
    return this.own.fresh.size > 0 && this.own.fresh.has(keyOf(ref));
  }

  collection(number: number): CollectionDefinition | null {
    let known = this.collections.get(number);
    if (known === undefined) this.collections.set(number, (known = this.lookUp(number)));
    return known;
  }

  private lookUp(number: number): CollectionDefinition | null {
    return this.definition(collectionRefOf({ collection: number, scope: this.scope })) as CollectionDefinition | null;
  }

  index(ref: Ref): IndexDefinition | null {
    return ref.collection === NATIVE.indexes ? (this.definition(ref) as IndexDefinition | null) : null;
  }

  userFunction(ref: Ref): FunctionDefinition | null {
    return ref.collection === NATIVE.functions ? (this.definition(ref) as FunctionDefinition | null) : null;
  }

  database(ref: Ref): DatabaseDefinition | null {
    return ref.collection === NATIVE.databases ? (this.definition(ref) as DatabaseDefinition | null) : null;
  }

  /** Whether documents of the collection can exist: native ones always, others while their collection does. */
  hasCollection(number: number): boolean {
    return number < FIRST_COLLECTION ? nativeName(number) !== undefined : this.collection(number) !== null;
  }

  /** The highest id that any document of the native collection ever had; -1 when there was none. */
  highestId(collection: number): bigint {
    return this.own.highest.get(collection) ?? this.parent?.highestId(collection) ?? -1n;
  }

  /** All definitions of a kind, by id. */
  all<D extends Definition>(kind: D['kind']): D[] {
    const merged = new Map<string, Definition | null>();
    for (let catalog: Catalog | null = this; catalog !== null; catalog = catalog.parent) {
      for (const [key, definition] of catalog.own.byRef) if (!merged.has(key)) merged.set(key, definition);
    }
    const found = [...merged.values()].filter((definition): definition is D => definition?.kind === kind);
    return found.sort((a, b) => (a.ref.id < b.ref.id ? -1 : 1));
  }

  /** The indexes that documents of a collection enter. */
  indexesOn(collection: number): readonly IndexDefinition[] {
    // A fork that changed nothing need not group them again for every request.
    if (this.parent !== null && this.own === NOTHING) return this.parent.indexesOn(collection);
    this.indexes ??= this.groupIndexes();
    const named = this.indexes.get(collection) ?? [];
    return collection >= FIRST_COLLECTION ? [...named, ...(this.indexes.get(WILDCARD)?.filter((index) => !named.includes(index)) ?? [])] : named;
  }

  private groupIndexes(): Map<number, IndexDefinition[]> {
    const groups = new Map<number, IndexDefinition[]>();
    for (const index of [...this.all<IndexDefinition>('index'), ...nativeIndexes(this.scope)]) {
      const numbers = new Set(index.sources.flatMap((source) => (source.collections === 'all' ? [WILDCARD] : source.collections)));
      for (const number of numbers) groups.set(number, [...(groups.get(number) ?? []), index]);
    }
    return groups;
  }
}

/** In place of a number: every user collection. */
const WILDCARD = -1;

/** The rows a catalog is read from: a commit that writes one of them makes it stale. */
export function catalogSpans(scope: Scope): Span[] {
  return NAMED_COLLECTIONS.map((collection) => prefixSpan(collectionPrefix(scope, collection)));
}

/** The database whose schema a row of V is part of; `null` for any other row of V. */
export function schemaScope(key: Key): Scope | null {
  const { scope, collection } = readCollectionPrefix(key);
  return NAMED_COLLECTIONS.includes(collection) ? scope : null;
}

/** Reads the catalog of a database as the transaction sees it. */
export function loadCatalog(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
  // All kinds at the same time, as each may lie in blocks of its own.
  const reading = catalogSpans(scope).map((span) => readAll(txn.current(span).next, (row) => row));
  return andThen(together(reading), (kinds) => {
    const catalog = new Catalog(scope, path);
    for (const [at, rows] of kinds.entries()) {
      for (const row of rows) {
        const id = readId(row.key, row.key.length - STAMP_BYTES - ID_BYTES);
        // Deleted ones are noted too: their ids are not given again.
        catalog.note(new Ref(NAMED_COLLECTIONS[at] as number, id, scope), liveFields(readVersion(row), txn.now));
      }
    }
    return catalog;
  });
}

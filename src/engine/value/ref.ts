// Refs. Everything with a ref is a document: collections, indexes and databases are
// documents of native collections and carry a number of their own. A ref holds numbers,
// not names, so a rename shows at once wherever the ref is stored.

/** Numbers of the native collections (reference: data/documents.md §1). */
export const NATIVE = {
  databases: 0,
  collections: 1,
  keys: 2,
  tokens: 3,
  indexes: 7,
  tasks: 9,
  credentials: 10,
  functions: 11,
  roles: 12,
  access_providers: 13,
} as const;

export type NativeName = keyof typeof NATIVE;

const NAMES = new Map<number, NativeName>(Object.entries(NATIVE).map(([name, number]) => [number, name as NativeName]));

export function nativeName(collection: number): NativeName | undefined {
  return NAMES.get(collection);
}

/** Of what an import of the gateway records of the database itself: a document that no ref of the language reaches. */
export const GATEWAY_COLLECTION = 1000;

/** First number of user collections. */
export const FIRST_COLLECTION = 1024;

/** Identifies a database; 0 is the root. */
export type Scope = bigint;
export const ROOT_SCOPE: Scope = 0n;

/** A resolved ref: a document by its collection's number and its own 64-bit id. */
export class Ref {
  constructor(
    readonly collection: number,
    readonly id: bigint,
    /** The database it lives in. */
    readonly scope: Scope,
  ) {}

  equals(other: Ref): boolean {
    return this.id === other.id && this.collection === other.collection && this.scope === other.scope;
  }

  /** Whether this is the ref of a native collection, such as `indexes`. */
  get isNativeCollection(): boolean {
    return this.collection === NATIVE.collections && this.id < BigInt(FIRST_COLLECTION);
  }

  /** For maps: equal exactly when the refs are. */
  get identity(): string {
    return `${this.scope}/${this.collection}/${this.id}`;
  }
}

/** The ref of the collection that a document is in. */
export const collectionRefOf = ({ collection, scope }: Pick<Ref, 'collection' | 'scope'>): Ref => new Ref(NATIVE.collections, BigInt(collection), scope);

/** The ref of a native collection in a database. */
export const nativeRef = (name: NativeName, scope: Scope): Ref => collectionRefOf({ collection: NATIVE[name], scope });

export type NamedKind = 'collection' | 'index' | 'database' | 'function' | 'role' | 'access_provider';

/** Which native collection holds the documents of a named kind. */
export const KIND_COLLECTION: Readonly<Record<NamedKind, NativeName>> = {
  collection: 'collections',
  index: 'indexes',
  database: 'databases',
  function: 'functions',
  role: 'roles',
  access_provider: 'access_providers',
};

const KINDS = new Map<number, NamedKind>(Object.entries(KIND_COLLECTION).map(([kind, name]) => [NATIVE[name], kind as NamedKind]));

/** Numbers of the native collections whose documents are called by name; those of all others have only an id. */
export const NAMED_COLLECTIONS: readonly number[] = [...KINDS.keys()];

/** What the documents of a native collection are, when they are called by name. */
export const namedKindIn = (collection: number): NamedKind | undefined => KINDS.get(collection);

/**
 * A ref whose name means nothing (yet): no error until it is used.
 * With an `id` it is a document of the undefined collection `name`.
 */
export class UnresolvedRef {
  constructor(
    readonly kind: NamedKind,
    readonly name: string,
    readonly id: bigint | null = null,
    /** Names of the databases on the way, outermost first, when it was scoped. */
    readonly database: readonly string[] = [],
  ) {}
}

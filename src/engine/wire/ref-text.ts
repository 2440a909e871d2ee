// Refs as a wire version writes them (reference: fql/wire.md §3.1).
//
// The text around the id of a document is the same for all documents of a collection, so it
// is made once for a whole answer.
import { writeString } from '../value/json.ts';
import { collectionRefOf, KIND_COLLECTION, namedKindIn, nativeName, type NativeName, type Ref, type Scope, type UnresolvedRef } from '../value/ref.ts';
import type { RefNames } from './ref-names.ts';
import type { Wire } from './version.ts';

/** What the text of a ref is put together from; a form for each kind of ref. */
interface RefForm {
  native(name: string, databases: readonly string[]): string;
  named(collection: string, name: string, databases: readonly string[]): string;
  /** What stands before and after the id of a document whose collection is written as given. */
  around(collection: string): readonly [before: string, after: string];
}

/** `"classes/people/1"`; databases do not show. */
const STRINGS: RefForm = {
  native: (name) => `{"@ref":"${name}"}`,
  named: (collection, name) => `{"@ref":${writeString(`${collection}/${name}`)}}`,
  around: (collection) => [`${collection.slice(0, -2)}/`, '"}'],
};

/** `{"id":"1","collection":{…}}`, with `database` on the native or named part. */
function objects(key: string): RefForm {
  const native = (name: string) => `{"@ref":{"id":"${name}"}}`;
  const form: RefForm = {
    native: (name, databases) => `{"@ref":{"id":"${name}"${database(databases)}}}`,
    named: (collection, name, databases) => `{"@ref":{"id":${writeString(name)},"${key}":${native(collection)}${database(databases)}}}`,
    around: (collection) => ['{"@ref":{"id":"', `","${key}":${collection}}}`],
  };
  const database = (path: readonly string[]): string => {
    const name = path.at(-1);
    return name === undefined ? '' : `,"database":${form.named('databases', name, path.slice(0, -1))}`;
  };
  return form;
}

const FORMS: Readonly<Record<'string' | Wire['collectionKey'], RefForm>> = {
  string: STRINGS,
  class: objects('class'),
  collection: objects('collection'),
};

/** Writes the refs of one answer. */
export class RefWriter {
  private readonly form: RefForm;
  /** What stands around ids, by the collection's number, and in other databases by theirs, too. */
  private readonly collections = new Map<string | number, readonly [string, string] | null>();

  constructor(
    private readonly wire: Wire,
    private readonly names: RefNames,
  ) {
    this.form = FORMS[wire.refs === 'string' ? 'string' : wire.collectionKey];
  }

  /** The whole `{"@ref":…}`; `undefined` when what it names has vanished. */
  write(ref: Ref): string | undefined {
    if (namedKindIn(ref.collection) !== undefined) return this.named(ref);
    const around = this.aroundIds(ref.collection, ref.scope);
    return around === null ? undefined : around[0] + ref.id.toString() + around[1];
  }

  /** Like a resolved ref of its names. */
  writeUnresolved(ref: UnresolvedRef): string {
    const named = this.form.named(this.nativeWord(KIND_COLLECTION[ref.kind]), ref.name, ref.database);
    if (ref.id === null) return named;
    const [before, after] = this.form.around(named);
    return before + ref.id.toString() + after;
  }

  private named(ref: Ref): string | undefined {
    const databases = this.databases(ref.scope);
    if (databases === null) return undefined;
    const native = ref.isNativeCollection ? nativeName(Number(ref.id)) : undefined;
    if (native !== undefined) return this.form.native(this.nativeWord(native), databases);
    const name = this.names.name(ref);
    const collection = nativeName(ref.collection);
    return name === null || collection === undefined ? undefined : this.form.named(this.nativeWord(collection), name, databases);
  }

  private aroundIds(collection: number, scope: Scope): readonly [string, string] | null {
    const key = scope === this.names.scope ? collection : `${scope}/${collection}`;
    const known = this.collections.get(key);
    if (known !== undefined) return known;
    const written = this.named(collectionRefOf({ collection, scope }));
    const around = written === undefined ? null : this.form.around(written);
    this.collections.set(key, around);
    return around;
  }

  private databases(scope: Scope): readonly string[] | null {
    return scope === this.names.scope ? [] : this.names.databasePath(scope);
  }

  private nativeWord(name: NativeName): string {
    return name === 'collections' ? this.wire.nativeCollections : name;
  }
}

// Finds documents by their id alone: in which database a key, token or database lives, and
// the way from the root to a database.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, fold, type MaybePromise, readAll } from '../base/maybe.ts';
import { homePrefix, readHome } from '../kv/keyspace.ts';
import type { Txn } from '../txn/txn.ts';
import { LIVE, liveFields } from '../txn/version.ts';
import { NATIVE, Ref, ROOT_SCOPE, type Scope } from '../value/ref.ts';
import type { Obj } from '../value/value.ts';

/** What is asked for documents: a transaction, or one that still sees what it has deleted. */
export type Reader = Pick<Txn, 'now' | 'current' | 'version'>;

/** The databases in which a key, token or database with this id lives now. Nearly always one. */
export function homesOf(id: bigint, reader: Reader): MaybePromise<Scope[]> {
  const rows = reader.current(prefixSpan(homePrefix(id)));
  return readAll(rows.next, ({ key, text }) => (text === LIVE ? readHome(key) : undefined));
}

/** The database that the database with this id is in; `null` when there is none of that id. */
export function homeOf(id: bigint, reader: Reader): MaybePromise<Scope | null> {
  return andThen(homesOf(id, reader), ([home]) => home ?? null);
}

/** A document that is there now. */
export interface Present {
  readonly ref: Ref;
  readonly fields: Obj;
}

/** The key or token with this id whose hash is of this secret. Several databases may have one of the id, as ids can be chosen. */
export function holderOf(collection: number, id: bigint, isOwn: (hash: unknown) => MaybePromise<boolean>, reader: Reader): MaybePromise<Present | null> {
  return andThen(homesOf(id, reader), (homes) =>
    fold<Scope, Present | null>(homes, null, (found, home) => {
      if (found !== null) return found;
      const ref = new Ref(collection, id, home);
      return andThen(presentFields(ref, reader), (fields) =>
        fields && andThen(isOwn(fields.get('hashed_secret')), (is) => (is ? { ref, fields } : null)),
      );
    }),
  );
}

/** The fields of a document that is there now; `null` when it is not. */
export function presentFields(ref: Ref, reader: Reader): MaybePromise<Obj | null> {
  return andThen(reader.version(ref, null), (version) => liveFields(version, reader.now));
}

/** The document of the database with this id; `null` when it is gone. The root has none. */
export function databaseOf(scope: Scope, reader: Reader): MaybePromise<Present | null> {
  return andThen(homeOf(scope, reader), (home) => {
    if (home === null) return null;
    const ref = new Ref(NATIVE.databases, scope, home);
    return andThen(presentFields(ref, reader), (fields) => (fields === null ? null : { ref, fields }));
  });
}

/** Whether a database is another one, or lies somewhere in it. */
export function liesIn(scope: Scope, other: Scope, reader: Reader): MaybePromise<boolean> {
  return scope === other || (scope !== ROOT_SCOPE && andThen(homeOf(scope, reader), (home) => home !== null && liesIn(home, other, reader)));
}

/** Names of the databases from the root down to a scope; `null` when one of them is gone. */
export function databasePath(scope: Scope, reader: Reader): MaybePromise<readonly string[] | null> {
  if (scope === ROOT_SCOPE) return [];
  return andThen(databaseOf(scope, reader), (database) => {
    const name = database?.fields.get('name');
    if (database === null || typeof name !== 'string') return null;
    return andThen(databasePath(database.ref.scope, reader), (path) => (path === null ? null : [...path, name]));
  });
}

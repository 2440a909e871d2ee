// Finds documents by their id alone: in which database a key, token or database lives, and
// the way from the root to a database.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { homeKey } from '../kv/keyspace.ts';
import type { Txn } from '../txn/txn.ts';
import { isExpired } from '../txn/version.ts';
import { NATIVE, Ref, ROOT_SCOPE, type Scope } from '../value/ref.ts';
import type { Obj } from '../value/value.ts';

export function homeOf(id: bigint, txn: Txn): MaybePromise<Scope | null> {
  const key = homeKey(id);
  return andThen(txn.rows({ from: key, to: `${key}\0` }, false).next(), (row) => (row === null ? null : BigInt(row.text)));
}

/** The fields of a document that is there now; `null` when it is not. */
export function liveFields(ref: Ref, txn: Txn): MaybePromise<Obj | null> {
  return andThen(txn.version(ref, null), (version) => {
    const fields = version?.fields ?? null;
    return fields === null || isExpired(fields, txn.now) ? null : fields;
  });
}

/** Names of the databases from the root down to a scope; `null` when one of them is gone. */
export function databasePath(scope: Scope, txn: Txn): MaybePromise<readonly string[] | null> {
  if (scope === ROOT_SCOPE) return [];
  return andThen(homeOf(scope, txn), (home) => {
    if (home === null) return null;
    return andThen(liveFields(new Ref(NATIVE.databases, scope, home), txn), (fields) => {
      const name = fields?.get('name');
      if (typeof name !== 'string' || fields?.get('disabled') === true) return null;
      return andThen(databasePath(home, txn), (path) => (path === null ? null : [...path, name]));
    });
  });
}

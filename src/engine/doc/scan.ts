// Going through the documents of a native collection, whatever the caller may read.
import { prefixSpan } from '../base/bytes.ts';
import { type MaybePromise, readAll } from '../base/maybe.ts';
import type { Present } from '../auth/home.ts';
import type { EvalContext } from '../form/context.ts';
import { collectionPrefix, ID_BYTES, readId, STAMP_BYTES } from '../kv/keyspace.ts';
import { liveFields, readVersion } from '../txn/version.ts';
import { NATIVE, type NativeName, Ref, type Scope } from '../value/ref.ts';
import type { Obj } from '../value/value.ts';

/** The documents that are there now and pass the test. */
export function documentsWhere(collection: NativeName, scope: Scope, test: (fields: Obj) => boolean, ctx: EvalContext): MaybePromise<Present[]> {
  const rows = ctx.txn.current(prefixSpan(collectionPrefix(scope, NATIVE[collection])));
  return readAll(rows.next, (row) => {
    const fields = liveFields(readVersion(row), ctx.txn.now);
    if (fields === null || !test(fields)) return undefined;
    return { ref: new Ref(NATIVE[collection], readId(row.key, row.key.length - STAMP_BYTES - ID_BYTES), scope), fields };
  });
}

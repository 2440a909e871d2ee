// The credentials or tokens of a document, whatever the caller may read.
import { prefixSpan } from '../base/bytes.ts';
import { andThen, type MaybePromise, readAll } from '../base/maybe.ts';
import { type Present, presentFields } from '../auth/home.ts';
import type { EvalContext } from '../form/context.ts';
import { indexPrefix, REF_BYTES, STAMP_BYTES } from '../kv/keyspace.ts';
import { termKey } from '../order/term-key.ts';
import { type Belonging, BY_INSTANCE } from '../schema/native-indexes.ts';
import { readEntry } from '../txn/entry-row.ts';
import { readRef } from '../txn/moment.ts';
import type { Ref } from '../value/ref.ts';

export function belongingsOf(instance: Ref, collection: Belonging, { txn, catalog }: EvalContext): MaybePromise<Present[]> {
  const { scope } = catalog;
  const rows = txn.current(prefixSpan(indexPrefix(scope, BY_INSTANCE[collection]) + termKey([instance])));
  return readAll(rows.next, (row) => {
    if (!readEntry(row).added) return undefined;
    const ref = readRef(row.key, row.key.length - STAMP_BYTES - REF_BYTES, scope);
    return andThen(presentFields(ref, txn), (fields) => (fields === null ? undefined : { ref, fields }));
  });
}

/** The credentials of a document, whatever the caller may read. */
export const credentialsOf = (ref: Ref, ctx: EvalContext): MaybePromise<Present | null> => andThen(belongingsOf(ref, 'credentials', ctx), ([found = null]) => found);

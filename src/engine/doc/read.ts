// Reading documents, with permission.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { instanceNotFound, permissionDenied } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { HIDDEN_FIELDS } from '../schema/definitions.ts';
import { earliestTime, requireKept } from '../schema/retention.ts';
import { wordFor } from '../schema/native.ts';
import { isExpired, shownTs, type Version } from '../txn/version.ts';
import { PENDING } from '../kv/keyspace.ts';
import { FIRST_COLLECTION, type Ref } from '../value/ref.ts';
import { Doc } from '../value/value.ts';

/**
 * The document at the context's time, whatever the caller may see; `null` when there is none.
 * @throws HttpError `bad request` when that time lies before what is kept
 */
export function findDocument(ref: Ref, ctx: EvalContext): MaybePromise<Doc | null> {
  const catalog = ctx.catalogOf(ref.scope);
  if (!catalog.hasCollection(ref.collection)) return null;
  if (ctx.validTime !== null) requireKept(ctx.validTime, earliestTime(ref.collection, catalog, ctx.txn.now));
  return andThen(ctx.txn.version(ref, ctx.validTime), (version) => liveDocument(ref, version, ctx.validTime ?? ctx.txn.now));
}

export function liveDocument(ref: Ref, version: Version | null, now: Ts): Doc | null {
  if (version === null || version.fields === null || isExpired(version.fields, now)) return null;
  return new Doc(ref, shownTs(version.time, PENDING), version.fields);
}

/** @throws FqlError `permission denied` before `instance not found`, both at `at` */
export function getDocument(ref: Ref, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  return andThen(allows(ctx, 'read', ref, [ref]), (allowed) => {
    if (!allowed) throw permissionDenied(at);
    return andThen(findDocument(ref, ctx), (doc) => {
      if (doc === null) throw instanceNotFound(at, wordFor(ref.collection));
      return shown(doc);
    });
  });
}

/** Without the fields that nobody sees. */
export function shown(doc: Doc): Doc {
  if (doc.ref.collection >= FIRST_COLLECTION || !doc.fields.keys.some((key) => HIDDEN_FIELDS.has(key))) return doc;
  return new Doc(doc.ref, doc.ts, doc.fields.filter((key) => !HIDDEN_FIELDS.has(key)), doc.created);
}


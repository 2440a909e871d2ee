// Reading documents, with permission.
import type { MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { instanceNotFound, permissionDenied } from '../errors/codes.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { HIDDEN_FIELDS } from '../schema/definitions.ts';
import { earliestTime, requireKept } from '../schema/retention.ts';
import { wordFor } from '../schema/words.ts';
import { isLive, shownTs, type Version } from '../txn/version.ts';
import { FIRST_COLLECTION, type Ref } from '../value/ref.ts';
import { Doc } from '../value/value.ts';

/**
 * The document at the context's time, whatever the caller may see; `null` when there is none.
 * @throws HttpError `bad request` when that time lies before what is kept
 */
export function findDocument(ref: Ref, ctx: EvalContext): MaybePromise<Doc | null> {
  const catalog = ref.scope === ctx.catalog.scope ? ctx.catalog : ctx.catalogOf(ref.scope);
  if (!catalog.hasCollection(ref.collection)) return null;
  if (ctx.validTime !== null) requireKept(ctx.validTime, earliestTime(ref.collection, catalog, ctx.txn.now));
  const version = ctx.txn.version(ref, ctx.validTime);
  return version instanceof Promise ? version.then((read) => liveDocument(ref, read, ctx.now)) : liveDocument(ref, version, ctx.now);
}

const liveDocument = (ref: Ref, version: Version | null, now: Ts): Doc | null =>
  version !== null && isLive(version, now) ? new Doc(ref, shownTs(version.time), version) : null;

/** @throws FqlError `permission denied` before `instance not found`, both at `at` */
export function getDocument(ref: Ref, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  const allowed = allows(ctx, 'read', ref);
  return allowed instanceof Promise ? allowed.then((yes) => getAllowed(yes, ref, ctx, at)) : getAllowed(allowed, ref, ctx, at);
}

function getAllowed(allowed: boolean, ref: Ref, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  if (!allowed) throw permissionDenied(at);
  const doc = findDocument(ref, ctx);
  return doc instanceof Promise ? doc.then((found) => shown(found ?? missing(ref, at))) : shown(doc ?? missing(ref, at));
}

function missing(ref: Ref, at: Path): never {
  throw instanceNotFound(at, wordFor(ref.collection));
}

/** Without the fields that nobody sees. */
export function shown(doc: Doc): Doc {
  if (doc.ref.collection >= FIRST_COLLECTION || !doc.fields.keys.some((key) => HIDDEN_FIELDS.has(key))) return doc;
  return new Doc(doc.ref, doc.ts, doc.fields.filter((key) => !HIDDEN_FIELDS.has(key)), doc.created);
}

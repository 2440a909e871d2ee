// Creating, changing and deleting documents of every kind (reference: data/documents.md §2).
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { alreadyExists, forbiddenInContainer, instanceNotFound, invalidArgument, invalidWriteTime, permissionDenied, validationFailed } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { DOCUMENT_RULES, knownFields, validate } from '../schema/rules.ts';
import { wordFor } from '../schema/words.ts';
import { NATIVE, nativeName, type Ref } from '../value/ref.ts';
import { DAY } from '../value/time.ts';
import { Doc, Obj, PendingTs, Time } from '../value/value.ts';
import { isKeptOut } from './containers.ts';
import { merge, stripNulls } from './data.ts';
import { newRef } from './new-ref.ts';
import { requireRefs } from './params.ts';
import type { Preparation, Prepared } from './preparation.ts';
import { findDocument, shown } from './read.ts';
import { stageDocument } from './stage.ts';

/** Where the parts of a write form stand. */
export interface WritePlaces {
  /** The form itself. */
  readonly form: Path;
  /** Its first argument. */
  readonly target: Path;
  /** Its params. */
  readonly params: Path;
}

/** Whether a document can be written is asked of the present, before the time is refused; and so are passwords. */
export const atPresent = (ctx: EvalContext): EvalContext => (ctx.validTime === null ? ctx : ctx.with({ validTime: null }));

/** @param target a document's ref, or a collection's for a new id */
export function createDocument(target: Ref, params: Obj, ctx: EvalContext, places: WritePlaces): MaybePromise<Doc> {
  const isCollection = target.collection === NATIVE.collections;
  const number = isCollection ? Number(target.id) : target.collection;
  requireRefs(params, places, ctx);
  requireHere(target, ctx, places.target);
  return andThen(isCollection ? refIn(number, ctx) : target, (ref) => {
    const privilege = isCollection ? allows(ctx, 'create', ref, [params]) : mayCreateWithId(ref, params, ctx);
    return andThen(privilege, (allowed) => {
      if (!allowed) throw permissionDenied(places.target);
      return andThen(!isCollection && isTaken(ref, atPresent(ctx)), (taken) => {
        if (taken) throw alreadyExists(places.target, wordFor(number));
        return andThen(isKeptOut(number, ctx), (keptOut) => {
          if (keptOut) throw forbiddenInContainer(places.target);
          return store({ ref, params, sent: params, before: null, base: null }, ctx, places.target);
        });
      });
    });
  });
}

export function updateDocument(ref: Ref, params: Obj, ctx: EvalContext, places: WritePlaces): MaybePromise<Doc> {
  return change(ref, params, ctx, places, (before) => before);
}

/** Replaces all fields; schema documents keep a few (reference: data/documents.md §5). */
export function replaceDocument(ref: Ref, params: Obj, ctx: EvalContext, places: WritePlaces): MaybePromise<Doc> {
  return change(ref, params, ctx, places, (before) =>
    nativeName(ref.collection) === undefined ? Obj.empty : andThen(schemaWrites(), ({ keptFields }) => keptFields(ref, before)),
  );
}

/** @param keep the fields that the params are merged into */
function change(ref: Ref, params: Obj, ctx: EvalContext, places: WritePlaces, keep: (before: Obj) => MaybePromise<Obj>): MaybePromise<Doc> {
  if (ref.isNativeCollection) {
    throw invalidArgument(places.target, (words) => `Cannot update a schema meta ${words.collection}.`);
  }
  requireRefs(params, places, ctx);
  requireHere(ref, ctx, places.target);
  return andThen(findDocument(ref, atPresent(ctx)), (doc) => {
    if (doc === null) throw instanceNotFound(places.target, wordFor(ref.collection));
    const before = doc.fields;
    // For a replace, too, the privilege is asked about the fields that an update would leave.
    const merged = merge(before, params);
    return andThen(allows(ctx, 'write', ref, [before, merged, ref]), (allowed) => {
      if (!allowed) throw permissionDenied(places.form);
      return andThen(keep(before), (base) => store({ ref, params: base === before ? merged : merge(base, params), sent: params, before, base }, ctx, places.form));
    });
  });
}

/** Deletes a document as it is now, whatever time is read at; the answer is its last state. */
export function deleteDocument(ref: Ref, outer: EvalContext, places: WritePlaces): MaybePromise<Doc> {
  const ctx = atPresent(outer);
  requireHere(ref, ctx, places.target);
  return andThen(ref.isNativeCollection ? null : findDocument(ref, ctx), (doc) => {
    if (doc === null) throw instanceNotFound(places.form, wordFor(ref.collection));
    return andThen(allows(ctx, 'delete', ref), (allowed) => {
      if (!allowed) throw permissionDenied(places.form);
      const isNative = nativeName(ref.collection) !== undefined;
      return andThen(isNative ? andThen(schemaWrites(), ({ prepareDeletion }) => prepareDeletion(ref, doc.fields, ctx, places.form)) : undefined, () =>
        andThen(stageDocument(ref, null, ctx, places.form), () => {
          ctx.catalog.note(ref, null);
          return shown(doc);
        }),
      );
    });
  });
}

/** Schemas are seldom written. */
const schemaWrites = part(() => import('./prepare.ts'));

/** Validates, prepares and stages a document's next state. @param wanted with nulls in what is to be stored, which are left out */
function store(wanted: Omit<Preparation, 'fields'>, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  if (ctx.validTime !== null) throw invalidWriteTime(at);
  const { ref, before } = wanted;
  const params = stripNulls(wanted.params) as Obj;
  const native = nativeName(ref.collection);
  const finish = ({ fields, shown: display = fields, failures, require, follow }: Prepared): MaybePromise<Doc> => {
    if (failures.length > 0) throw validationFailed(at, failures);
    const stage = (): MaybePromise<void> => stageDocument(ref, fields, ctx, at);
    return andThen(require === undefined ? stage() : andThen(require(), stage), () => {
      if (native !== undefined) ctx.catalog.note(ref, fields, before === null);
      const answer = shown(new Doc(ref, PendingTs.instance, display, before === null));
      return follow === undefined ? answer : andThen(follow(), () => answer);
    });
  };
  if (native !== undefined) {
    return andThen(schemaWrites(), ({ prepare }) => andThen(prepare(native, { ...wanted, params }, ctx, at), finish));
  }
  const fields = knownFields(DOCUMENT_RULES, params);
  const document: Prepared = { fields: withTtl(fields, ref, ctx), failures: validate(DOCUMENT_RULES, fields) };
  const credentials = params.get('credentials');
  if (credentials === undefined) return finish(document);
  return andThen(schemaWrites(), ({ withCredentials }) =>
    finish(
      withCredentials(document, ref, credentials, ctx, (existing, own, server) =>
        andThen(existing?.ref ?? refIn(NATIVE.credentials, server), (known) => {
          const before = existing?.fields ?? null;
          return store({ ref: known, params: own, sent: own, before, base: before }, server, at);
        }),
      ),
    ),
  );
}

/** Days in 64 bits of nanoseconds: more do not count. */
const MOST_DAYS = 106_751;

/** With the `ttl` that the collection's `ttl_days` give the document, unless it has one. */
export function withTtl(fields: Obj, ref: Ref, ctx: EvalContext): Obj {
  const days = ctx.catalog.collection(ref.collection)?.ttlDays ?? null;
  if (days === null || fields.has('ttl')) return fields;
  return fields.with('ttl', Time.fromMicros(ctx.txn.now + Math.min(days, MOST_DAYS) * DAY));
}

/** Whether a chosen id cannot be used. */
function isTaken(ref: Ref, ctx: EvalContext): MaybePromise<boolean> {
  return andThen(findDocument(ref, ctx), (existing) => {
    if (existing !== null || nativeName(ref.collection) === undefined) return existing !== null;
    return andThen(schemaWrites(), ({ isIdTaken }) => isIdTaken(ref, ctx.txn));
  });
}

export function requireHere(ref: Ref, ctx: EvalContext, at: Path): void {
  if (ref.scope !== ctx.catalog.scope) throw invalidArgument(at, 'Cannot write a scoped ref.');
}

/** Whether the caller may create with a chosen id: by that right, or by those to create and to write history. */
function mayCreateWithId(ref: Ref, params: Obj, ctx: EvalContext): MaybePromise<boolean> {
  return andThen(
    allows(ctx, 'create_with_id', ref, [params, ref]),
    (allowed) =>
      allowed ||
      andThen(
        allows(ctx, 'create', ref, [params]),
        (creates) => creates && allows(ctx, 'history_write', ref, [ref, Time.fromMicros(ctx.txn.now), 'create', params]),
      ),
  );
}

/** The ref of a new document. */
function refIn(collection: number, ctx: EvalContext): MaybePromise<Ref> {
  if (nativeName(collection) !== undefined) return andThen(schemaWrites(), ({ newNativeRef }) => newNativeRef(collection, ctx));
  return newRef(collection, ctx);
}

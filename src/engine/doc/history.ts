// Rewriting history: versions are put into the past of a document or taken out of it. The rows that
// follow from the states around that moment are made again; rows that no longer hold are marked as
// removed by this commit, so that earlier snapshots still see them.
import { andThen, fold, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { invalidArgument, invalidWriteTime, permissionDenied, validationFailed } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { documentPrefix, instantOf, PENDING } from '../kv/keyspace.ts';
import { earliestTime } from '../schema/retention.ts';
import { DOCUMENT_RULES, knownFields, validate } from '../schema/rules.ts';
import { COMMIT_BYTES, versionAfter } from '../txn/events.ts';
import type { Draft } from '../txn/txn.ts';
import { liveFields, REMOVED, type Version } from '../txn/version.ts';
import { FIRST_COLLECTION, NATIVE, type Ref } from '../value/ref.ts';
import { DocEvent, Obj, PendingTs, Time } from '../value/value.ts';
import { stripNulls } from './data.ts';
import { requireRefs } from './params.ts';
import type { Prepared } from './preparation.ts';
import { changesOf, entryDrafts, type State } from './entry-changes.ts';
import { comingDrafts, homeDrafts, stageDocument, stateOf, versionDraft } from './stage.ts';
import { requireHere, withTtl, type WritePlaces } from './write.ts';

/** A version in the past of a document: what it is called by whoever puts it there or takes it out. */
interface PastVersion {
  readonly ref: Ref;
  readonly ts: Ts;
  readonly action: 'create' | 'update' | 'delete';
}

/** Puts a version into the past; an update counts as a create (reference: data/documents.md §2). */
export function insertVersion(version: PastVersion, params: Obj, ctx: EvalContext, places: WritePlaces): MaybePromise<DocEvent> {
  const { ref, ts, action } = version;
  if (ts > ctx.txn.now) throw invalidWriteTime(places.form);
  requireHere(ref, ctx, places.target);
  requireRefs(params, places, ctx);
  if (ref.collection < FIRST_COLLECTION && ref.collection !== NATIVE.keys) {
    throw invalidArgument(places.form, 'Cannot insert event for specified ref.');
  }
  return andThen(mayRewrite(version, params, ctx), (allowed) => {
    if (!allowed) throw permissionDenied(places.form);
    return andThen(action === 'delete' ? null : fieldsOf(ref, params, ctx, places.form), (fields) => {
      const event = new DocEvent('document', ts, fields === null ? 'delete' : 'create', ref, fields?.get('data') ?? null, fields ?? Obj.of(['data', null]));
      return andThen(rewrite(ref, ts, { ts, fields }, ctx, places.form), () => event);
    });
  });
}

/** Takes a version out of the past, if there is one of that kind at that time. */
export function removeVersion(removed: PastVersion, ctx: EvalContext, places: WritePlaces): MaybePromise<null> {
  const { ref, ts, action } = removed;
  requireHere(ref, ctx, places.target);
  if (ref.collection < FIRST_COLLECTION) throw invalidArgument(places.form, 'Cannot remove event for specified ref.');
  return andThen(ctx.txn.version(ref, ts), (version) => {
    const there = version !== null && version.time === ts ? version : null;
    // Where there is none, the privilege is asked about what the document was then.
    return andThen(mayRewrite(removed, liveFields(version, ctx.txn.now) ?? Obj.empty, ctx), (allowed) => {
      if (!allowed) throw permissionDenied(places.form);
      const fits = there !== null && (there.fields === null) === (action === 'delete');
      return andThen(fits ? rewrite(ref, ts, null, ctx, places.form) : undefined, () => null);
    });
  });
}

const mayRewrite = ({ ref, ts, action }: PastVersion, fields: Obj, ctx: EvalContext): MaybePromise<boolean> =>
  allows(ctx, 'history_write', ref, [ref, Time.fromMicros(ts), action, fields]);

/** Keys, the only native documents that get here, have rules of their own. */
const schemaWrites = part(() => import('./prepare.ts'));

function fieldsOf(ref: Ref, given: Obj, ctx: EvalContext, at: Path): MaybePromise<Obj> {
  const params = stripNulls(given) as Obj;
  const prepared = ref.collection === NATIVE.keys ? andThen(schemaWrites(), ({ insertedKey }) => insertedKey(ref, params, ctx, at)) : insertedDocument(params);
  return andThen(prepared, ({ fields, failures }) => {
    if (failures.length > 0) throw validationFailed(at, failures);
    return withTtl(fields, ref, ctx);
  });
}

function insertedDocument(params: Obj): Prepared {
  const fields = knownFields(DOCUMENT_RULES, params);
  return { fields, failures: validate(DOCUMENT_RULES, fields) };
}

/** Makes `inserted` (or, with `null`, nothing) the version at a time, and corrects the rows that follow from it. */
function rewrite(ref: Ref, ts: Ts, inserted: State | null, ctx: EvalContext, at: Path): MaybePromise<void> {
  ctx.txn.past = Math.max(ctx.txn.past, ts);
  return andThen(neighboursOf(ref, ts, ctx), (around) => {
    const edge = earliestTime(ref.collection, ctx.catalog, ctx.txn.now);
    return andThen(rewritten({ ref, ts, inserted, around, edge }, ctx), (drafts) => {
      // Also where the key of this id had been deleted, or was none; and what the version of now is staged with says nothing of it.
      const found = inserted === null ? [] : homeDrafts(ref, { ts, fields: null }, inserted);
      // Under a name of its own, so that a later rewrite in this transaction does not replace this one.
      ctx.txn.stage(`history/${ctx.txn.nextId()}`, drafts.concat(found));
      const { next } = around;
      return next !== null && next.time === PENDING ? stageDocument(ref, next.fields, ctx, at) : undefined;
    });
  });
}

interface Rewrite {
  readonly ref: Ref;
  readonly ts: Ts;
  readonly inserted: State | null;
  readonly around: Neighbours;
  /** History is kept from here on. */
  readonly edge: Ts;
}

/** The rows that change: which, depends on whether history is kept at the time of the version, and at that of the next one. */
function rewritten(change: Rewrite, ctx: EvalContext): MaybePromise<Draft[]> {
  const { ts, edge, around: { next } } = change;
  if (ts >= edge) return rewrittenKept(change, ctx);
  return next !== null && next.time < edge ? rewrittenBeneath(change, ctx) : rewrittenBase(change, ctx);
}

/** The version lies where history is kept. */
function rewrittenKept({ ref, ts, inserted, around: { before, there, next } }: Rewrite, ctx: EvalContext): MaybePromise<Draft[]> {
  const start = stateOf(before, ts);
  const end = committedOf(next);
  const was = { start, states: [...(there === null ? [] : [madeAt(there)]), ...end] };
  const is = { start, states: [...(inserted === null ? [] : [inserted]), ...end] };
  return andThen(inPlaceOf(ref, was, is, ctx), (drafts) => [versionRow(ref, ts, inserted), ...drafts]);
}

/** The version lies where history is not kept, and so does the next one: nobody may read what follows from it. */
function rewrittenBeneath({ ref, ts, inserted, edge }: Rewrite, { txn }: EvalContext): MaybePromise<Draft[]> {
  // If the document has ended by the edge, the row that says so may be gone: no version may appear beneath it.
  return andThen(txn.version(ref, edge), (base) => (inserted === null || stateOf(base, edge).fields !== null ? [versionRow(ref, ts, inserted)] : []));
}

/**
 * The version is the last one where history is not kept. The others there may be gone, and with them the
 * times of the rows that followed, so those change just before the edge. Without it nothing is left there.
 */
function rewrittenBase({ ref, ts, inserted, around: { before, there, next }, edge }: Rewrite, ctx: EvalContext): MaybePromise<Draft[]> {
  const was = stateOf(there ?? before, edge);
  const is = stateOf({ time: ts, fields: inserted?.fields ?? null }, edge);
  const told = edge - 1;
  const isHidden = inserted === null && stateOf(before, edge).fields !== null;
  const version = versionRow(ref, ts, isHidden ? is : inserted);
  const states = committedOf(next);
  return andThen(changesOf(ref, was, is, ctx), (changes) => {
    const followed = [...comingDrafts(ref, was, { ...is, ts: told }), ...entryDrafts(ref, changes.map((change) => ({ ...change, ts: told })))];
    return andThen(inPlaceOf(ref, { start: was, states }, { start: is, states }, ctx), (drafts) => [version, ...followed, ...drafts]);
  });
}

/** The next version, unless this transaction has written it: then it is staged again, on the new past. */
const committedOf = (next: Version | null): readonly State[] => (next === null || next.time === PENDING ? [] : [madeAt(next)]);

/** What a version has made of its document. It may have run out at that very time: its rows were written nevertheless. */
const madeAt = ({ time, fields }: Version): State => ({ ts: time, fields });

function versionRow(ref: Ref, ts: Ts, inserted: State | null): Draft {
  const draft = versionDraft(documentPrefix(ref.scope, ref.collection, ref.id), inserted ?? { ts, fields: null });
  return inserted === null ? removal(draft) : draft;
}

/** States that a document goes through one after the other. */
interface Course {
  readonly start: State;
  readonly states: readonly State[];
}

/** The rows that follow from one course in the place of another, and removals of those that follow from the other alone. */
function inPlaceOf(ref: Ref, was: Course, is: Course, ctx: EvalContext): MaybePromise<Draft[]> {
  return andThen(courseDrafts(ref, was, ctx), (old) =>
    andThen(courseDrafts(ref, is, ctx), (now) => {
      const places = new Set(now.map(placeOf));
      return [...old.filter((draft) => !places.has(placeOf(draft))).map(removal), ...now];
    }),
  );
}

/** The versions around a time, found without going through the others. */
interface Neighbours {
  readonly before: Version | null;
  readonly there: Version | null;
  readonly next: Version | null;
}

function neighboursOf(ref: Ref, ts: Ts, { txn }: EvalContext): MaybePromise<Neighbours> {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  return andThen(txn.version(ref, ts - 1), (before) =>
    andThen(txn.version(ref, ts), (last) =>
      andThen(versionAfter(prefix, ts, txn), (next) => ({ before, there: last?.time === ts ? last : null, next })),
    ),
  );
}

function courseDrafts(ref: Ref, { start, states }: Course, ctx: EvalContext): MaybePromise<Draft[]> {
  const steps = states.map((after, index) => ({ before: leftOf(states[index - 1] ?? start, after), after }));
  return fold(steps, [] as Draft[], (drafts, { before, after }) =>
    andThen(changeDrafts(ref, before, after, ctx), (more) => [...drafts, ...more]),
  );
}

/** All rows that follow from a document's step from one state to the next, besides the version itself. */
function changeDrafts(ref: Ref, before: State, after: State, ctx: EvalContext): MaybePromise<Draft[]> {
  return andThen(changesOf(ref, before, after, ctx), (changes) => [
    ...comingDrafts(ref, before, after),
    ...entryDrafts(ref, changes),
  ]);
}

/** What a state finds of the one before it, which may have run out by then. */
const leftOf = ({ ts, fields }: State, { ts: time }: State): State =>
  ts instanceof PendingTs || time instanceof PendingTs ? { ts, fields } : stateOf({ time: ts, fields }, time);

/** Where a row stands, whichever commit writes it. */
const placeOf = (draft: Draft): string => draft.key(NOT_YET).slice(0, -COMMIT_BYTES);
const NOT_YET = instantOf(PENDING);

/** Says that the row at this place counts no more. */
function removal({ key }: Draft): Draft {
  return { key, content: { text: () => REMOVED, memo: undefined, mark: REMOVED } };
}

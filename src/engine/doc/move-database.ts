// Moving a database: its document goes to another parent under the same number, so that
// everything in it stays where it is, and the keys that open it go with it (reference:
// data/documents.md §8).
import { prefixSpan } from '../base/bytes.ts';
import { andThen, fold, loop, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { alreadyExists, moveDatabaseError, permissionDenied } from '../errors/codes.ts';
import { undefinedRef } from '../form/casts.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { collectionPrefix, ID_BYTES, readId, STAMP_BYTES } from '../kv/keyspace.ts';
import type { DatabaseDefinition } from '../schema/definitions.ts';
import { readVersion } from '../txn/version.ts';
import { NATIVE, Ref, UnresolvedRef } from '../value/ref.ts';
import { Doc, type Obj, PendingTs } from '../value/value.ts';
import { shown } from './read.ts';
import { stageDocument } from './stage.ts';
import { noteHome } from './write.ts';

export function moveDatabase(source: Ref, target: Ref, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  const moved = definition(source, ctx, at.at('move_database'));
  const parent = definition(target, ctx, at.at('to'));
  const below = ctx.catalogOf(source.id).path;
  if (below.every((name, index) => ctx.catalogOf(target.id).path[index] === name)) {
    throw moveDatabaseError(at, moved.name, parent.name, 'Cannot move database from ancestor to descendant.');
  }
  // Whoever may delete databases here may move those below, too.
  return andThen(allows(ctx, 'delete', new Ref(NATIVE.databases, source.id, ctx.catalog.scope)), (allowed) => {
    if (!allowed) throw permissionDenied(at);
    const there = ctx.with({ catalog: ctx.catalogOf(target.id).fork() });
    if (there.catalog.isTaken('database', moved.name) !== null) throw alreadyExists(at, 'Database');
    const here = ctx.with({ catalog: source.scope === ctx.catalog.scope ? ctx.catalog : ctx.catalogOf(source.scope).fork() });
    const ref = new Ref(NATIVE.databases, source.id, target.id);
    return andThen(keysOf(source, ctx), (keys) =>
      andThen(
        fold(keys, undefined as void, (_, key) => {
          const fields = key.fields.with('database', ref);
          return relocate(key.ref, new Ref(NATIVE.keys, key.ref.id, target.id), fields, here, there, at);
        }),
        () => andThen(relocate(source, ref, moved.fields, here, there, at), () => shown(new Doc(ref, PendingTs.instance, moved.fields))),
      ),
    );
  });
}

/** @throws FqlError `invalid ref` */
function definition(ref: Ref, ctx: EvalContext, at: Path): DatabaseDefinition {
  const found = ctx.catalogOf(ref.scope).database(ref);
  if (found === null) throw undefinedRef(new UnresolvedRef('database', String(ref.id)), at);
  return found;
}

function relocate(from: Ref, to: Ref, fields: Obj, here: EvalContext, there: EvalContext, at: Path): MaybePromise<void> {
  return andThen(stageDocument(from, null, here, at), () => {
    here.catalog.note(from, null);
    return andThen(stageDocument(to, fields, there, at), () => noteHome(to, there));
  });
}

/** The keys beside a database that open it. */
function keysOf(database: Ref, ctx: EvalContext): MaybePromise<{ readonly ref: Ref; readonly fields: Obj }[]> {
  const rows = ctx.txn.current(prefixSpan(collectionPrefix(database.scope, NATIVE.keys)), false, null);
  const keys: { ref: Ref; fields: Obj }[] = [];
  return loop<{ ref: Ref; fields: Obj }[]>(() =>
    andThen(rows.next(), (row) => {
      if (row === null) return keys;
      const { fields } = readVersion(row);
      const opens = fields?.get('database');
      if (fields !== null && opens instanceof Ref && opens.id === database.id) {
        keys.push({ ref: new Ref(NATIVE.keys, readId(row.key, row.key.length - STAMP_BYTES - ID_BYTES), database.scope), fields });
      }
      return undefined;
    }),
  );
}

// Moving a database: its document goes to another parent under the same number, so that
// everything in it stays where it is, and the keys that open it go with it (reference:
// data/documents.md §8).
import { liesIn } from '../auth/home.ts';
import { andThen, each, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { alreadyExists, permissionDenied, raise } from '../errors/codes.ts';
import { undefinedRef } from '../form/casts.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import type { DatabaseDefinition } from '../schema/definitions.ts';
import { NATIVE, Ref, UnresolvedRef } from '../value/ref.ts';
import { Doc, type Obj, PendingTs } from '../value/value.ts';
import { shown } from './read.ts';
import { documentsWhere } from './scan.ts';
import { stageDocument } from './stage.ts';

export function moveDatabase(source: Ref, target: Ref, ctx: EvalContext, at: Path): MaybePromise<Doc> {
  const moved = definition(source, ctx, at.at('move_database'));
  const parent = definition(target, ctx, at.at('to'));
  // By where they are now: this transaction may have moved one of them before.
  const isBelow = andThen(liesIn(target.id, source.id, ctx.txn), (lies) => {
    if (lies) throw raise(at, 'move database error', `Cannot move database '${moved.name}' into parent '${parent.name}': Cannot move database from ancestor to descendant.`);
  });
  // Whoever may delete databases here may move those below, too.
  const mayMove = andThen(isBelow, () => allows(ctx, 'delete', new Ref(NATIVE.databases, source.id, ctx.catalog.scope)));
  return andThen(mayMove, (allowed) => {
    if (!allowed) throw permissionDenied(at);
    const there = ctx.with({ catalog: ctx.catalogOf(target.id) });
    if (there.catalog.holder('database', moved.name) !== null) throw alreadyExists(at, 'Database');
    const here = ctx.with({ catalog: ctx.catalogOf(source.scope) });
    const ref = new Ref(NATIVE.databases, source.id, target.id);
    const relocate = (from: Ref, to: Ref, fields: Obj): MaybePromise<void> =>
      andThen(stageDocument(from, null, here, at), () => {
        here.catalog.note(from, null);
        return andThen(stageDocument(to, fields, there, at), () => there.catalog.note(to, fields));
      });
    const opens = (fields: Obj): boolean => {
      const database = fields.get('database');
      return database instanceof Ref && database.id === source.id;
    };
    return andThen(documentsWhere('keys', source.scope, opens, ctx), (keys) =>
      andThen(
        each(keys, (key) => relocate(key.ref, new Ref(NATIVE.keys, key.ref.id, target.id), key.fields.with('database', ref))),
        () => andThen(relocate(source, ref, moved.fields), () => shown(new Doc(ref, PendingTs.instance, moved.fields))),
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

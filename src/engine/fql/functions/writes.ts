// Writing documents (functions.md §8).
import { invalidRef } from '../../errors/codes.ts';
import { databaseRef, object, oneOf, optional, ref, stringOrRef, timestamp } from '../../form/casts.ts';
import { type Form, form } from '../../form/form.ts';
import { createDocument, deleteDocument, replaceDocument, updateDocument, type WritePlaces } from '../../doc/write.ts';
import { insertVersion, removeVersion } from '../../doc/history.ts';
import { moveDatabase } from '../../doc/move-database.ts';
import type { Path } from '../../base/path.ts';
import { instantOf } from '../../set/position.ts';
import { NATIVE, type NativeName, Ref } from '../../value/ref.ts';
import { Obj } from '../../value/value.ts';

const SOURCE = 'functions.md §8; ast/functions/WriteAdaptor';

const places = (at: Path, key: string, params = 'params'): WritePlaces => ({ form: at, target: at.at(key), params: at.at(params) });

const documentAction = oneOf(['create', 'update', 'delete']);

/** A form that makes a document of a native collection. */
function createNative(key: string, name: NativeName, since?: string): Form {
  return form({
    params: { [key]: object },
    effect: 'write',
    ...(since === undefined ? {} : { since }),
    source: SOURCE,
    summary: `Makes one of the database's ${name.replace('_', ' ')}.`,
    examples: [],
    run(args, ctx, at) {
      const target = new Ref(NATIVE.collections, BigInt(NATIVE[name]), ctx.catalog.scope);
      return createDocument(target, args[key] as Obj, ctx, places(at, key, key));
    },
  });
}

const change = (key: string, summary: string, apply: typeof updateDocument): Form =>
  form({
    params: { [key]: ref, params: optional(object) },
    effect: 'write',
    source: SOURCE,
    summary,
    examples: [],
    run: (args, ctx, at) => apply(args[key] as Ref, (args.params as Obj | undefined) ?? Obj.empty, ctx, places(at, key)),
  });

export const writes: readonly Form[] = [
  form({
    params: { create: stringOrRef, params: optional(object) },
    effect: 'write',
    source: SOURCE,
    summary: 'Makes a document, with a new id or the one of the ref.',
    examples: [],
    run({ create, params }, ctx, at) {
      const target = typeof create === 'string' ? ctx.catalog.resolve('collection', create) : create;
      if (target === null) throw invalidRef(at.at('create'), 'collection', String(create));
      return createDocument(target, params ?? Obj.empty, ctx, places(at, 'create'));
    },
  }),
  createNative('create_class', 'collections'),
  createNative('create_collection', 'collections'),
  createNative('create_database', 'databases'),
  createNative('create_index', 'indexes'),
  createNative('create_key', 'keys'),
  createNative('create_function', 'functions'),
  createNative('create_role', 'roles'),
  createNative('create_access_provider', 'access_providers', '4'),
  change('update', 'Merges fields into a document; null removes one.', updateDocument),
  change('replace', "Puts fields in place of all of a document's.", replaceDocument),
  form({
    params: { delete: ref },
    effect: 'write',
    source: SOURCE,
    summary: 'Deletes a document; the result is its last state.',
    examples: [],
    run: (args, ctx, at) => deleteDocument(args.delete, ctx, places(at, 'delete')),
  }),
  form({
    params: { insert: ref, ts: timestamp, action: documentAction, params: optional(object) },
    effect: 'write',
    source: `${SOURCE}; documents.md §2`,
    summary: 'Puts a version into the past of a document; the result is its event.',
    examples: [],
    run: ({ insert, ts, action, params }, ctx, at) =>
      insertVersion(insert, instantOf(ts) ?? 0, action, params ?? Obj.empty, ctx, places(at, 'insert')),
  }),
  form({
    params: { remove: ref, ts: timestamp, action: documentAction },
    effect: 'write',
    source: `${SOURCE}; documents.md §2`,
    summary: 'Takes a version out of the past of a document.',
    examples: [],
    run: ({ remove, ts, action }, ctx, at) => removeVersion(remove, instantOf(ts) ?? 0, action, ctx, places(at, 'remove')),
  }),
  form({
    params: { move_database: databaseRef, to: databaseRef },
    effect: 'write',
    source: `${SOURCE}; documents.md §8`,
    summary: 'Puts a database, with all that is in it, under another one.',
    examples: [],
    run: (args, ctx, at) => moveDatabase(args.move_database, args.to, ctx, at),
  }),
];

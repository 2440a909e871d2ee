// Writing documents (functions.md §8).
import { andThen } from '../../base/maybe.ts';
import { invalidRef } from '../../errors/codes.ts';
import { part } from '../../errors/part.ts';
import { databaseRef, object, oneOf, optional, ref, stringOrRef, timestamp } from '../../form/casts.ts';
import { type Example, type Form, form } from '../../form/form.ts';
import { createDocument, deleteDocument, replaceDocument, updateDocument, type WritePlaces } from '../../doc/write.ts';
import type { Path } from '../../base/path.ts';
import { instantOf } from '../../set/position.ts';
import { type NativeName, nativeRef, type Ref } from '../../value/ref.ts';
import { Obj } from '../../value/value.ts';
import type { WireId } from '../../wire/version.ts';

const SOURCE = 'functions.md §8; ast/functions/WriteAdaptor';

const places = (at: Path, key: string, params = 'params'): WritePlaces => ({ form: at, target: at.at(key), params: at.at(params) });

/** A document of the world that examples run in. */
const SPELL = '{"ref":{"collection":"spells"},"id":"1"}';

/** Few write into the past or move a database. */
const pastWrites = part(() => import('../../doc/history.ts'));
const moving = part(() => import('../../doc/move-database.ts'));

const documentAction = oneOf(['create', 'update', 'delete']);

/** A form that makes a document of a native collection. */
function createNative(key: string, name: NativeName, example: Example, since?: WireId): Form {
  return form({
    params: { [key]: object },
    effect: 'write',
    since,
    source: SOURCE,
    summary: `Makes one of the database's ${name.replace('_', ' ')}.`,
    examples: [example],
    run(args, ctx, at) {
      return createDocument(nativeRef(name, ctx.catalog.scope), args[key] as Obj, ctx, places(at, key, key));
    },
  });
}

const change = (key: string, summary: string, apply: typeof updateDocument, example: Example): Form =>
  form({
    params: { [key]: ref, params: optional(object) },
    effect: 'write',
    source: SOURCE,
    summary,
    examples: [example],
    run: (args, ctx, at) => apply(args[key] as Ref, (args.params as Obj | undefined) ?? Obj.empty, ctx, places(at, key)),
  });

const forms: readonly Form[] = [
  form({
    params: { create: stringOrRef, params: optional(object) },
    effect: 'write',
    source: SOURCE,
    summary: 'Makes a document, with a new id or the one of the ref.',
    examples: [
      ['{"select":"data","from":{"create":{"collection":"spells"},"params":{"object":{"data":{"object":{"cost":1,"name":null}}}}}}', '{"cost":1}'],
    ],
    run({ create, params }, ctx, at) {
      const target = typeof create === 'string' ? ctx.catalog.resolve('collection', create) : create;
      if (target === null) throw invalidRef(at.at('create'), 'collection', String(create));
      return createDocument(target, params ?? Obj.empty, ctx, places(at, 'create'));
    },
  }),
  createNative('create_class', 'collections', ['{"select":"name","from":{"create_class":{"object":{"name":"potions"}}}}', '"potions"']),
  createNative('create_collection', 'collections', [
    '{"create_collection":{"object":{"name":"potions","history_days":7}}}',
    '{"ref":{"@ref":{"id":"potions","collection":{"@ref":{"id":"collections"}}}},"ts":TS,"history_days":7,"name":"potions"}',
  ]),
  createNative('create_database', 'databases', ['{"select":"name","from":{"create_database":{"object":{"name":"cellar"}}}}', '"cellar"']),
  createNative('create_index', 'indexes', [
    '{"select":"active","from":{"create_index":{"object":{"name":"by_name","source":{"collection":"spells"},"terms":[{"object":{"field":["data","name"]}}]}}}}',
    'true',
  ]),
  createNative('create_key', 'keys', ['{"select":"role","from":{"create_key":{"object":{"role":"server"}}}}', '"server"']),
  createNative('create_function', 'functions', [
    '{"select":"name","from":{"create_function":{"object":{"name":"twice","body":{"query":{"lambda":"x","expr":[{"var":"x"},{"var":"x"}]}}}}}}',
    '"twice"',
  ]),
  createNative('create_role', 'roles', [
    '{"select":["privileges","actions"],"from":{"create_role":{"object":{"name":"writers","privileges":{"object":{"resource":{"collection":"spells"},"actions":{"object":{"write":true}}}}}}}}',
    '{"write":true}',
  ]),
  createNative(
    'create_access_provider',
    'access_providers',
    ['{"select":"issuer","from":{"create_access_provider":{"object":{"name":"a","issuer":"https://a.test","jwks_uri":"https://a.test/keys"}}}}', '"https://a.test"'],
    '4',
  ),
  change('update', 'Merges fields into a document; null removes one.', updateDocument, [
    `{"select":"data","from":{"update":${SPELL},"params":{"object":{"data":{"object":{"element":null,"cost":11}}}}}}`,
    '{"name":"Fire Beak","cost":11}',
  ]),
  change('replace', "Puts fields in place of all of a document's.", replaceDocument, [
    `{"select":"data","from":{"replace":${SPELL},"params":{"object":{"data":{"object":{"cost":11}}}}}}`,
    '{"cost":11}',
  ]),
  form({
    params: { delete: ref },
    effect: 'write',
    source: SOURCE,
    summary: 'Deletes a document; the result is its last state.',
    examples: [[`{"do":[{"delete":${SPELL}},{"exists":${SPELL}}]}`, 'false']],
    run: (args, ctx, at) => deleteDocument(args.delete, ctx, places(at, 'delete')),
  }),
  form({
    params: { insert: ref, ts: timestamp, action: documentAction, params: optional(object) },
    effect: 'write',
    source: `${SOURCE}; documents.md §2`,
    summary: 'Puts a version into the past of a document; the result is its event.',
    examples: [
      [
        `{"select":"data","from":{"insert":${SPELL},"ts":{"epoch":1,"unit":"day"},"action":"create","params":{"object":{"data":{"object":{"cost":5}}}}}}`,
        '{"cost":5}',
      ],
    ],
    run: ({ insert, ts, action, params }, ctx, at) =>
      andThen(pastWrites(), ({ insertVersion }) => insertVersion({ ref: insert, ts: instantOf(ts) ?? 0, action }, params ?? Obj.empty, ctx, places(at, 'insert'))),
  }),
  form({
    params: { remove: ref, ts: timestamp, action: documentAction },
    effect: 'write',
    source: `${SOURCE}; documents.md §2`,
    summary: 'Takes a version out of the past of a document.',
    examples: [[`{"remove":${SPELL},"ts":{"epoch":1,"unit":"day"},"action":"create"}`, 'null']],
    run: ({ remove, ts, action }, ctx, at) =>
      andThen(pastWrites(), ({ removeVersion }) => removeVersion({ ref: remove, ts: instantOf(ts) ?? 0, action }, ctx, places(at, 'remove'))),
  }),
  form({
    params: { move_database: databaseRef, to: databaseRef },
    effect: 'write',
    source: `${SOURCE}; documents.md §8`,
    summary: 'Puts a database, with all that is in it, under another one.',
    examples: [
      [
        '{"do":[{"create_database":{"object":{"name":"cellar"}}},{"select":"name","from":{"move_database":{"database":"cellar"},"to":{"database":"annex"}}}]}',
        '"cellar"',
      ],
    ],
    run: (args, ctx, at) => andThen(moving(), ({ moveDatabase }) => moveDatabase(args.move_database, args.to, ctx, at)),
  }),
];

/** What a write has to read for itself is not billed as reading. */
export const writes = forms.map((write): Form => form({ ...write, run: (args, ctx, at) => ctx.txn.cost.free(() => write.run(args, ctx, at)) }));

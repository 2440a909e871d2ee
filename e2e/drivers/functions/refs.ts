// Names, and the native collections (reference: fql/functions.md §6; fql/wire.md §3).
import { type Case, type Cases, failed, ref, type Shown, type Words } from '../cases.ts';
import type { FunctionName } from '../driver.ts';

const undefinedRef = (kind: string, name: string): Shown => failed('BadRequest', 'invalid ref', `Ref refers to undefined ${kind} '${name}'`, ['get']);

/** A native collection, of this database and of one in it; perhaps also the first that is in it. */
const native = (name: FunctionName, id: string, first?: (say: Words) => Shown): readonly Case[] => {
  const cases: readonly Case[] = [
    [(q) => q[name](null), (say) => say.ref(id)],
    [(q) => q[name](), (say) => say.ref(id), { from: '2.14.2' }],
    // 2.0.0 leaves a scope that is not given out, and with it the form.
    [(q) => q[name](), failed('BadRequest', 'invalid expression', 'No form/function found, or invalid argument keys: {  }.'), { before: '2.14.2' }],
    [(q) => q[name](q.Database('child')), (say) => ({ ...say.ref(id), database: 'databases/child' })],
    [(q) => q[name](q.Database('nowhere')), failed('BadRequest', 'invalid ref', "Ref refers to undefined database 'nowhere'", [name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase()])],
  ];
  return first === undefined ? cases : [...cases, [(q) => q.Select(['data', 0], q.Paginate(q[name](null))), first]];
};

export const refs: Cases = {
  Database: [
    [(q) => q.Database('child'), ref('databases/child')],
    [(q) => q.Exists(q.Database('nowhere')), false],
    [(q) => q.Get(q.Database('nowhere')), undefinedRef('database', 'nowhere')],
    [(q) => q.Database('grandchild', q.Database('child')), ref('databases/grandchild', 'databases/child'), { from: '2.0.0' }],
  ],
  Index: [
    [(q) => q.Index('levels'), ref('indexes/levels')],
    [(q) => q.Get(q.Index('nowhere')), undefinedRef('index', 'nowhere')],
    [(q) => q.Index('x', q.Database('child')), ref('indexes/x', 'databases/child'), { from: '2.0.0' }],
  ],
  Class: [
    [(q) => q.Class('spells'), (say) => say.ref('collections/spells')],
    [(q) => q.Get(q.Class('nowhere')), (say) => undefinedRef(say.collection, 'nowhere')],
    [(q) => q.Class('x', q.Database('child')), (say) => ({ ...say.ref('collections/x'), database: 'databases/child' }), { from: '2.0.0' }],
  ],
  Collection: [
    [(q) => q.Collection('spells'), ref('collections/spells')],
    [(q) => q.Get(q.Collection('nowhere')), undefinedRef('collection', 'nowhere')],
    [(q) => q.Collection('x', q.Database('child')), ref('collections/x', 'databases/child')],
  ],
  Function: [
    [(q) => q.Function('double'), ref('functions/double')],
    [(q) => q.Get(q.Function('nowhere')), undefinedRef('function', 'nowhere')],
    [(q) => q.Function('x', q.Database('child')), ref('functions/x', 'databases/child')],
  ],
  Role: [
    [(q) => q.Role('reader'), ref('roles/reader')],
    [(q) => q.Get(q.Role('nowhere')), undefinedRef('role', 'nowhere')],
    [(q) => q.Role('x', q.Database('child')), ref('roles/x', 'databases/child')],
  ],
  AccessProvider: [
    [(q) => q.AccessProvider('nowhere'), ref('access_providers/nowhere')],
    [(q) => q.Get(q.AccessProvider('nowhere')), undefinedRef('access_provider', 'nowhere')],
  ],
  Classes: native('Classes', 'collections', (say) => say.ref('collections/spells')),
  Collections: native('Collections', 'collections', (say) => say.ref('collections/spells')),
  Databases: native('Databases', 'databases', () => ref('databases/child')),
  Indexes: native('Indexes', 'indexes', () => ref('indexes/all')),
  Functions: native('Functions', 'functions', () => ref('functions/double')),
  Roles: native('Roles', 'roles', () => ref('roles/reader')),
  Keys: native('Keys', 'keys'),
  Tokens: native('Tokens', 'tokens'),
  Credentials: native('Credentials', 'credentials', (say) => say.ref('credentials/*')),
  AccessProviders: native('AccessProviders', 'access_providers'),
  NewId: [
    [(q) => q.NewId(), (say) => say.id],
    [(q) => q.Let({ id: q.NewId() }, q.Equals(q.Var('id'), q.NewId())), false],
  ],
  NextId: [[(q) => q.NextId(), (say) => say.id]],
};

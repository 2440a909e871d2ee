// Documents, definitions and history (reference: fql/functions.md §8).
import { badArgument, type Case, type Cases, failed, query, ref, type Shown } from '../cases.ts';
import type { Expr, Given, Query } from '../driver.ts';

const note = (q: Query, id: number): Expr => q.Ref(q.Class('notes'), String(id));
const make = (q: Query, id: number, data: Given): Expr => q.Create(note(q, id), { data });
const gone = (say: { readonly Document: string }, ...position: readonly string[]): Shown => failed('NotFound', 'instance not found', `${say.Document} not found.`, position);

/** A class and a collection are the same, but for the name of what makes them. */
const created = (form: 'CreateClass' | 'CreateCollection', name: string, position: string): readonly Case[] => [
  [(q) => q[form]({ name }), (say) => say.doc(`collections/${name}`, { history_days: 30, name })],
  [(q) => q[form]({ name: `${name}_2`, history_days: 3, ttl_days: 5, data: { a: 1 } }), (say) => say.doc(`collections/${name}_2`, { history_days: 3, name: `${name}_2`, ttl_days: 5, data: { a: 1 } })],
  [(q) => q[form]({ name }), (say) => failed('BadRequest', 'instance already exists', `${say.collection === 'class' ? 'Class' : 'Collection'} already exists.`, [position])],
  [(q) => q[form]({}), (say) => failed('BadRequest', 'validation failed', `${say.document} data is not valid.`, [position], [{ field: ['name'], code: 'value required', description: 'Required value not found.' }])],
];

export const writes: Cases = {
  Create: [
    [(q) => q.Create(q.Class('notes'), { data: { a: 1, none: null } }), (say) => say.doc('collections/notes/*', { data: { a: 1 } })],
    [(q) => q.Create(note(q, 300), { data: { list: [1, [2]], bytes: new Uint8Array([1]), ref: note(q, 1) } }),
      (say) => say.doc('collections/notes/300', { data: { list: [1, [2]], bytes: { Bytes: [1] }, ref: say.ref('collections/notes/1') } })],
    [(q) => q.Create(q.Class('notes')), (say) => say.doc('collections/notes/*'), { before: '4.8.2' }],
    [(q) => q.Create(note(q, 300), {}), (say) => failed('BadRequest', 'instance already exists', `${say.Document} already exists.`, ['create'])],
    [(q) => q.Create(q.Class('nowhere'), {}), (say) => failed('BadRequest', 'invalid ref', `Ref refers to undefined ${say.collection} 'nowhere'`, ['create'])],
    [(q) => q.Create(q.Class('notes'), { data: 1 }), (say) => failed('BadRequest', 'validation failed', `${say.document} data is not valid.`, ['create'], [{ field: ['data'], code: 'invalid type', description: 'Invalid type Long, expected type Map.' }])],
  ],
  Update: [
    [(q) => q.Do(make(q, 301, { a: 1, b: { c: 2, d: 3 } }), q.Update(note(q, 301), { data: { a: null, b: { c: 4 }, e: 5 } })), (say) => say.doc('collections/notes/301', { data: { b: { c: 4, d: 3 }, e: 5 } })],
    [(q) => q.Update(note(q, 399), {}), (say) => gone(say, 'update')],
  ],
  Replace: [
    [(q) => q.Do(make(q, 302, { a: 1, b: 2 }), q.Replace(note(q, 302), { data: { c: 3 } })), (say) => say.doc('collections/notes/302', { data: { c: 3 } })],
    [(q) => q.Replace(note(q, 399), {}), (say) => gone(say, 'replace')],
  ],
  Delete: [
    [(q) => q.Do(make(q, 303, { a: 1 }), q.Delete(note(q, 303))), (say) => say.doc('collections/notes/303', { data: { a: 1 } })],
    [(q) => q.Exists(q.Select('ref', q.Do(make(q, 303, {}), q.Delete(note(q, 303))))), false],
    [(q) => q.Delete(note(q, 399)), (say) => gone(say)],
  ],
  Insert: [
    [(q) => q.Do(make(q, 304, { a: 1 }), q.Insert(note(q, 304), q.Epoch(1, 'second'), 'create', { data: { a: 0 } })), (say) => ({ ...say.event('create', 'collections/notes/304', { a: 0 }), ts: 1_000_000 })],
    [(q) => q.Insert(note(q, 304), 1, 'add', {}), badArgument("String 'create', 'update', or 'delete' expected, String provided.", 'action')],
  ],
  Remove: [
    [(q) => q.Do(make(q, 305, { a: 1 }), q.Insert(note(q, 305), 2_000_000, 'create', {}), q.Remove(note(q, 305), 2_000_000, 'create')), null],
    [(q) => q.Remove(q.Class('notes'), 1, 'create'), badArgument('Cannot remove event for specified ref.')],
  ],
  CreateClass: created('CreateClass', 'a_class', 'create_class'),
  CreateCollection: created('CreateCollection', 'a_collection', 'create_collection'),
  CreateDatabase: [
    [(q) => q.CreateDatabase({ name: 'a_database' }), (say) => say.doc('databases/a_database', { name: 'a_database', global_id: say.text })],
    [(q) => q.CreateDatabase({ name: 'a_database' }), failed('BadRequest', 'instance already exists', 'Database already exists.', ['create_database'])],
  ],
  CreateIndex: [
    [(q) => q.CreateIndex({ name: 'an_index', source: q.Class('notes') }),
      (say) => say.doc('indexes/an_index', { active: true, serialized: true, name: 'an_index', source: say.ref('collections/notes'), partitions: 8 })],
    [(q) => q.CreateIndex({ name: 'an_index_2', source: q.Class('notes'), terms: [{ field: ['data', 'a'] }], values: [{ field: ['data', 'b'], reverse: true }, { field: 'ref' }], unique: true, serialized: false }),
      (say) => say.doc('indexes/an_index_2', {
        active: true, serialized: false, name: 'an_index_2', source: say.ref('collections/notes'), terms: [{ field: ['data', 'a'] }],
        values: [{ field: ['data', 'b'], reverse: true }, { field: 'ref' }], unique: true, partitions: 1,
      })],
    [(q) => q.CreateIndex({ name: 'an_index_3' }), (say) => failed('BadRequest', 'validation failed', `${say.document} data is not valid.`, ['create_index'], [{ field: ['source'], code: 'value required', description: 'Required value not found.' }])],
  ],
  CreateKey: [
    [(q) => q.CreateKey({ role: 'server', data: { for: 'tests' } }), (say) => say.doc('keys/*', { role: 'server', data: { for: 'tests' }, secret: say.text, hashed_secret: say.text })],
    [(q) => q.CreateKey({ database: q.Database('child'), role: 'client' }), (say) => say.doc('keys/*', { database: ref('databases/child'), role: 'client', secret: say.text, hashed_secret: say.text })],
  ],
  CreateFunction: [
    [(q) => q.CreateFunction({ name: 'a_function', body: q.Query(q.Lambda('x', q.Var('x'))) }), (say) => say.doc('functions/a_function', { name: 'a_function', body: query({ lambda: 'x', expr: { var: 'x' } }) }), { before: '3.0.1' }],
    [(q) => q.CreateFunction({ name: 'a_function', body: q.Query(q.Lambda('x', q.Var('x'))), role: 'server' }),
      (say) => say.doc('functions/a_function', { name: 'a_function', body: query({ api_version: '3', lambda: 'x', expr: { var: 'x' } }), role: 'server' }), { from: '3.0.1', before: '4.8.2' }],
    [(q) => q.CreateFunction({ name: 'a_function', body: q.Query(q.Lambda('x', q.Var('x'))) }),
      (say) => say.doc('functions/a_function', { name: 'a_function', body: query({ api_version: '4', lambda: 'x', expr: { var: 'x' } }) }), { from: '4.8.2' }],
  ],
  CreateRole: [
    [(q) => q.CreateRole({ name: 'a_role', membership: { resource: q.Collection('users') }, privileges: [{ resource: q.Collection('notes'), actions: { read: true, create: false } }] }),
      (say) => say.doc('roles/a_role', { name: 'a_role', membership: { resource: say.ref('collections/users') }, privileges: [{ resource: say.ref('collections/notes'), actions: { read: true, create: false } }] })],
  ],
  CreateAccessProvider: [
    [(q) => q.CreateAccessProvider({ name: 'a_provider', issuer: 'https://issuer.example/', jwks_uri: 'https://issuer.example/keys.json', roles: [q.Role('reader')] }),
      (say) => say.doc('access_providers/a_provider', { name: 'a_provider', issuer: 'https://issuer.example/', jwks_uri: 'https://issuer.example/keys.json', roles: [ref('roles/reader')], audience: say.text })],
    [(q) => q.CreateAccessProvider({ name: 'a_provider_2', issuer: 'https://other.example/', jwks_uri: 'none' }),
      failed('BadRequest', 'validation failed', 'document data is not valid.', ['create_access_provider'], [{ field: ['jwks_uri'], code: 'invalid uri', description: '`none` is a not valid URI' }])],
  ],
  MoveDatabase: [
    [(q) => q.Do(q.CreateDatabase({ name: 'moving' }), q.MoveDatabase(q.Database('moving'), q.Database('child'))), (say) => ({ ...say.doc('databases/moving', { name: 'moving', global_id: say.text }), ref: ref('databases/moving', 'databases/child') })],
    [(q) => q.MoveDatabase(q.Database('nowhere'), q.Database('child')), failed('BadRequest', 'invalid ref', "Ref refers to undefined database 'nowhere'", ['move_database'])],
  ],
};

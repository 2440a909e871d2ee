// The old paths, which drivers had methods for before 2.0.0 (reference: fql/wire.md §5.4).
import { failed, type Shown } from '../cases.ts';
import { AWAY } from './client.ts';
import type { Methods, Stage } from './method.ts';

interface Made {
  readonly ref: { readonly value: string };
  readonly secret: string;
}

const protocolFailure = (name: string, code: string, description: string): Shown => ({ failed: { name, code, description } });
const NOT_FOUND = protocolFailure('NotFound', 'not found', 'Not Found');
const forbidden = (...position: readonly string[]): Shown => failed('PermissionDenied', 'permission denied', 'Insufficient privileges to perform the action.', position);

/** A document of its own. */
const made = ({ client }: Stage, data: object): Promise<Made> => client.post<Made>('classes/notes', { data });
const serverOf = async ({ client, connect }: Stage): Promise<Stage['client']> => connect({ secret: (await client.post<Made>('keys', { role: 'server' })).secret });

export const rest: Methods = {
  'Client.get': [
    [({ client }) => client.get('classes/spells/1'), (say) => say.doc('collections/spells/1', { data: { name: 'Fire Beak', element: 'fire', level: 10 } })],
    [({ client, driver }) => client.get(new (driver.values.Ref as new (path: string) => object)('classes/spells')), (say) => say.doc('collections/spells', { history_days: 30, name: 'spells' })],
    [({ client }) => client.get('classes', { size: 2 }), (say) => ({ after: [say.ref('collections/notes')], data: [say.ref('collections/spells'), say.ref('collections/books')] })],
    [({ client }) => client.get('classes', { size: 1, after: 'classes/books' }), (say) => ({ before: [say.ref('collections/books')], after: [say.ref('collections/notes')], data: [say.ref('collections/books')] })],
    [({ client }) => client.get('classes', { before: 'classes/books' }), (say) => ({ after: [say.ref('collections/books')], data: [say.ref('collections/spells')] })],
    [({ client }) => client.get('indexes/all'), (say) => say.doc('indexes/all', { active: true, serialized: true, name: 'all', source: say.ref('collections/spells'), partitions: 8 })],
    [({ client }) => client.get('databases'), { data: [{ Ref: 'databases/child' }] }],
    [({ client }) => client.get('classes/spells/1/events'), (say) => ({ data: [say.event('create', 'collections/spells/1', { name: 'Fire Beak', element: 'fire', level: 10 })] })],
    [({ client }) => client.get('', { q: '{"add":[1,2]}' }), 3],
    [({ client }) => client.get('', { q: '{"new_id":null}' }), failed('BadRequest', 'invalid expression', 'Call performs a write, which is not allowed in get requests.')],
    [({ client }) => client.get('classes/spells/9'), (say) => failed('NotFound', 'instance not found', `${say.Document} not found.`)],
    [({ client }) => client.get('classes/nowhere'), NOT_FOUND],
    [({ connect }) => connect(AWAY).get('nowhere'), NOT_FOUND],
    [async (stage) => (await serverOf(stage)).get('keys'), forbidden('paginate')],
  ],
  'Client.post': [
    [({ client }) => client.post('classes', { name: 'potions' }), (say) => say.doc('collections/potions', { history_days: 30, name: 'potions' })],
    [({ client }) => client.post('classes', { name: 'potions' }), failed('BadRequest', 'instance already exists', 'Class already exists.', ['create'])],
    [(stage) => made(stage, { a: 1, ref: stage.q.Ref('classes/spells/1'), day: { '@date': '2020-01-01' } }), (say) => say.doc('collections/notes/*', { data: { a: 1, ref: say.spell(1), day: { Date: '2020-01-01' } } })],
    [({ client }) => client.post('classes/notes/500', { data: { add: [1, 2] } }), (say) => say.doc('collections/notes/500', { data: { add: [1, 2] } })],
    [({ client, q }) => client.post('indexes', { name: 'all_potions', source: q.Ref('classes/potions') }),
      (say) => say.doc('indexes/all_potions', { active: true, serialized: true, name: 'all_potions', source: say.ref('collections/potions'), partitions: 8 })],
    [({ client }) => client.post('databases', { name: 'other' }), (say) => say.doc('databases/other', { name: 'other', global_id: say.text })],
    [({ client }) => client.post('keys', { role: 'client' }), (say) => say.doc('keys/*', { role: 'client', secret: say.text, hashed_secret: say.text })],
    [({ client, q }) => client.post('tokens', { instance: q.Ref('classes/users/1') }), (say) => say.doc('tokens/*', { instance: say.ref('collections/users/1'), secret: say.text })],
    [({ client }) => client.post('linearized', { add: [1, 2] }), 3],
    [({ client }) => client.post('classes/notes', { data: 1 }), failed('BadRequest', 'validation failed', 'instance data is not valid.', ['create'], [{ field: ['data'], code: 'invalid type', description: 'Invalid type Long, expected type Map.' }])],
    [async (stage) => (await serverOf(stage)).post('databases', { name: 'no' }), forbidden('create')],
  ],
  'Client.put': [
    [async (stage) => stage.client.put((await made(stage, { a: 1, b: 2 })).ref, { data: { c: 3 } }), (say) => say.doc('collections/notes/*', { data: { c: 3 } })],
    [({ client }) => client.put('classes/notes/999', {}), (say) => failed('NotFound', 'instance not found', `${say.Document} not found.`, ['replace'])],
    [({ client }) => client.put('classes', {}), protocolFailure('MethodNotAllowed', 'method not allowed', 'Allowed methods are GET, POST.')],
  ],
  'Client.patch': [
    [async (stage) => stage.client.patch((await made(stage, { a: 1, b: 2 })).ref, { data: { a: null, c: 3 } }), (say) => say.doc('collections/notes/*', { data: { b: 2, c: 3 } })],
    [({ client }) => client.patch('classes/potions', { history_days: 2 }), (say) => say.doc('collections/potions', { history_days: 2, name: 'potions' })],
  ],
  'Client.delete': [
    [async (stage) => {
      const { ref } = await made(stage, { a: 1 });
      const gone = await stage.client.delete(ref);
      const { data } = await stage.client.get<{ readonly data: readonly { readonly action: string }[] }>(`${ref.value}/events`);
      return [gone, data.map(({ action }) => action)];
    }, (say) => [say.doc('collections/notes/*', { data: { a: 1 } }), ['create', 'delete']]],
    [async ({ client, q, connect }) => {
      const token = await client.post<Made>('tokens', { instance: q.Ref('classes/users/1') });
      const mine = connect({ secret: token.secret });
      await mine.delete('tokens/self');
      return mine.get('tokens/self');
    }, protocolFailure('Unauthorized', 'unauthorized', 'Unauthorized')],
    [({ client }) => client.delete('databases/nowhere'), NOT_FOUND],
  ],
};

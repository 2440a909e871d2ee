// Documents, pages and keys (reference: fql/functions.md §7).
import { badArgument, type Cases, failed, set } from '../cases.ts';
import type { Expr, Query } from '../driver.ts';
import { SPELLS } from '../fixture.ts';

const spell = (q: Query, id: number): Expr => q.Ref(q.Class('spells'), String(id));
const levels = (q: Query): Expr => q.Match(q.Index('levels'));
const element = (q: Query, name: string): Expr => q.Match(q.Index('by_element'), name);

export const reads: Cases = {
  Get: [
    [(q) => q.Get(spell(q, 1)), (say) => say.doc('collections/spells/1', { data: SPELLS[0] })],
    [(q) => q.Get(element(q, 'earth')), (say) => say.doc('collections/spells/3', { data: SPELLS[2] })],
    [(q) => q.Select(['data', 'level'], q.Get(spell(q, 1), q.Time('now'))), 10],
    [(q) => q.Get(spell(q, 99)), (say) => failed('NotFound', 'instance not found', `${say.Document} not found.`)],
    [(q) => q.Get(element(q, 'air')), failed('NotFound', 'instance not found', 'Set not found.')],
    [(q) => q.Get('spells'), badArgument('Ref or Set expected, String provided.', 'get')],
    [(q) => q.Get(q.Ref(q.Class('nowhere'), '1')), (say) => failed('BadRequest', 'invalid ref', `Ref refers to undefined ${say.collection} 'nowhere'`, ['get'])],
  ],
  KeyFromSecret: [
    [async (q, { client }) => {
      const made = await client.query<{ secret: string; ref: object }>(q.CreateKey({ role: 'server' }));
      return client.query(q.Equals(q.Select('ref', q.KeyFromSecret(made.secret)), made.ref));
    }, true],
    [async (q, { client }) => client.query(q.KeyFromSecret((await client.query<{ secret: string }>(q.CreateKey({ role: 'server' }))).secret)),
      (say) => say.doc('keys/*', { role: 'server', hashed_secret: say.text })],
    [(q) => q.KeyFromSecret('nope'), failed('BadRequest', 'instance not found', 'No key found for secret nope.')],
  ],
  Exists: [
    [(q) => [q.Exists(spell(q, 1)), q.Exists(spell(q, 99)), q.Exists(levels(q)), q.Exists(element(q, 'air')), q.Exists(q.Index('levels'))], [true, false, true, false, true]],
    [async (q, { client }) => {
      const made = await client.query<{ ref: object; ts: number }>(q.Create(q.Class('notes'), {}));
      return client.query([q.Exists(made.ref, made.ts), q.Exists(made.ref, q.TimeSubtract(q.ToTime(q.Divide(made.ts, 1000)), 1, 'second'))]);
    }, [true, false], { from: '2.14.2' }],
    [(q) => q.Exists(1), badArgument('Ref or Set expected, Integer provided.', 'exists')],
  ],
  Paginate: [
    [(q) => q.Paginate(q.Match(q.Index('all'))), (say) => ({ data: [1, 2, 3, 4].map(say.spell) })],
    [(q) => q.Paginate(levels(q), { size: 2 }), (say) => ({ after: [30, say.spell(3)], data: [10, 20] })],
    [(q) => q.Paginate(levels(q), { size: 1, after: [20, spell(q, 2)] }), (say) => ({ before: [20, say.spell(2)], after: [30, say.spell(3)], data: [20] })],
    [(q) => q.Paginate(levels(q), { size: 1, before: [30] }), (say) => ({ before: [20, say.spell(2)], after: [30], data: [20] })],
    [(q) => q.Paginate(levels(q), { size: 1, before: null }), (say) => ({ before: [40, say.spell(4)], after: [null], data: [40] })],
    [(q) => q.Paginate(levels(q), { cursor: { after: 40 } }), { before: [40], data: [40] }],
    [(q) => q.Paginate(levels(q), { cursor: 40 }), badArgument("Invalid cursor object. Expected an object with either 'before' or 'after' key in it.", 'cursor')],
    [(q) => q.Paginate(levels(q), { size: 0 }), { data: [] }],
    [(q) => q.Paginate(q.Match(q.Index('all')), { sources: true, size: 1 }),
      (say) => ({ after: [say.spell(2)], data: [{ value: say.spell(1), sources: [set({ match: { Ref: 'indexes/all' } })] }] })],
    [(q) => q.Paginate(element(q, 'earth'), { events: true }), (say) => ({ data: [say.event('add', 'collections/spells/3')] })],
    [(q) => q.Paginate(levels(q), { events: true, size: 1 }), (say) => ({ after: say.event('add', 'collections/spells/2', [20]), data: [say.event('add', 'collections/spells/1', [10])] })],
    [(q) => q.Paginate(spell(q, 1), { events: true }), (say) => ({ data: [say.event('create', 'collections/spells/1', SPELLS[0])] })],
    [(q) => q.Paginate(levels(q), { ts: q.Time('now'), size: 1 }), (say) => ({ after: [20, say.spell(2)], data: [10] })],
    [(q) => q.Paginate(levels(q), { size: 'x' }), badArgument('Integer expected, String provided.', 'size')],
  ],
};

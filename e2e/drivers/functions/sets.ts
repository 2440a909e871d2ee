// Sets, as values and as what they hold (reference: fql/functions.md §6; fql/wire.md §4).
import { badArgument, type Cases, failed, ref, set } from '../cases.ts';
import type { Expr, Query } from '../driver.ts';
import { SPELLS } from '../fixture.ts';

const spell = (q: Query, id: number): Expr => q.Ref(q.Class('spells'), String(id));
const levels = (q: Query): Expr => q.Match(q.Index('levels'));
const element = (q: Query, name: string): Expr => q.Match(q.Index('by_element'), name);

/** How sets are shown. */
const INDEX = ref('indexes/by_element');
const FIRE = set({ match: INDEX, terms: 'fire' });
const WATER = set({ match: INDEX, terms: 'water' });

export const sets: Cases = {
  Match: [
    [(q) => levels(q), set({ match: ref('indexes/levels') })],
    [(q) => element(q, 'fire'), FIRE],
    [(q) => q.Match(q.Index('by_element_and_level'), 'water', 20), set({ match: ref('indexes/by_element_and_level'), terms: ['water', 20] })],
    [(q) => q.Paginate(element(q, 'water')), (say) => ({ data: [say.spell(2), say.spell(4)] })],
    [(q) => q.Paginate(q.Match(q.Index('by_element_and_level'), 'water', 40)), (say) => ({ data: [say.spell(4)] })],
    [(q) => q.Match('nowhere', 1), failed('BadRequest', 'invalid ref', "Ref refers to undefined index 'nowhere'", ['index'])],
    [(q) => q.Match(q.Index('nowhere')), failed('BadRequest', 'invalid ref', "Ref refers to undefined index 'nowhere'", ['match'])],
  ],
  Singleton: [
    [(q) => q.Singleton(spell(q, 1)), (say) => set({ singleton: say.spell(1) })],
    [(q) => q.Paginate(q.Singleton(spell(q, 1))), (say) => ({ data: [say.spell(1)] })],
    [(q) => q.Paginate(q.Singleton(spell(q, 99))), { data: [] }],
  ],
  Events: [
    [(q) => q.Events(spell(q, 1)), (say) => set({ events: say.spell(1) })],
    [(q) => q.Paginate(q.Events(spell(q, 1))), (say) => ({ data: [say.event('create', 'collections/spells/1', SPELLS[0])] })],
    [(q) => q.Paginate(q.Events(element(q, 'fire'))), (say) => ({ data: [say.event('add', 'collections/spells/1')] })],
    [(q) => q.Paginate(q.Events(levels(q)), { size: 1 }), (say) => ({ after: say.event('add', 'collections/spells/2', [20]), data: [say.event('add', 'collections/spells/1', [10])] })],
    [(q) => q.Paginate(q.Events(q.Singleton(spell(q, 1)))), (say) => ({ data: [say.event('add', 'collections/spells/1')] })],
  ],
  Union: [
    [(q) => q.Union(element(q, 'fire'), element(q, 'water')), set({ union: [FIRE, WATER] })],
    [(q) => q.Paginate(q.Union(element(q, 'water'), element(q, 'fire'))), (say) => ({ data: [1, 2, 4].map(say.spell) })],
    [(q) => q.Union(element(q, 'fire')), set({ union: FIRE })],
    [(q) => q.Union(element(q, 'fire'), [1]), badArgument('Arguments cannot be of different types, expected Set or Array.', 'union')],
  ],
  Intersection: [
    [(q) => q.Intersection(element(q, 'fire'), element(q, 'water')), set({ intersection: [FIRE, WATER] })],
    [(q) => q.Paginate(q.Intersection(q.Match(q.Index('all')), element(q, 'water'))), (say) => ({ data: [2, 4].map(say.spell) })],
  ],
  Difference: [
    [(q) => q.Difference(element(q, 'fire'), element(q, 'water')), set({ difference: [FIRE, WATER] })],
    [(q) => q.Paginate(q.Difference(q.Match(q.Index('all')), element(q, 'water'))), (say) => ({ data: [1, 3].map(say.spell) })],
  ],
  Distinct: [
    [(q) => q.Distinct(element(q, 'fire')), set({ distinct: FIRE })],
    [(q) => q.Paginate(q.Distinct(levels(q))), { data: [10, 20, 30, 40] }],
  ],
  Join: [
    [(q) => q.Join(element(q, 'fire'), (s) => q.Match(q.Index('books_with'), s)),
      set({ join: FIRE, with: { lambda: 's', expr: { match: { index: 'books_with' }, terms: { var: 's' } } } }), { from: '2.0.0', before: '3.0.1' }],
    [(q) => q.Paginate(q.Join(q.Match(q.Index('all')), (s) => q.Match(q.Index('books_with'), s))), (say) => ({ data: [say.ref('collections/books/1'), say.ref('collections/books/2')] })],
    [(q) => q.Paginate(q.Join(element(q, 'fire'), q.Index('books_with'))), (say) => ({ data: [say.ref('collections/books/1')] })],
    [(q) => q.Join(element(q, 'fire'), 1), badArgument('Lambda or Index Ref expected, Integer provided.', 'with')],
  ],
  Range: [
    [(q) => q.Range(levels(q), 20, 30), set({ range: set({ match: ref('indexes/levels') }), from: 20, to: 30 })],
    [(q) => [q.Paginate(q.Range(levels(q), 20, 30)), q.Paginate(q.Range(levels(q), [], 15)), q.Paginate(q.Range(levels(q), [30], []))], [{ data: [20, 30] }, { data: [10] }, { data: [30, 40] }]],
  ],
  Documents: [
    [(q) => q.Documents(q.Collection('spells')), set({ documents: ref('collections/spells') })],
    [(q) => q.Paginate(q.Documents(q.Collection('spells'))), (say) => ({ data: [1, 2, 3, 4].map(say.spell) })],
    [(q) => q.Documents(1), badArgument('Collection Ref expected, Integer provided.', 'documents')],
  ],
  Reverse: [
    [(q) => q.Reverse(levels(q)), set({ reverse: set({ match: ref('indexes/levels') }) })],
    [(q) => q.Paginate(q.Reverse(levels(q)), { size: 3 }), (say) => ({ after: [10, say.spell(1)], data: [40, 30, 20] })],
  ],
};

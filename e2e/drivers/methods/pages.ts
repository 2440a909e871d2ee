// Pages one after the other, by the driver's own helper.
import { badArgument } from '../cases.ts';
import { type Methods, type PageHelper, pagesOf, type Stage } from './method.ts';

const levels = ({ client, q }: Stage, options?: object): PageHelper => client.paginate(q.Match(q.Index('levels')), options);
const newest = { from: '2.14.2' } as const;

export const pages: Methods = {
  'Client.paginate': [[(stage) => pagesOf(levels(stage)), [[10, 20, 30, 40]]]],
  'PageHelper.each': [
    [(stage) => pagesOf(levels(stage, { size: 3 })), [[10, 20, 30], [40]]],
    [(stage) => pagesOf(levels(stage, { size: 1, after: [30] })), [[30], [40]]],
    [({ client, q }) => pagesOf(client.paginate(q.Match(q.Index('by_element'), 'air'))), [[]]],
    [(stage) => pagesOf(levels(stage, { size: 'x' })), badArgument('Integer expected, String provided.', 'size')],
    [({ client, q }) => pagesOf(client.paginate(q.Ref('classes/spells/1'), { events: true })),
      (say) => [[say.event('create', 'collections/spells/1', { name: 'Fire Beak', element: 'fire', level: 10 })]], { before: '2.14.2' }],
    // Two generations tell the ref by its older name too.
    [({ client, q }) => pagesOf(client.paginate(q.Events(q.Match(q.Index('levels'))), { size: 3, after: 0 })),
      (say) => [[1, 2, 3], [4]].map((ids) => ids.map((id) => ({ ...say.event('add', `collections/spells/${id}`, [10 * id]), instance: say.spell(id) }))), { from: '2.14.2', before: '4.8.2' }],
    [({ client, q }) => pagesOf(client.paginate(q.Events(q.Match(q.Index('levels'))), { size: 3 })),
      (say) => [[1, 2, 3], [4]].map((ids) => ids.map((id) => say.event('add', `collections/spells/${id}`, [10 * id]))), { from: '4.8.2' }],
    [({ client, q }) => pagesOf(client.paginate(q.Match(q.Index('by_element'), 'fire'), { sources: true })),
      (say) => [[{ value: say.spell(1), sources: [{ Set: { match: { Ref: 'indexes/by_element' }, terms: 'fire' } }] }]]],
  ],
  'PageHelper.eachReverse': [
    [(stage) => pagesOf(levels(stage, { size: 3 }), 'eachReverse'), [[20, 30, 40], [10]]],
    [(stage) => pagesOf(levels(stage, { size: 3, before: [30] }), 'eachReverse'), [[10, 20]]],
    [({ client, q }) => pagesOf(client.paginate(q.Match(q.Index('all'))), 'eachReverse'), (say) => [[1, 2, 3, 4].map(say.spell)]],
  ],
  'PageHelper.map': [
    [(stage) => pagesOf(levels(stage).map((level) => stage.q.Multiply(level, 2))), [[20, 40, 60, 80]]],
    [({ client, q }) => pagesOf(client.paginate(q.Match(q.Index('all'))).map((ref) => q.Select(['data', 'name'], q.Get(ref)))), [['Fire Beak', 'Water Dragon', 'Stone Skin', 'Rain Dance']]],
  ],
  'PageHelper.filter': [
    [(stage) => pagesOf(levels(stage).filter((level) => stage.q.GT(level, 20))), [[30, 40]]],
    [(stage) => pagesOf(levels(stage).filter((level) => stage.q.GT(level, 20)).map((level) => stage.q.Add(level, 1))), [[31, 41]]],
  ],
  'PageHelper.nextPage': [
    [async (stage) => {
      const helper = levels(stage, { size: 2 });
      return [await helper.nextPage(), await helper.nextPage()];
    }, [[10, 20], [30, 40]]],
  ],
  'PageHelper.previousPage': [
    [async (stage) => {
      const helper = levels(stage, { size: 2 });
      return [await helper.nextPage(), await helper.nextPage(), await helper.previousPage()];
    }, [[10, 20], [30, 40], [10, 20]]],
    [(stage) => levels(stage, { size: 3 }).previousPage(), [20, 30, 40]],
    [(stage) => levels(stage, { size: 1, cursor: { before: [30] } }).previousPage(), [20], newest],
  ],
};

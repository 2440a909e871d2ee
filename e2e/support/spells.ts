// The spells of the query examples, made through the query interface.
import type { Database } from './database.ts';

export const SPELLS = { class: 'spells' };
export const spell = (id: number): object => ({ ref: SPELLS, id: String(id) });
export const match = (index: string, ...terms: unknown[]): object =>
  terms.length === 0 ? { match: { index } } : { match: { index }, terms: terms.length === 1 ? terms[0] : terms };
export const object = (fields: object): object => ({ object: fields });
export const field = (...path: string[]): object => object({ field: path });

export const DATA = {
  1: { name: 'Fire Beak', element: 'fire', level: 1 },
  2: { name: 'Water Claw', element: 'water', level: 2 },
  3: { name: 'Hippo Wallow', element: 'water', level: 3 },
} as const;

/** Times of the three spells' creation. */
export type Times = Readonly<Record<1 | 2 | 3, number>>;

export const createIndex = (name: string, fields: object): object => ({ create_index: object({ name, source: SPELLS, ...fields }) });
export const create = (id: number, data: object): object => ({
  create: spell(id),
  params: object({ data: object(data) }),
});

/** The class, its indexes, and three spells. */
export async function createSpells(database: Database): Promise<Times> {
  await database.write({ create_class: object({ name: 'spells' }) });
  await database.write(createIndex('all_spells', {}));
  await database.write(createIndex('by_element', { terms: [field('data', 'element')] }));
  await database.write(createIndex('by_element_and_level', { terms: [field('data', 'element'), field('data', 'level')] }));
  await database.write(createIndex('levels', { values: [field('data', 'level')] }));
  await database.write(createIndex('levels_down', { values: [object({ field: ['data', 'level'], reverse: true })] }));
  await database.write(createIndex('names', { terms: [field('data', 'element')], values: [field('data', 'name'), field('ref')] }));
  return {
    1: await database.write(create(1, DATA[1])),
    2: await database.write(create(2, DATA[2])),
    3: await database.write(create(3, DATA[3])),
  };
}

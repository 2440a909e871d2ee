import { describe, expect, it } from 'vitest';
import type { Api } from './api.ts';
import { countDocuments, readCollections, readFunctions, readImported, readIndexes } from './contents.ts';

const answering = (resource: unknown, status = 200): Api => ({
  fql: async () => ({ status, text: JSON.stringify({ resource }), milliseconds: 1, request: 'POST /' }),
  graphql: () => Promise.reject(new Error('not used')),
  importSchema: () => Promise.reject(new Error('not used')),
});

const collections = { '@ref': { id: 'collections' } };
const ref = (id: string) => ({ '@ref': { id, collection: collections } });

describe('what a database holds', () => {
  it('lists names in order and says what an index is of', async () => {
    const indexes = [
      { name: 'spells_by_element', source: ref('spells'), terms: [{ field: ['data', 'element'] }, { binding: 'length' }], values: [{ field: ['data', 'cost'], reverse: true }, { field: ['ref'] }] },
      { name: 'all_spells', source: { collection: ref('spells') } },
      { name: 'emails', source: [{ collection: ref('users') }, { collection: ref('guests') }], terms: [{ field: ['data', 'contact', 'email'] }], unique: true },
      { name: 'everything', source: { collection: '_' } },
      // As it was written.
      { name: 'one', source: [ref('users')], terms: { field: ['data', 'name'] }, values: { field: 'ts' } },
    ];
    expect(await readIndexes(answering(indexes))).toEqual([
      { name: 'all_spells', about: 'spells', hasTerms: false },
      { name: 'emails', about: 'users, guests by contact.email · unique', hasTerms: true },
      { name: 'everything', about: 'all', hasTerms: false },
      { name: 'one', about: 'users by name · gives ts', hasTerms: true },
      { name: 'spells_by_element', about: 'spells by element, length · gives cost ↓, ref', hasTerms: true },
    ]);
    expect(await readCollections(answering([ref('users'), ref('guests')]))).toEqual(['guests', 'users']);
  });

  it('says what a function takes and as whom it runs', async () => {
    const functions = [
      { name: 'sum', body: { '@query': { lambda: ['left', 'right'], expr: {} } }, role: ref('adder') },
      { name: 'login', body: { '@query': { lambda: 'credentials', expr: {} } }, role: 'server' },
      { name: 'always', body: { '@query': { lambda: '_', expr: {} } } },
    ];
    expect(await readFunctions(answering(functions))).toEqual([
      { name: 'always', about: '(_)' },
      { name: 'login', about: '(credentials) · as server' },
      { name: 'sum', about: '(left, right) · as adder' },
    ]);
  });

  it('keeps the order of names that run from the right', async () => {
    const [index] = await readIndexes(answering([{ name: 'by', source: ref('كتب'), terms: [{ field: ['data', 'اسم'] }, { field: ['data', 'بلد'] }] }]));
    expect(index?.about).toBe('\u2068كتب\u2069 by \u2068اسم\u2069, \u2068بلد\u2069');
    const [called] = await readFunctions(answering([{ name: 'sum', body: { '@query': { lambda: ['اسم', 'name'], expr: {} } } }]));
    expect(called?.about).toBe('(\u2068اسم\u2069, name)');
  });

  it('counts in the order asked', async () => {
    expect(await countDocuments(answering([3, 10_001]), ['a', 'b'])).toEqual([3, 10_001]);
  });

  it('names what imports have made', async () => {
    expect(await readImported(answering([[ref('users'), ref('guests')], [ref('emails')], []]))).toEqual({ collections: ['guests', 'users'], indexes: 1, functions: 0 });
  });

  it('refuses an answer that is an error', async () => {
    await expect(readCollections(answering(null, 401))).rejects.toThrow('The database answered 401');
  });
});

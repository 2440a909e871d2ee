import { readFileSync } from 'node:fs';
import { coerceInputValue, isInputType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { expand } from '../engine/graphql/expand.ts';
import { planImport } from '../engine/graphql/import-plan.ts';
import { EMPTY_MODEL } from '../engine/graphql/model.ts';
import type { Answer, Api } from './api.ts';
import { loadSample } from './sample.ts';
import type { Sample } from './sample.ts';

const file = (name: string) => readFileSync(new URL(`../../public/samples/world/${name}`, import.meta.url), 'utf8');
const whole = JSON.parse(file('data.json')) as Omit<Sample, 'schema'>;
const sample: Sample = {
  schema: 'type Country { code: String! }',
  countries: [{ code: 'AT' }, { code: 'JP' }],
  cities: [
    { geonameId: 1, country: 'JP' },
    { geonameId: 2, country: 'AT' },
  ],
};

function schemaOfSample() {
  const schema = expand(planImport(file('schema.graphql'), 'merge', EMPTY_MODEL).model, () => () => null);
  if (schema === null) throw new Error('the sample has no schema');
  return schema;
}

/** A gateway that holds what it is given and hands out ids `c0`, `c1`, … */
function gateway(limit = Infinity) {
  const stored = { Country: [] as Record<string, unknown>[], City: [] as Record<string, unknown>[] };
  const documents: string[] = [];
  const requests: string[] = [];
  const answer = (body: unknown): Answer => ({ status: 200, text: JSON.stringify(body), milliseconds: 1, request: '' });
  const api: Api = {
    fql: () => Promise.reject(new Error('not used')),
    importSchema: async () => answer('Schema imported successfully.'),
    graphql: async (query, text) => {
      documents.push(query);
      const variables = JSON.parse(text) as Record<string, Record<string, unknown>>;
      const listed = /list: all(Countries|Cities)/.exec(query)?.[1];
      if (listed !== undefined) {
        return answer({ data: { list: { data: listed === 'Cities' ? stored.City : stored.Country, after: null } } });
      }
      requests.push(query);
      if (requests.length > limit) return answer({ errors: [{ message: 'No room.' }] });
      const list = query.includes('createCity') ? stored.City : stored.Country;
      const created = Object.entries(variables).map(([name, record]) => {
        const document = { ...record, _id: `c${stored.Country.length + stored.City.length}` };
        list.push(document);
        return [name, { _id: document._id }];
      });
      return answer({ data: Object.fromEntries(created) as unknown });
    },
  };
  return { api, stored, requests, documents };
}

const options = () => ({ onProgress: () => {}, signal: new AbortController().signal });

describe('loading the sample', () => {
  it('connects each city to its country by id', async () => {
    const { api, stored } = gateway();
    expect(await loadSample(api, sample, options())).toEqual({ countries: 2, cities: 2, found: 0 });
    expect(stored.City).toEqual([
      { geonameId: 1, country: { connect: 'c1' }, _id: 'c2' },
      { geonameId: 2, country: { connect: 'c0' }, _id: 'c3' },
    ]);
  });

  it('adds nothing the second time', async () => {
    const { api, stored } = gateway();
    await loadSample(api, sample, options());
    expect(await loadSample(api, sample, options())).toEqual({ countries: 0, cities: 0, found: 4 });
    expect(stored.Country.length + stored.City.length).toBe(4);
  });

  it('goes on where an earlier load stopped, with the ids of what was there', async () => {
    const stopped = gateway(1);
    await expect(loadSample(stopped.api, sample, options())).rejects.toThrow('No room.');
    expect(stopped.stored.City).toEqual([]);
    const resumed = gateway();
    resumed.stored.Country.push(...stopped.stored.Country);
    expect(await loadSample(resumed.api, sample, options())).toEqual({ countries: 0, cities: 2, found: 2 });
    expect(resumed.stored.City[0]).toEqual({ geonameId: 1, country: { connect: 'c1' }, _id: 'c2' });
  });

  it('sends fifty records a request and tells how far it is', async () => {
    const { api, requests } = gateway();
    const steps: number[] = [];
    const many = { ...sample, cities: Array.from({ length: 120 }, (_, at) => ({ geonameId: at, country: 'AT' })) };
    await loadSample(api, many, { ...options(), onProgress: (done) => steps.push(done) });
    expect(steps).toEqual([0, 2, 52, 102, 122]);
    expect(requests.length).toBe(4);
  });

  it('sends what the schema of the sample allows, and nothing it would refuse', async () => {
    const schema = schemaOfSample();
    const { api, documents, stored } = gateway();
    await loadSample(api, { ...whole, schema: file('schema.graphql') }, options());
    expect(documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message))).toEqual([]);

    const refused: string[] = [];
    for (const [type, records] of Object.entries(stored)) {
      const input = schema.getType(`${type}Input`);
      if (!isInputType(input)) throw new Error(`no input for ${type}`);
      for (const { _id, ...record } of records) coerceInputValue(record, input, (_, __, error) => refused.push(error.message));
    }
    expect(refused).toEqual([]);
    expect([stored.Country.length, stored.City.length]).toEqual([252, 1544]);
  });

  it('ships records that agree with one another', () => {
    const codes = new Set(whole.countries.map(({ code }) => code));
    expect([codes.size, whole.countries.length]).toEqual([252, 252]);
    expect(new Set(whole.cities.map(({ geonameId }) => geonameId)).size).toBe(1544);
    expect(whole.cities.filter(({ country }) => !codes.has(country))).toEqual([]);
  });
});

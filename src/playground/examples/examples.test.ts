import { readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { expand } from '../../engine/graphql/expand.ts';
import { planImport } from '../../engine/graphql/import-plan.ts';
import { EMPTY_MODEL } from '../../engine/graphql/model.ts';
import { translate } from '../fql/translate.ts';
import { codeExamples } from './code.ts';
import type { ExampleGroup } from './example.ts';
import { fqlExamples } from './fql.ts';
import { graphqlExamples, schemaText } from './graphql.ts';

const sampleSchema = readFileSync(new URL('../../../public/samples/world/schema.graphql', import.meta.url), 'utf8');
const plan = (text: string) => planImport(text, 'merge', EMPTY_MODEL);
const all = (groups: readonly ExampleGroup[]) => groups.flatMap((group) => group.examples);

describe('the examples', () => {
  it.each(all(fqlExamples))('$name: is JSON', ({ text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(all(codeExamples))('$name: is FQL', ({ text }) => {
    expect(translate(text)).toHaveProperty('json');
  });

  it.each(all(graphqlExamples))('$name: fits the schema of the sample, and its variables are JSON', ({ text, variables = '{}' }) => {
    const schema = expand(plan(sampleSchema).model, () => () => null);
    if (schema === null) throw new Error('the sample has no schema');
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
    expect(() => JSON.parse(variables)).not.toThrow();
  });

  it('shows a schema that can be imported', () => {
    expect(plan(schemaText).documents.map(({ name }) => name).sort()).toEqual(['Todo', 'allTodos', 'todosByIsDone', 'unique_Todo_title']);
  });
});

describe('the schema of the sample', () => {
  it('makes two collections, related by an index', () => {
    expect(plan(sampleSchema).documents.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
      'collection City',
      'collection Country',
      'index allCities',
      'index allCountries',
      'index citiesByIsCapital',
      'index citiesByName',
      'index city_country_by_country',
      'index countriesByContinent',
      'index countryByCode',
      'index unique_City_geonameId',
      'index unique_Country_code',
    ]);
  });
});

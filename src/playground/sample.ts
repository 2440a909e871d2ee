// Loads the sample through the public interface only: the schema by `/import`, the records by
// GraphQL mutations of fifty at a time. What is already there (by its unique code or number) is
// left alone, so an interrupted load goes on where it stopped and a second one adds nothing.
import type { Api } from './api.ts';
import { errorsOf } from './answer-errors.ts';

export interface Sample {
  /** SDL text. */
  readonly schema: string;
  readonly countries: readonly CountryRecord[];
  readonly cities: readonly CityRecord[];
}

interface CountryRecord {
  readonly code: string;
}

interface CityRecord {
  readonly geonameId: number;
  /** Code of its country. */
  readonly country: string;
}

export interface Loaded {
  readonly countries: number;
  readonly cities: number;
  /** Records that were there before. */
  readonly found: number;
}

export interface LoadOptions {
  /** Called with the records there so far, found ones included, and all there will be. */
  readonly onProgress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

const BATCH = 50;

/** @param base path of the page, ending with `/` */
export async function fetchSample(base: string, signal: AbortSignal): Promise<Sample> {
  const read = async (file: string): Promise<Response> => {
    const response = await fetch(`${base}samples/world/${file}`, { signal });
    if (!response.ok) throw new Error(`The file ${file} of the sample could not be read (HTTP ${response.status}).`);
    return response;
  };
  const [schema, data] = await Promise.all([read('schema.graphql'), read('data.json')]);
  return { schema: await schema.text(), ...((await data.json()) as Omit<Sample, 'schema'>) };
}

/**
 * @throws Error with the database's words when it refuses something; what was loaded until then stays
 * @throws DOMException `AbortError` when cancelled; a batch that was sent is there or not there as a whole
 */
export async function loadSample(api: Api, sample: Sample, { onProgress, signal }: LoadOptions): Promise<Loaded> {
  const imported = await api.importSchema(sample.schema, 'merge', { signal });
  if (imported.status !== 200) throw new Error(`The schema was refused: ${imported.text}`);

  const countryIds = new Map(await list(api, 'allCountries', 'code', signal));
  const cityIds = new Map(await list(api, 'allCities', 'geonameId', signal));
  const countries = sample.countries.filter(({ code }) => !countryIds.has(code));
  const cities = sample.cities.filter(({ geonameId }) => !cityIds.has(geonameId));

  const all = sample.countries.length + sample.cities.length;
  const found = all - countries.length - cities.length;
  let done = found;
  const advance = (count: number): void => onProgress((done += count), all);
  advance(0);

  for (const batch of batches(countries)) {
    const ids = await create(api, 'Country', batch, signal);
    batch.forEach(({ code }, at) => countryIds.set(code, ids[at] ?? ''));
    advance(batch.length);
  }
  for (const batch of batches(cities)) {
    const records = batch.map((city) => ({ ...city, country: { connect: countryIds.get(city.country) } }));
    await create(api, 'City', records, signal);
    advance(batch.length);
  }
  return { countries: countries.length, cities: cities.length, found };
}

interface Page {
  readonly data: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly after: string | null;
}

/** Key and document id of everything a list query gives, page by page. */
async function list(api: Api, query: string, key: string, signal: AbortSignal): Promise<[unknown, string][]> {
  const entries: [unknown, string][] = [];
  let cursor: string | null = null;
  do {
    const document = `query List($cursor: String) { list: ${query}(_size: 1000, _cursor: $cursor) { data { _id ${key} } after } }`;
    const { list: page }: { list: Page } = await data<{ list: Page }>(api, document, { cursor }, signal);
    for (const item of page.data) if (item !== null) entries.push([item[key], String(item['_id'])]);
    cursor = page.after;
  } while (cursor !== null);
  return entries;
}

/** Ids of the new documents, in order. One request, so one transaction: all or none. */
async function create(api: Api, type: string, records: readonly unknown[], signal: AbortSignal): Promise<readonly string[]> {
  const names = records.map((_, at) => `r${at}`);
  const document = `mutation Load(${names.map((name) => `$${name}: ${type}Input!`).join(', ')}) {
${names.map((name) => `  ${name}: create${type}(data: $${name}) { _id }`).join('\n')}
}`;
  const variables = Object.fromEntries(names.map((name, at) => [name, records[at]]));
  const created = await data<Record<string, { _id: string }>>(api, document, variables, signal);
  return names.map((name) => created[name]?._id ?? '');
}

async function data<T>(api: Api, document: string, variables: object, signal: AbortSignal): Promise<T> {
  const answer = await api.graphql(document, JSON.stringify(variables), { signal });
  const [error] = errorsOf(answer);
  if (error !== undefined) throw new Error(error.description);
  return (JSON.parse(answer.text) as { data: T }).data;
}

function* batches<T>(records: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < records.length; at += BATCH) yield records.slice(at, at + BATCH);
}

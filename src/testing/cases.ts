// Conformance tables: one query, one version, one exact answer per row. The rows of a table
// run in order against one engine, so that a row may build on those before it.
import { beforeAll, describe, expect, it } from 'vitest';
import { succeeded, type TestClient, testClient } from './client.ts';

/** Status and body. A row may also give only the text of the resource (status 200), or an error. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Query, answer, and the version it is asked in when that is not the table's (`''`: no header). */
export type Row = readonly [query: string, answer: string | Answer, version?: string];

export interface Table {
  readonly version?: string;
  /** Queries that make what the rows are about; each must succeed. */
  readonly world?: readonly string[];
}

export function conforms(name: string, { version = '4', world = [] }: Table, rows: readonly Row[]): void {
  describe(name, () => {
    let client: TestClient;
    beforeAll(async () => {
      client = await testClient();
      await populate(client, world);
    });
    for (const [query, answer, asked = version] of rows) {
      it(`${asked === '' ? 'no version' : asked}: ${shorten(query)}`, async () => {
        const { status, text } = await client.query(query, asked);
        const expected = typeof answer === 'string' ? ok(answer) : answer;
        expect(`${status} ${steady(text)}`).toBe(`${expected.status} ${expected.body}`);
      });
    }
  });
}

/** One query asked in several versions. */
export const inVersions = (query: string, answers: Readonly<Record<string, string | Answer>>): readonly Row[] =>
  Object.entries(answers).flatMap(([versions, answer]) => versions.split(' ').map((version): Row => [query, answer, version]));

export const ALL_VERSIONS = '2.0 2.1 2.7 2.12 3 4';

/** Runs queries under version 4. @throws Error when one of them fails */
export async function populate(client: TestClient, queries: readonly string[]): Promise<void> {
  for (const query of queries) succeeded(await client.query(query), query);
}

/** What differs from run to run, in words: times of the clock, ids made from it, secrets and their hashes. */
export function steady(text: string): string {
  return text
    .replace(/\b15778[34]\d{10,11}\b/g, 'TS')
    .replace(/\b2533\d{14}\b/g, 'ID')
    .replace(/("global_id":)"[a-z0-9]{13}"/g, '$1"GID"')
    .replace(/"fn[A-Za-z0-9_-]{38,}"/g, '"SECRET"')
    .replace(/("hashed_secret":)"[^"]+"/g, '$1"HASH"');
}

const shorten = (query: string): string => (query.length > 160 ? `${query.slice(0, 157)}…` : query);

// --- answers ---------------------------------------------------------------------------

export const ok = (resource: string): Answer => ({ status: 200, body: `{"resource":${resource}}` });
export const created = (resource: string): Answer => ({ status: 201, body: `{"resource":${resource}}` });

export interface ErrorText {
  readonly status: number;
  readonly text: string;
}

/** @param at the position with its steps behind each other: `add/0`; `''` is the root */
export function fault(status: number, code: string, at: string, description: string, more = ''): Answer & ErrorText {
  const position = at === '' ? [] : at.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const text = `{"position":${JSON.stringify(position)},"code":"${code}","description":${JSON.stringify(description)}${more}}`;
  return { status, text, body: `{"errors":[${text}]}` };
}

/** Several errors in one answer, whose status is that of the one that counts. */
export const faults = (status: number, ...errors: readonly ErrorText[]): Answer => ({
  status,
  body: `{"errors":[${errors.map(({ text }) => text).join(',')}]}`,
});

type Fault = (at: string, description: string) => Answer & ErrorText;
const faulty = (status: number, code: string): Fault => (at, description) => fault(status, code, at, description);

export const argument = faulty(400, 'invalid argument');
export const expression = faulty(400, 'invalid expression');
export const undefinedRef = faulty(400, 'invalid ref');
export const notFound = faulty(404, 'instance not found');

export const noForm = (at: string, ...keys: readonly string[]): Answer & ErrorText =>
  expression(at, `No form/function found, or invalid argument keys: { ${keys.join(', ')} }.`);
export const unbound = (at: string, name: string): Answer & ErrorText => expression(at, `Variable '${name}' is not defined.`);
export const noValue = (at: string, path: string): Answer & ErrorText => fault(404, 'value not found', at, `Value not found at path [${path}].`);
export const denied = (at: string): Answer & ErrorText =>
  fault(403, 'permission denied', at, 'Insufficient privileges to perform the action.');

export type FieldFault = readonly [field: readonly string[], code: string, description: string];

/** What is wrong with fields of a document. */
export function invalid(at: string, ...failures: readonly FieldFault[]): Answer & ErrorText {
  const list = failures.map(([field, code, description]) => JSON.stringify({ field, code, description }));
  return fault(400, 'validation failed', at, 'document data is not valid.', `,"failures":[${list.join(',')}]`);
}

// --- refs as versions from 2.7 on write them -------------------------------------------

export const nativeRef = (name: string): string => `{"@ref":{"id":"${name}"}}`;
const namedRef = (native: string) => (name: string): string => `{"@ref":{"id":"${name}","collection":${nativeRef(native)}}}`;
export const collectionRef = namedRef('collections');
export const indexRef = namedRef('indexes');
export const functionRef = namedRef('functions');
export const roleRef = namedRef('roles');
export const databaseRef = namedRef('databases');
export const docRef = (collection: string, id: string | number): string =>
  `{"@ref":{"id":"${id}","collection":${collectionRef(collection)}}}`;

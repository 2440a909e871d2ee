// Definitions that earlier builds took, which refused less, can be changed in all that may change.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';
import type { Prepared } from './preparation.ts';

const build = vi.hoisted(() => ({ isEarlier: false }));
const lenient = vi.hoisted(() => <A extends unknown[]>(real: (...args: A) => Prepared) => (...args: A): Prepared => {
  const prepared = real(...args);
  return build.isEarlier ? { ...prepared, failures: [] } : prepared;
});
vi.mock(import('./index-definition.ts'), async (original) => ({ indexDefinition: lenient((await original()).indexDefinition) }));
vi.mock(import('./roles.ts'), async (original) => ({ prepareRole: lenient((await original()).prepareRole) }));

let client: TestClient;

async function ask(query: string): Promise<unknown> {
  const { text } = await client.query(query);
  const { resource, errors } = JSON.parse(text) as { resource?: unknown; errors?: { failures?: { field: unknown; code: string }[] }[] };
  return errors === undefined ? resource : errors.flatMap(({ failures }) => failures?.map(({ field, code }) => [field, code]));
}

async function earlier(query: string): Promise<void> {
  build.isEarlier = true;
  await ask(query);
  build.isEarlier = false;
}

const A = '{"collection":"a"}';
const update = (ref: string, params: string): string => `{"select":"data","from":{"update":${ref},"params":{"object":${params}}}}`;
const NOTED = '{"data":{"object":{"note":1}}}';

beforeEach(async () => {
  client = await testClient();
  await ask('{"create_collection":{"object":{"name":"a"}}}');
});

describe.each([
  ['a flag that is none', `"source":${A},"values":[{"object":{"field":"ts","reverse":"true"}}]`],
  ['a term without a path', `"source":${A},"terms":[{"object":{"reverse":true}}]`],
  ['one collection twice', `"source":[${A},${A}]`],
  ['a binding that nobody uses', `"source":{"object":{"class":${A},"fields":{"object":{"n":{"query":{"lambda":"d","expr":1}}}}}}`],
])('an index that was stored with %s', (_, definition) => {
  beforeEach(() => earlier(`{"create_index":{"object":{"name":"i",${definition}}}}`));

  it('takes a name and data', async () => {
    expect(await ask(update('{"index":"i"}', NOTED))).toEqual({ note: 1 });
    expect(await ask(update('{"index":"i"}', '{"name":"j"}'))).toEqual({ note: 1 });
  });

  it('keeps its definition', async () => {
    const failures = await ask(update('{"index":"i"}', '{"values":[{"object":{"field":["data","other"]}}]}'));
    expect(failures).toContainEqual([[], 'invalid index']);
  });

  it('is told of partitions', async () => {
    expect(await ask(update('{"index":"i"}', '{"partitions":9}'))).toContainEqual([['partitions'], 'bounds error']);
  });
});

describe.each([
  ['an action that is none', '"privileges"', `{"object":{"resource":${A},"actions":{"object":{"read":1}}}}`, [['actions', 'read'], 'invalid type']],
  ['too many arguments', '"privileges"', `{"object":{"resource":${A},"actions":{"object":{"read":{"query":{"lambda":["x","y"],"expr":true}}}}}}`,
    [['privileges', 'actions', 'read'], 'invalid arity']],
  ['a predicate that is none', '"membership"', `{"object":{"resource":${A},"predicate":true}}`, [['predicate'], 'invalid type']],
])('a role that was stored with %s', (_, key, value, failure) => {
  it('takes data, and is told of it when it is sent anew', async () => {
    await earlier(`{"create_role":{"object":{"name":"r",${key}:${value}}}}`);
    expect(await ask(update('{"role":"r"}', NOTED))).toEqual({ note: 1 });
    expect(await ask(update('{"role":"r"}', `{${key}:null}`))).toEqual({ note: 1 });
    expect(await ask(update('{"role":"r"}', `{${key}:${value}}`))).toEqual([failure]);
  });
});

// Every form's examples, run through the whole engine under the newest version. They are what
// the function reference shows.
import { describe, expect, it } from 'vitest';
import { populate, steady } from '../../testing/cases.ts';
import { type TestClient, testClient } from '../../testing/client.ts';
import type { Effect } from '../form/effect.ts';
import { EXAMPLE_WORLD } from './example-world.ts';
import { FORMS } from './registry.ts';
import { SYNTAX_FORMS } from './syntax-docs.ts';

async function freshClient(): Promise<TestClient> {
  const client = await testClient();
  await populate(client, EXAMPLE_WORLD);
  return client;
}

let shared: Promise<TestClient> | null = null;

/** Examples that write have an engine of their own. */
const clientFor = (effect: Effect): Promise<TestClient> => (effect === 'write' ? freshClient() : (shared ??= freshClient()));

const EXAMPLES = FORMS.filter(({ until }) => until === undefined).flatMap((form) =>
  form.examples.map(([query, result]) => [form.name, query, result, form.effect] as const),
);

describe('examples', () => {
  it.each(EXAMPLES)('%s: %s', async (_name, query, result, effect) => {
    const { text } = await (await clientFor(effect)).query(query);
    expect(steady(text)).toBe(`{"resource":${result}}`);
  });

  it.each(SYNTAX_FORMS.flatMap(({ examples }) => examples))('%s', async (query, result) => {
    expect((await (await clientFor('pure')).query(query)).text).toBe(`{"resource":${result}}`);
  });

  it('may speak of what one query makes', async () => {
    const client = await testClient();
    expect((await client.query(`{"do":[${EXAMPLE_WORLD.join(',')}]}`)).status).toBe(201);
    expect((await client.query('{"count":{"documents":{"collection":"spells"}}}')).text).toBe('{"resource":3}');
  });

  it('stand at every form', () => {
    expect(FORMS.filter(({ examples }) => examples.length === 0).map(({ keys }) => keys.join(' '))).toEqual([]);
  });
});

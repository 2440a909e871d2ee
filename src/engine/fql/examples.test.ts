// Every form's examples, run through the whole engine under the newest version. They are what
// the function reference shows.
import { describe, expect, it } from 'vitest';
import { populate, steady } from '../../testing/cases.ts';
import { type TestClient, testClient } from '../../testing/client.ts';
import type { Effect } from '../form/effect.ts';
import { FORMS } from './registry.ts';

/** What examples may speak of: a collection with three documents, indexes on it, a function, a role, a customer with a password. */
export const EXAMPLE_WORLD: readonly string[] = [
  '{"create_collection":{"object":{"name":"spells"}}}',
  '{"create_index":{"object":{"name":"spells_by_element","source":{"collection":"spells"},"terms":[{"object":{"field":["data","element"]}}]}}}',
  '{"create_index":{"object":{"name":"spells_by_cost","source":{"collection":"spells"},"values":[{"object":{"field":["data","cost"]}},{"object":{"field":["data","name"]}}]}}}',
  ...(
    [
      [1, 'Fire Beak', '["air","fire"]', 10],
      [2, "Water Dragon's Claw", '["water","fire"]', 25],
      [3, "Hippo's Wallow", '["water","earth"]', 35],
    ] as const
  ).map(
    ([id, name, element, cost]) =>
      `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"name":"${name}","element":${element},"cost":${cost}}}}}}`,
  ),
  '{"create_function":{"object":{"name":"double","body":{"query":{"lambda":"x","expr":{"multiply":[2,{"var":"x"}]}}}}}}',
  '{"create_role":{"object":{"name":"readers"}}}',
  '{"create_database":{"object":{"name":"annex"}}}',
  '{"create_collection":{"object":{"name":"customers"}}}',
  '{"create":{"ref":{"collection":"customers"},"id":"1"},"params":{"object":{"credentials":{"object":{"password":"owl"}}}}}',
  '{"create_access_provider":{"object":{"name":"issuer","issuer":"https://issuer.test","jwks_uri":"https://issuer.test/keys"}}}',
];

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

  it('stand at every form', () => {
    expect(FORMS.filter(({ examples }) => examples.length === 0).map(({ keys }) => keys.join(' '))).toEqual([]);
  });
});

// What the examples of the forms are about; for tests and the function reference.
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

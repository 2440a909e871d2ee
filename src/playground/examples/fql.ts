// Queries as JSON.
import type { ExampleGroup } from './example.ts';

export const fqlExamples: readonly ExampleGroup[] = [
  {
    name: 'From nothing',
    examples: [
      {
        name: 'Several operations at once',
        text: `[
  { "concat": ["Hello, ", "vivarium"] },
  { "add": [1, 2.5] },
  { "time": "now" }
]`,
      },
      { name: 'Create a class', text: `{ "create_class": { "object": { "name": "spells" } } }` },
      {
        name: 'Create an index',
        text: `{
  "create_index": {
    "object": {
      "name": "spells_by_element",
      "source": { "@ref": "classes/spells" },
      "terms": [{ "object": { "field": ["data", "element"] } }]
    }
  }
}`,
      },
      {
        name: 'Create an instance',
        text: `{
  "create": { "@ref": "classes/spells/181388642046968320" },
  "params": {
    "object": {
      "data": { "object": { "name": "Fire Beak", "element": ["air", "fire"] } }
    }
  }
}`,
      },
      { name: 'Get it', text: `{ "get": { "@ref": "classes/spells/181388642046968320" } }` },
      {
        name: 'Update it',
        text: `{
  "update": { "@ref": "classes/spells/181388642046968320" },
  "params": { "object": { "data": { "object": { "cost": 10 } } } }
}`,
      },
      {
        name: 'Select, with a default',
        text: `{
  "select": ["data", "cost"],
  "from": { "get": { "@ref": "classes/spells/181388642046968320" } },
  "default": 0
}`,
      },
      {
        name: 'Page of an index',
        text: `{
  "paginate": { "match": { "index": "spells_by_element" }, "terms": "fire" },
  "size": 10
}`,
      },
      {
        name: 'Events of an instance',
        text: `{
  "paginate": { "events": { "@ref": "classes/spells/181388642046968320" } }
}`,
      },
      {
        name: 'An error, with its position',
        text: `[
  "fine",
  { "get": { "@ref": "classes/spells/1" } }
]`,
      },
    ],
  },
  {
    name: 'With the sample',
    examples: [
      {
        name: 'Cities of one name',
        version: '4',
        text: `{
  "map": {
    "lambda": "city",
    "expr": {
      "let": [{ "doc": { "get": { "var": "city" } } }],
      "in": {
        "object": {
          "country": {
            "select": ["data", "name"],
            "from": { "get": { "select": ["data", "country"], "from": { "var": "doc" } } }
          },
          "population": { "select": ["data", "population"], "from": { "var": "doc" } }
        }
      }
    }
  },
  "collection": {
    "paginate": { "match": { "index": "citiesByName" }, "terms": "Valencia" }
  }
}`,
      },
      {
        name: 'Capitals of a continent',
        version: '4',
        text: `{
  "map": {
    "lambda": "country",
    "expr": { "select": ["data", "capital"], "from": { "get": { "var": "country" } }, "default": null }
  },
  "collection": {
    "paginate": { "match": { "index": "countriesByContinent" }, "terms": "SOUTH_AMERICA" }
  }
}`,
      },
      {
        name: 'How many documents',
        version: '4',
        text: `{
  "object": {
    "countries": { "count": { "documents": { "collection": "Country" } } },
    "cities": { "count": { "documents": { "collection": "City" } } }
  }
}`,
      },
    ],
  },
];

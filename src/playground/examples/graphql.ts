// GraphQL documents, and a schema.
import type { ExampleGroup } from './example.ts';

export const graphqlExamples: readonly ExampleGroup[] = [
  {
    name: 'With the sample',
    examples: [
      {
        name: 'A country and its cities',
        text: `# Load the sample first.
query Country($code: String!) {
  countryByCode(code: $code) {
    _id
    name
    native
    languages { name }
    cities(_size: 3) {
      data { name population location { latitude longitude } }
      after
    }
  }
}`,
        variables: `{ "code": "JP" }`,
      },
      {
        name: 'Countries of a continent',
        text: `query Continent($continent: Continent!, $size: Int = 20) {
  countriesByContinent(continent: $continent, _size: $size) {
    data { name capital currencies }
    after
  }
}`,
        variables: `{ "continent": "OCEANIA" }`,
      },
      {
        name: 'Cities of one name',
        text: `{
  citiesByName(name: "Valencia") {
    data { name population country { name } }
  }
}`,
      },
      {
        name: 'Create a city',
        text: `mutation Create($data: CityInput!) {
  createCity(data: $data) { _id _ts name }
}`,
        variables: `{
  "data": {
    "geonameId": 1,
    "name": "Terrarium",
    "population": 12,
    "isCapital": false,
    "location": { "latitude": 48.2, "longitude": 16.37 }
  }
}`,
      },
    ],
  },
  {
    name: 'With any schema',
    examples: [
      {
        name: 'What the schema offers',
        text: `{
  __schema {
    queryType { fields { name args { name } } }
    mutationType { fields { name } }
    types { name kind }
  }
}`,
      },
    ],
  },
];

export const schemaText = `type Todo {
  title: String! @unique
  isDone: Boolean
  place: Place
}

type Place @embedded {
  name: String!
}

type Query {
  allTodos: [Todo!]
  todosByIsDone(isDone: Boolean!): [Todo!]
}
`;

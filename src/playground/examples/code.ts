// Queries as they are written with the JavaScript driver.
import type { ExampleGroup } from './example.ts';

export const codeExamples: readonly ExampleGroup[] = [
  {
    name: 'From nothing',
    examples: [
      {
        name: 'Several operations at once',
        text: `[
  Concat(["Hello, ", "vivarium"]),
  Add(1, 2.5),
  Now()
]`,
      },
      { name: 'Create a collection', text: `CreateCollection({ name: "plants" })` },
      {
        name: 'Create an index',
        text: `CreateIndex({
  name: "plants_by_light",
  source: Collection("plants"),
  terms: [{ field: ["data", "light"] }],
  values: [{ field: ["data", "name"] }, { field: ["ref"] }]
})`,
      },
      {
        name: 'Create documents',
        text: `Map(
  [
    { name: "Fern", light: "shade" },
    { name: "Moss", light: "shade" },
    { name: "Aloe", light: "sun" }
  ],
  plant => Create(Collection("plants"), { data: plant })
)`,
      },
      {
        name: 'Page of an index, with its documents',
        text: `Map(
  Paginate(Match(Index("plants_by_light"), "shade"), { size: 10 }),
  (name, ref) => Get(ref)
)`,
      },
      {
        name: 'Update what a query finds',
        text: `Foreach(
  Paginate(Documents(Collection("plants"))),
  ref => Let(
    { plant: Get(ref) },
    If(
      Equals(Select(["data", "light"], Var("plant")), "sun"),
      Update(ref, { data: { water: "little" } }),
      Update(ref, { data: { water: "often" } })
    )
  )
)`,
      },
      {
        name: 'Create a function',
        text: `CreateFunction({
  name: "greet",
  body: Query(name => Concat(["Hello, ", name]))
})`,
      },
      { name: 'Call it', text: `Call("greet", "Fern")` },
      { name: 'What happened to a collection\'s documents', text: `Paginate(Events(Documents(Collection("plants"))))` },
    ],
  },
  {
    name: 'With the sample',
    examples: [
      {
        name: 'Cities of one name',
        text: `Map(
  Paginate(Match(Index("citiesByName"), "Valencia")),
  city => Let(
    { doc: Get(city), country: Get(Select(["data", "country"], Var("doc"))) },
    {
      country: Select(["data", "name"], Var("country")),
      population: Select(["data", "population"], Var("doc"))
    }
  )
)`,
      },
      {
        name: 'How many documents',
        text: `{
  countries: Count(Documents(Collection("Country"))),
  cities: Count(Documents(Collection("City")))
}`,
      },
    ],
  },
];

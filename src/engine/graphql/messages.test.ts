import { describe, expect, it } from 'vitest';
import requiredField from './golden/requests-required-input-field-error.json';
import unknownField from './golden/requests-unknown-field-error.json';
import hero from './golden/requests-unknown-field-hero.json';
import { checkRequest } from './check-request.ts';
import { expand } from './expand.ts';
import { planImport } from './import-plan.ts';
import { toViolation } from './messages.ts';
import { EMPTY_MODEL } from './model.ts';

function violations(schemaText: string, query: string, variables: Record<string, unknown> = {}, operationName: string | null = null) {
  const schema = expand(planImport(schemaText, 'merge', EMPTY_MODEL).model, () => () => null);
  if (schema === null) throw new Error('nothing to query');
  const checked = checkRequest(schema, { query, variables, operationName });
  return checked.ok ? [] : checked.errors.map(toViolation);
}

const SCHEMA = `
  enum Colour { RED, GREEN }
  type Car { name: String!, seats: Int, colour: Colour, price: Float, sold: Boolean, day: Date, at: Time, km: Long, owner: Person }
  type Person { name: String }
  type Parcel { wide: Int, wine: Int, wied: Int, WIDE: Int, colour: Colour!, colours: [Colour!], parts: [Part] @relation }
  type Part { size: Int }
  type Query { cars(name: String, colour: Colour): [Car], pick(sizes: [Int]): Int @resolver }
`;
const messages = (query: string, variables?: Record<string, unknown>, operationName?: string) =>
  violations(SCHEMA, query, variables, operationName).map((violation) => violation.message.split(' (line')[0]);

describe('errors of requests', () => {
  it('are those of the gateway, with place, line and caret', () => {
    expect(violations(requiredField.input.schema, requiredField.input.request)).toEqual(requiredField.expected.errors);
    expect(violations(unknownField.input.schema, unknownField.input.request)).toEqual(unknownField.expected.body.errors);
    expect(violations('type A { b: Int }', hero.input.request)).toEqual(hero.expected.body.errors);
  });

  const create = (data: string) => `mutation { createCar(data: {name: "x", ${data}}) { _id } }`;
  const pack = (data: string) => `mutation { createParcel(data: {colour: RED, ${data}}) { _id } }`;

  it.each([
    ['{ cars { data { nam } } }', "Cannot query field 'nam' on type 'Car'. Did you mean 'name'?"],
    ['{ findParcelByID(id: 1) { wibe } }', "Cannot query field 'wibe' on type 'Parcel'. Did you mean 'wide', 'wine' or 'wied'?"],
    ['{ findParcelByID(id: 1) { Wied } }', "Cannot query field 'Wied' on type 'Parcel'. Did you mean 'wied', '_id' or 'wide'?"],
    ['{ cars { aftre } }', "Cannot query field 'aftre' on type 'CarPage'. Did you mean 'after' or 'before'?"],
    ['{ cars(nam: "x") { data { name } } }', "Unknown argument 'nam' on field 'cars' of type 'Query'. Did you mean 'name'?"],
    ['{ cars(many: 1) { after } }', "Unknown argument 'many' on field 'cars' of type 'Query'."],
    ['{ cars(coluor: RED) { after } }', "Unknown argument 'coluor' on field 'cars' of type 'Query'. Did you mean 'colour'?"],
    ['{ cars { after @skip(of: true) } }', "Unknown argument 'of' on directive 'skip'. Did you mean 'if'?"],
    ['{ findCarByID { name } }', "Field 'findCarByID' argument 'id' of type 'ID!' is required but not provided."],
    ['{ cars @include { after } }', "Field 'include' argument 'if' of type 'Boolean!' is required but not provided."],
    ['{ cars }', "Field 'cars' of type 'CarPage!' must have a sub selection."],
    ['{ cars { after { x } } }', "Field 'after' of type 'String' must not have a sub selection."],
    ['{ findCarByID(id: 1) { name { x } } }', "Field 'name' of type 'String' must not have a sub selection."],
    ['query($x: Colur) { cars(colour: $x) { after } }', "Unknown type 'Colur'. Did you mean 'Colour'?"],
    ['query Q { cars(name: $v) { after } }', "Variable '$v' is not defined by operation 'Q'."],
    ['{ cars(name: $v) { after } }', "Variable '$v' is not defined."],
    ['query Q($v: Int) { cars { after } }', "Variable '$v' is not used in operation Q."],
    ['query Q($v: Int) { cars(name: $v) { after } }', "Variable '$v' of type 'Int' used in position expecting type 'String'."],
    ['{ cars { ...F } }', "Unknown fragment 'F'."],
    ['{ cars { after } } fragment F on CarPage { after }', "Fragment 'F' is not used."],
    ['{ cars { after @nice } }', "Unknown directive 'nice'."],
    ['{ cars @deprecated { after } }', "Directive 'deprecated' may not be used on field."],
    ['{ cars { ... @deprecated { after } } }', "Directive 'deprecated' may not be used on inline fragment."],
    ['query @skip(if: true) { cars { after } }', "Directive 'skip' may not be used on query operation."],
    ['fragment F on Car @skip(if: true) { name }', "Directive 'skip' may not be used on fragment definition."],
    ['{ cars { data { name: seats name } } }', "Field 'name' conflict because 'seats' and 'name' are different fields. Use different aliases on the fields to fetch both if this was intentional."],
    [create('seats: "x"'), `Expected type 'Int', found '"x"'. Int value expected`],
    [create('seats: 3000000000'), "Expected type 'Int', found '3000000000'. Value is too big to fit in Int"],
    [create('seats: -2147483649'), "Expected type 'Int', found '-2147483649'. Value is too big to fit in Int"],
    [create('seats: 2147483648'), "Expected type 'Int', found '2147483648'. Value is too big to fit in Int"],
    [create('seats: -2147483648'), undefined],
    [create('seats: 2147483647'), undefined],
    [create('km: 1.5'), "Expected type 'Long', found '1.5'. Long value expected"],
    [create('km: 9223372036854775808'), "Expected type 'Long', found '9223372036854775808'. Value is too big to fit in Long"],
    [create('price: "x"'), `Expected type 'Float', found '"x"'. Float or Int value expected`],
    [create('price: 1e999'), "Expected type 'Float', found '1e999'. Float or Int value is too big to fit in double"],
    [create('sold: 1'), "Expected type 'Boolean', found '1'. Boolean value expected"],
    [create('day: "x"'), `Expected type 'Date', found '"x"'. Date value expected`],
    [create('colour: BLUE'), "Expected type 'Colour!', found 'BLUE'. Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN."],
    ['mutation { createParcel(data: {colour: BLUE}) { _id } }', "Expected type 'Colour!', found 'BLUE'. Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN."],
    [pack('colours: [RED, BLUE]'), "Expected type 'Colour!', found 'BLUE'. Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN."],
    [create('colour: "RED"'), `Expected type 'Colour', found '"RED"'. Enum value '"RED"' is undefined in enum type 'Colour'. Known values are: RED.`],
    [create('colour: "BLACK"'), `Expected type 'Colour', found '"BLACK"'.`],
    [create('colour: 1'), "Expected type 'Colour', found '1'."],
    [pack('colours: ["GREEN"]'), `Expected type 'Colour!', found '"GREEN"'. Enum value '"GREEN"' is undefined in enum type 'Colour'. Known values are: GREEN.`],
    [pack('colours: "GREEN"'), `Expected type '[Colour!]', found '"GREEN"'. Enum value '"GREEN"' is undefined in enum type 'Colour'. Known values are: GREEN.`],
    [create('color: RED'), "Field 'color' is not defined by type 'CarInput'; Did you mean colour?"],
    [pack('wibe: 1'), "Field 'wibe' is not defined by type 'ParcelInput'; Did you mean wide, wine or wied?"],
    [pack('height: 1'), "Field 'height' is not defined by type 'ParcelInput'."],
    ['mutation { createCar(data: {name: null}) { _id } }', "Expected type 'String!', found 'null'."],
    ['mutation { createCar(data: {name: 1}) { _id } }', "Expected type 'String!', found '1'. String value expected"],
    ['{ findCarByID(id: 1.5) { name } }', "Expected type 'ID!', found '1.5'. String or Int value expected"],
    ['query A { cars { after } } query B { cars { after } }', 'Must provide operation name if query contains multiple operations'],
    ['fragment F on Car { name }', "Fragment 'F' is not used."],
    ['{ cars {', 'Syntax error while parsing GraphQL query. Unexpected end of input, expected Name'],
    ['{ cars { ? } }', "Syntax error while parsing GraphQL query. Invalid input '?'"],
    ['{ cars(name: “x”) { after } }', "Syntax error while parsing GraphQL query. Invalid input '“'"],
    ['', 'Syntax error while parsing GraphQL query. Unexpected end of input'],
    ['{ a: }', "Syntax error while parsing GraphQL query. Invalid input '}', expected Name"],
  ])('%s', (query, message) => {
    expect(messages(query)[0]).toBe(message);
  });

  it.each<[query: string, text: string, ...places: number[][]]>([
    ['{ cars { after { x } } }', "Field 'after' of type 'String' must not have a sub selection.", [10]],
    ['{ cars { ...F } }', "Unknown fragment 'F'.", [10]],
    ['query A { cars { after } } query A { cars { before } }', "There can only be one operation named 'A'.", [28]],
    ['{ cars { ...F } } fragment F on CarPage { after } fragment F on CarPage { before }', "There can only be one fragment named 'F'.", [51]],
    ['query($v: String, $v: String) { cars(name: $v) { after } }', "There can be only one variable named 'v'.", [7, 19]],
    ['query($v: String, $v: String, $v: String) { cars(name: $v) { after } }', "There can be only one variable named 'v'.", [7, 19], [7, 31]],
    ['{ cars(name: "a", name: "b") { after } }', "There can be only one argument named 'name'.", [19]],
    ['{ cars { after @skip(if: true, if: true) } }', "There can be only one argument named 'if'.", [32]],
  ])('%s: stands at the part that is wrong', (query, text, ...places) => {
    const found = violations(SCHEMA, query).filter(({ message }) => message.startsWith(text));
    expect(found.map(({ locations }) => locations?.map(({ column }) => column))).toEqual(places);
  });

  it.each([
    ['{ cars { after @nice(name: 1) } }', ["Unknown directive 'nice'."]],
    ['type A { b: B }', ["The 'A' definition is not executable."]],
    ['query($v: Car!) { cars(name: $v) { after } }', ["Variable '$v' cannot be non input type 'Car!'."]],
    // As many as a client is told of.
    [`{ cars { ${'x '.repeat(200)} } }`, Array<string>(100).fill("Cannot query field 'x' on type 'CarPage'.")],
  ])('%s: and no more', (query, texts) => {
    expect(messages(query)).toEqual(texts);
  });

  it('name types that only Mutation leads to before those of Query', () => {
    const schema = 'type Bar { n: Int } input Baz { n: Int } input Bax { n: Int } type Query { f(b: Baz): Bar @resolver }';
    expect(violations(schema, 'query($b: Bat) { f(b: $b) { n } }')[0]?.message).toContain("Unknown type 'Bat'. Did you mean 'Bax', 'Bar', 'Baz' or 'Date'?");
  });

  it('name unknown operations', () => {
    expect(messages('query A { cars { after } }', {}, 'B')).toEqual(["Unknown operation name 'B'"]);
  });

  it('say why a query is too much to check', () => {
    expect(messages(`{ cars { ${'after '.repeat(3000)} } }`)).toEqual(['Query is too complex: it selects fields under the same name too often.']);
  });

  it('refuse a query nested to exhaust the stack', () => {
    expect(messages('{a'.repeat(100_000))).toHaveLength(1);
    expect(messages(`{ cars(name: ${'['.repeat(50_000)}`)).toHaveLength(1);
  });
});

describe('errors of variables', () => {
  const query = 'mutation M($v: CarInput!) { createCar(data: $v) { _id } }';
  const big = 9223372036854775808n;
  it.each([
    ['Long', { v: big }, '9223372036854775808. Reason: Value is too big to fit in Long'],
    ['Int', { v: big }, '9223372036854775808. Reason: Value is too big to fit in Int'],
    ['Float', { v: Infinity }, 'null. Reason: Float or Int value is too big to fit in double'],
  ])('%s: values beyond it', (type, variables, text) => {
    const argument = { Long: 'km', Int: 'seats', Float: 'price' }[type] ?? '';
    expect(messages(`mutation($v: ${type}) { createCar(data: {name: "x", ${argument}: $v}) { _id } }`, variables)).toEqual([
      `Variable '$v' expected value of type '${type}' but got: ${text}`,
    ]);
  });

  it.each([
    [{}, "Variable '$v' expected value of type 'CarInput!' but value is undefined. Reason: Expected non-null value, found null."],
    [{ v: null }, "Variable '$v' expected value of type 'CarInput!' but got: null. Reason: Expected non-null value, found null."],
    [{ v: 1 }, "Variable '$v' expected value of type 'CarInput!' but got: 1. Reason: Expected 'CarInput', found not an object."],
    [{ v: {} }, "Variable '$v' expected value of type 'CarInput!' but got: {}. Reason: 'name' Expected non-null value, found null."],
    [{ v: { name: 'x', size: 1 } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","size":1}. Reason: 'size' Field 'size' is not defined in the input type 'CarInput'.`],
    [{ v: { name: 'x', seats: 1.5 } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","seats":1.5}. Reason: 'seats' Int value expected`],
    [{ v: { name: 'x', colour: 'BLUE' } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","colour":"BLUE"}. Reason: 'colour' Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN.`],
    [{ v: { name: 'x', at: 'noon' } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","at":"noon"}. Reason: 'at' Time value expected`],
  ])('%j', (variables, message) => {
    expect(messages(query, variables)).toEqual([message]);
  });

  it.each([
    [{}, ["'colour' Expected non-null value, found null."]],
    [{ colour: null }, ["'colour' Expected non-null value, found null."]],
    [{ colour: [] }, ["'colour' Enum value expected"]],
    [{ colour: 'RED', wide: [1] }, ["'wide' Invalid value"]],
    [{ zz: 1, wine: 'x', wide: 1.5 }, ["'wide' Int value expected", "'wine' Int value expected", "'colour' Expected non-null value, found null.", "'zz' Field 'zz' is not defined in the input type 'ParcelInput'."]],
    [{ colour: 'RED', colours: ['RED', 1, null] }, ["'colours[0]' Enum value expected", "'colours[0]' Expected non-null value, found null."]],
    [{ colour: 'RED', colours: 1 }, ["'colours[0]' Enum value expected"]],
    [{ colour: 'RED', parts: [] }, ["'parts' Expected 'ParcelPartsRelation', found not an object."]],
    [{ colour: 'RED', parts: { create: [{ size: 1 }, { n: 1, size: 'x' }] } }, ["'parts.create[0].size' Int value expected", "'parts.create[0].n' Field 'n' is not defined in the input type 'PartInput'."]],
  ])('%j: each with its place', (v, reasons) => {
    const start = `Variable '$v' expected value of type 'ParcelInput!' but got: ${JSON.stringify(v)}. Reason: `;
    expect(messages('mutation($v: ParcelInput!) { createParcel(data: $v) { _id } }', { v })).toEqual(reasons.map((reason) => start + reason));
  });

  it.each([
    [[1, 'x'], "'[0]' Int value expected"],
    ['x', "'[0]' Int value expected"],
    [[[1]], "'[0]' Invalid value"],
  ])('%j for a list', (v, reason) => {
    expect(messages('query($v: [Int]) { pick(sizes: $v) }', { v })).toEqual([`Variable '$v' expected value of type '[Int]' but got: ${JSON.stringify(v)}. Reason: ${reason}`]);
  });

  it('stand at the definition of the variable', () => {
    expect(violations(SCHEMA, query)[0]?.locations).toEqual([{ line: 1, column: 12 }]);
  });
});

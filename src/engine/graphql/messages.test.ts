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
  type Query { cars(name: String, colour: Colour): [Car] }
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

  it.each([
    ['{ cars { data { nam } } }', "Cannot query field 'nam' on type 'Car'. Did you mean 'name', 'at', 'day', or 'km'?"],
    ['{ cars(nam: "x") { data { name } } }', "Unknown argument 'nam' on field 'cars' of type 'Query'. Did you mean 'name'?"],
    ['{ findCarByID { name } }', "Field 'findCarByID' argument 'id' of type 'ID!' is required but not provided."],
    ['{ cars }', "Field 'cars' of type 'CarPage!' must have a sub selection."],
    ['{ cars { after { x } } }', "Field 'after' of type 'String' must not have a sub selection."],
    ['query($x: Colur) { cars(colour: $x) { after } }', "Unknown type 'Colur'. Did you mean 'Colour' or 'Car'?"],
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
    [create('km: 1.5'), "Expected type 'Long', found '1.5'. Long value expected"],
    [create('km: 9223372036854775808'), "Expected type 'Long', found '9223372036854775808'. Value is too big to fit in Long"],
    [create('price: "x"'), `Expected type 'Float', found '"x"'. Float or Int value expected`],
    [create('price: 1e999'), "Expected type 'Float', found '1e999'. Float or Int value is too big to fit in double"],
    [create('sold: 1'), "Expected type 'Boolean', found '1'. Boolean value expected"],
    [create('day: "x"'), `Expected type 'Date', found '"x"'. Date value expected`],
    [create('colour: BLUE'), "Expected type 'Colour', found 'BLUE'. Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN."],
    [create('colour: "RED"'), `Expected type 'Colour', found '"RED"'.`],
    [create('color: RED'), "Field 'color' is not defined by type 'CarInput'; Did you mean colour?"],
    ['mutation { createCar(data: {name: null}) { _id } }', "Expected type 'String!', found 'null'."],
    ['mutation { createCar(data: {name: 1}) { _id } }', "Expected type 'String!', found '1'. String value expected"],
    ['{ findCarByID(id: 1.5) { name } }', "Expected type 'ID!', found '1.5'. String or Int value expected"],
    ['query A { cars { after } } query B { cars { after } }', 'Must provide operation name if query contains multiple operations'],
    ['fragment F on Car { name }', "Fragment 'F' is not used."],
    ['{ cars {', 'Syntax error while parsing GraphQL query. Unexpected end of input, expected Name'],
    ['{ cars { ? } }', "Syntax error while parsing GraphQL query. Invalid input '?'"],
    ['', 'Syntax error while parsing GraphQL query. Unexpected end of input'],
    ['{ a: }', "Syntax error while parsing GraphQL query. Invalid input '}', expected Name"],
  ])('%s', (query, message) => {
    expect(messages(query)[0]).toBe(message);
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
    [{ v: {} }, "Variable '$v' expected value of type 'CarInput!' but got: {}. Reason: The NotNull field 'name' defined in the input type 'CarInput' is missing."],
    [{ v: { name: 'x', size: 1 } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","size":1}. Reason: Unknown field 'size' is not defined in the input type 'CarInput'.`],
    [{ v: { name: 'x', seats: 1.5 } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","seats":1.5}. Reason: [in field 'seats'] Int value expected`],
    [{ v: { name: 'x', colour: 'BLUE' } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","colour":"BLUE"}. Reason: [in field 'colour'] Enum value 'BLUE' is undefined in enum type 'Colour'. Known values are: RED, GREEN.`],
    [{ v: { name: 'x', at: 'noon' } }, `Variable '$v' expected value of type 'CarInput!' but got: {"name":"x","at":"noon"}. Reason: [in field 'at'] Time value expected`],
  ])('%j', (variables, message) => {
    expect(messages(query, variables)).toEqual([message]);
  });

  it('stand at the definition of the variable', () => {
    expect(violations(SCHEMA, query)[0]?.locations).toEqual([{ line: 1, column: 12 }]);
  });
});

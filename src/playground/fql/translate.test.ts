import { describe, expect, it } from 'vitest';
import { translate } from './translate.ts';

const json = (text: string): unknown => {
  const translation = translate(text);
  return 'json' in translation ? JSON.parse(translation.json) : translation.mistake;
};
const mistake = (text: string): string => {
  const translation = translate(text);
  if ('json' in translation) return translation.json;
  const { from, to, message } = translation.mistake;
  return `${text.slice(from, to)} | ${message}`;
};

describe('FQL as code', () => {
  it.each<[string, unknown]>([
    ['Get(Ref(Collection("spells"), "1"))', { get: { ref: { collection: 'spells' }, id: '1' } }],
    ['q.Get(q.Var(\'x\'))', { get: { var: 'x' } }],
    ['faunadb.query.Now()', { now: null }],
    ['[1, -2.5, 1e3, 0x10, true, null, "a", `b`,]', [1, -2.5, 1000, 16, true, null, 'a', 'b']],
    ['{ a: 1, "b c": { 3: [] } }', { object: { a: 1, 'b c': { object: { 3: [] } } } }],
    ['({ a: (1) }); // the end', { object: { a: 1 } }],
    ['Add(1, /* two */ 2)', { add: [1, 2] }],
    ['Select(["data", 0], Var("x"), null)', { select: ['data', 0], from: { var: 'x' }, default: null }],
    ['Paginate(Match(Index("i"), ["a", 1]), { size: 3 })', { paginate: { match: { index: 'i' }, terms: ['a', 1] }, size: 3 }],
    ['Let({ a: 1, b: Var("a") }, Var("b"))', { let: [{ a: 1 }, { b: { var: 'a' } }], in: { var: 'b' } }],
    ["'it\\'s \\u00e9\\x41\\u{1F600}\\n'", "it's éA😀\n"],
    ['"\\xeA\\u00Ea\\X41\\U0041\\N"', 'êêX41U0041N'],
    ['[1e21, -1e300, 9007199254740993.0, 9_007_199_254_740_991, +1]', [1e21, -1e300, 9007199254740992, 9007199254740991, 1]],
    ['{ 0x10: 1, 1.0: 2, 1e3: 3, 1_1: 4 }', { object: { 16: 1, 1: 2, 1000: 3, 11: 4 } }],
    ['q\n  .Get(q . Var("x"))', { get: { var: 'x' } }],
    ['Select("a", Var("x"), undefined)', { select: 'a', from: { var: 'x' } }],
    ['[undefined, { a: undefined }]', [null, { object: {} }]],
    ['undefined => undefined', { lambda: 'undefined', expr: { var: 'undefined' } }],
    ['Let({ a: 1 }, () => 2)', { let: [{ a: 1 }], in: 2 }],
  ])('%s', (text, expected) => expect(json(text)).toEqual(expected));

  it.each([
    'Map([1], Lambda("x", Add(Var("x"), 1)))',
    'Map([1], Lambda(x => Add(x, 1)))',
    'Map([1], x => Add(x, 1))',
    'Map([1], (x) => { return Add(x, 1); })',
    'Map([1], function (x) { return Add(x, 1) })',
  ])('a function stands for a lambda: %s', (text) => {
    expect(json(text)).toEqual({ map: { lambda: 'x', expr: { add: [{ var: 'x' }, 1] } }, collection: [1] });
  });

  it('functions have several parameters, and see those around them', () => {
    expect(json('Map([[1, 2]], (a, b) => Filter([3], c => LT(a, b, { c })))')).toEqual({
      map: { lambda: ['a', 'b'], expr: { filter: { lambda: 'c', expr: { lt: [{ var: 'a' }, { var: 'b' }, { object: { c: { var: 'c' } } }] } }, collection: [3] } },
      collection: [[1, 2]],
    });
    expect(json('Let({ a: 1 }, a => Add(a, 1))')).toEqual({ let: [{ a: 1 }], in: { add: [{ var: 'a' }, 1] } });
  });

  it.each([
    'client.query(q.Get(q.Var("x")))',
    'await client.query(\n  Get(Var("x"))\n);',
    'this.client.query(Get(Var("x")))',
    '(await (client.query(Get(Var("x")))))',
    'client.query(Get(Var("x"))).then((ret) => console.log(ret)).catch((err) => console.error("Error: %s", err))',
    'await client.query(Get(Var("x"))).finally(() => client.close())',
  ])('is taken out of what an application does with it: %s', (text) => {
    expect(json(text)).toEqual({ get: { var: 'x' } });
  });

  it.each([
    ['client.query()', '() | There is no query here'],
    ['client.query(Now()).then(() => client.query(Now()))', '(() => client.query(Now())) | One query runs at a time: this one would not be sent'],
    ['client.query(Now(), { secret: "x" })', '{ secret: "x" } | Options are not taken: the secret stands below the editor'],
    ['client.query(Fetch(1)).then(log)', 'Fetch | There is no function Fetch'],
    ['await Now()', '{"now":null}'],
    ['client.paginate(Now())', 'client.paginate | There is no function paginate; FQL has Paginate'],
    ['', ' | There is no query here'],
    ['// nothing', ' | There is no query here'],
    [')', ') | ) is not expected here'],
    ['Now(); Now()', ' | ; is not expected here'],
    ['0', '0'],
    ['"a; // b', ' | The query ends too early'],
    ['"a; // b"', '"a; // b"'],
    ['Get(', ' | The query ends too early'],
    ['Get(Var("x")) Get(Var("y"))', 'Get | Get is not expected here'],
    ['get(1)', 'get | There is no function get; FQL has Get'],
    ['create_index(1)', 'create_index | There is no function create_index; FQL has CreateIndex'],
    ['Fetch(1)', 'Fetch | There is no function Fetch'],
    ['Add(1, x)', 'x | x is not defined; variables of Let and Lambda are Var("x")'],
    ['Map([1], Get)', 'Get | Get is a function: call it'],
    ['[Get()]', 'Get() | Get takes 1 to 2 arguments, not 0'],
    ['Var(1, 2)', 'Var(1, 2) | Var takes 1 argument, not 2'],
    ['Add()', 'Add() | Add takes at least 1 argument, not 0'],
    ['1 + 2', '1 + 2 | 1 + 2 cannot stand in a query'],
    ['[-"a"]', '-"a" | Only numbers have a sign'],
    ['!true', '! | ! cannot stand in a query: use Not'],
    ['~1', '~ | ~ cannot stand in a query'],
    ['[1,,2]', ', | Nothing stands before this comma'],
    ['[/* one */, 2]', ', | Nothing stands before this comma'],
    ['Add(1, 2,,)', ', | Nothing stands before this comma'],
    ['{ "__proto__": { a: 1 }, b: 2 }', '"__proto__" | The driver loses a field of this name: write the query as JSON'],
    ['() => 1', '() => 1 | Lambda: Provided Function must take at least 1 argument.'],
    ['[() => 1]', '[() => 1] | Lambda: Provided Function must take at least 1 argument.'],
    ['{ a: () => 1 }', '{ a: () => 1 } | Lambda: Provided Function must take at least 1 argument.'],
    ['[x => y]', 'y | y is not defined; variables of Let and Lambda are Var("y")'],
    ['["\\u{110000}"]', '"\\u{110000}" | The last of all characters is \\u{10FFFF}'],
    ['{ "\\u{110000}": 1 }', '"\\u{110000}" | The last of all characters is \\u{10FFFF}'],
    ['`\\u{110000}`', '`\\u{110000}` | The last of all characters is \\u{10FFFF}'],
    ['undefined', 'undefined | There is no query here'],
    ['Get(undefined)', "Get(undefined) | Get: Expected value, but found 'undefined'. Argument 0 for Get is required."],
    ['`a${1}`', '${1} | A text is put together by Concat or Format'],
    ['[...[1]]', '... | ... cannot stand in a query'],
    ['Map([1], () => 1)', 'Map([1], () => 1) | Map: Provided Function must take at least 1 argument.'],
    ['Map([1], ({ a }) => 1)', '{ a } | A parameter is a name'],
    ['Map([1], x => { Get(x); return 1 })', '{ Get(x); return 1 } | A lambda gives an expression, or returns one as its only statement'],
    ['9007199254740993', '9007199254740993 | 9007199254740993 is too large for JavaScript: use ToInteger("9007199254740993")'],
    ['0x20000000000001', '0x20000000000001 | 0x20000000000001 is too large for JavaScript: use ToInteger("9007199254740993")'],
    ['1e400', '1e400 | 1e400 is not a number that FQL has'],
    ['constructor(1)', 'constructor | There is no function constructor'],
    ['toString', 'toString | toString is not defined; variables of Let and Lambda are Var("toString")'],
    ['alert.call(1)', 'alert.call | There is no function call; FQL has Call'],
  ])('%s: %s', (text, expected) => expect(mistake(text)).toBe(expected));
});

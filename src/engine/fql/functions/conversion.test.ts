import { describe, expect, it } from 'vitest';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import type { Txn } from '../../txn/txn.ts';
import { NATIVE, Ref } from '../../value/ref.ts';
import { Action, Doc, DocEvent, Lambda, Obj, Page, PendingTs, UnresolvedRef } from '../../value/value.ts';
import { WIRE_VERSIONS } from '../../wire/version.ts';
import { conversions } from './conversion.ts';
import { objects } from './objects.ts';
import { numbers } from './numbers.ts';
import { time } from './time.ts';
import { typeChecks } from './type-checks.ts';

const forms = [...conversions, ...typeChecks, ...objects, ...time, ...numbers];
const spell = new Ref(1024, 1n, 0n);
const native = (collection: number) => new Ref(NATIVE.collections, BigInt(collection), 0n);
const variables = {
  doc: new Doc(spell, 5, Obj.of(['data', Obj.of(['a', 1n])])),
  indexDoc: new Doc(new Ref(NATIVE.indexes, 3n, 0n), 5, Obj.empty),
  spell,
  spells: new Ref(NATIVE.collections, 1024n, 0n),
  role: new Ref(NATIVE.roles, 2n, 0n),
  indexes: native(NATIVE.indexes),
  undefined: new UnresolvedRef('collection', 'a'),
  action: new Action('create'),
  event: new DocEvent('document', 5, 'create', spell, null),
  page: new Page([1n]),
  lambda: new Lambda('x', null, '4', null),
  pending: PendingTs.instance,
};
const ctx = stubContext({ txn: { now: 1_000_000, tell() {} } as Partial<Txn> as Txn });
const run = (query: string, wire: '2.0' | '4' = '4') => runForm(forms, query, { ...ctx, wire: WIRE_VERSIONS[wire] }, variables);

describe('examples', () => {
  const needsMore = /@bytes|collection|"query"/;
  const examples = [...conversions, ...typeChecks, ...objects].flatMap((form) => form.examples);
  it.each(examples.filter(([query]) => !needsMore.test(query)))('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('conversions', () => {
  it.each([
    ['{"to_string":12}', '"12"'],
    ['{"to_string":1e10}', '"1.0E10"'],
    ['{"to_string":true}', '"true"'],
    ['{"to_string":{"var":"action"}}', '"create"'],
    ['{"to_string":{"@ts":"2020-01-01T00:00:00Z"}}', '"2020-01-01T00:00:00Z"'],
    ['{"to_string":[1]}', 'invalid argument: Cannot cast Array to String. @ '],
    ['{"to_string":{"@bytes":"AQID"}}', 'invalid argument: Cannot cast Bytes to String. @ '],
    ['{"to_number":2.0}', '2.0'],
    ['{"to_number":"x"}', 'invalid argument: Cannot cast String to Number. @ '],
    ['{"to_number":true}', 'invalid argument: Cannot cast Boolean to Number. @ '],
    ['{"to_double":"9"}', '9.0'],
    ['{"to_double":null}', 'invalid argument: Cannot cast Null to Double. @ to_double'],
    ['{"to_integer":1e300}', '9223372036854775807'],
    ['{"to_integer":"NaN"}', '0'],
    ['{"to_integer":"x"}', 'invalid argument: Cannot cast String to Integer. @ to_integer'],
    ['{"to_time":"2020-01-01T00:00Z"}', '{"@ts":"2020-01-01T00:00:00Z"}'],
    ['{"to_time":"now"}', '{"@ts":"1970-01-01T00:00:01Z"}'],
    ['{"to_time":"x"}', "invalid argument: Cannot cast 'x' to a time. @ "],
    ['{"to_time":1.5}', 'invalid argument: Cannot cast Double to Time. @ '],
    ['{"to_date":"2020-01-01"}', '{"@date":"2020-01-01"}'],
    ['{"to_date":"x"}', "invalid argument: Cannot cast 'x' to a date. @ "],
    ['{"to_date":1}', 'invalid argument: Cannot cast Integer to Date. @ '],
    ['{"to_object":[["a",1],["a",2]]}', '{"a":1}'],
    [
      '{"to_object":[["a"],["b",1],[1,2]]}',
      'invalid argument: Field/Value expected, Array provided. @ to_object.0; invalid argument: Field/Value expected, Array provided. @ to_object.2',
    ],
    ['{"to_object":1}', 'invalid argument: Cannot cast Integer to Object. @ to_object'],
    ['{"to_object":{"var":"doc"}}', '{"ref":{"@ref":"1024/1"},"ts":5,"data":{"a":1}}'],
    ['{"to_array":{"var":"doc"}}', '[["ref",{"@ref":"1024/1"}],["ts",5],["data",{"a":1}]]'],
    ['{"to_array":[1]}', '[1]'],
    ['{"to_array":{"var":"page"}}', 'invalid argument: Cannot cast Page to Array. @ to_array'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('a document shows its class in 2.0 only', async () => {
    expect(await run('{"to_object":{"var":"doc"}}', '2.0')).toBe(
      '{"ref":{"@ref":"1024/1"},"class":{"@ref":"1/1024"},"ts":5,"data":{"a":1}}',
    );
  });
});

describe('type checks', () => {
  it.each([
    ['is_ref', ['spell', 'spells', 'indexes', 'undefined']],
    ['is_doc', ['spell', 'spells', 'indexes', 'role', 'doc', 'indexDoc']],
    ['is_set', ['indexes']],
    ['is_collection', ['spells', 'indexes']],
    ['is_index', ['indexDoc']],
    ['is_role', ['role']],
    ['is_object', ['doc', 'indexDoc', 'event', 'page']],
    ['is_array', []],
    ['is_string', ['action']],
    // The time of a document that is being written, too, is a number of microseconds.
    ['is_timestamp', []],
    ['is_number', []],
    ['is_lambda', ['lambda']],
  ])('%s accepts %j', async (name, accepted) => {
    const answers = new Map<string, string>();
    for (const variable of Object.keys(variables)) answers.set(variable, await run(`{"${name}":{"var":"${variable}"}}`));
    const yes = [...answers].filter(([, answer]) => answer === 'true').map(([variable]) => variable);
    expect(new Set(yes)).toEqual(new Set(name === 'is_ref' ? [...accepted, 'role'] : accepted));
  });

  it('is_bytes accepts bytes', async () => {
    expect(await run('{"is_bytes":{"@bytes":"AQID"}}')).toBe('true');
  });
});

describe('merge', () => {
  it.each([
    ['{"merge":{"object":{"a":1,"b":2}},"with":[]}', '{"a":1,"b":2}'],
    ['{"merge":{"object":{"b":1,"a":2}},"with":{"object":{"b":3}}}', '{"b":3,"a":2}'],
    ['{"merge":{"object":{}},"with":{"var":"doc"}}', '{"ref":{"@ref":"1024/1"},"ts":5,"data":{"a":1}}'],
    [
      '{"merge":1,"with":[{"object":{}},2]}',
      'invalid argument: Object expected, Integer provided. @ merge; invalid argument: Object expected, Integer provided. @ with.1',
    ],
    ['{"merge":{"object":{}},"with":"a"}', 'invalid argument: Object expected, String provided. @ with'],
    [
      '{"merge":{"object":{}},"with":{"object":{"a":1}},"lambda":{"lambda":["k"],"expr":1}}',
      'invalid argument: Lambda expects an array with 1 elements. Array contains 3. @ lambda',
    ],
    [
      '{"merge":{"object":{"a":1}},"with":{"object":{"a":2,"b":3}},"lambda":{"lambda":["k","l","r"],"expr":{"var":"l"}}}',
      '{"a":1}',
    ],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

// Parsing, positions, and which errors come together (reference: fql/functions.md §1, fql/errors.md §2–4).
import {
  argument, conforms, docRef, expression, fault, faults, inVersions, noForm, noValue, notFound, unbound, undefinedRef, ALL_VERSIONS,
} from '../../../testing/cases.ts';

const NUMBER = (at: string, got = 'String') => argument(at, `Number expected, ${got} provided.`);

conforms('the text of a query', {}, [
  ['', expression('', 'No query provided.')],
  ['   ', expression('', 'No query provided.')],
  ['{', expression('', 'Request body is not valid JSON.')],
  ['[1,]', expression('', 'Request body is not valid JSON.')],
  ['{"a" 1}', expression('', 'Request body is not valid JSON.')],
  ['nul', expression('', 'Request body is not valid JSON.')],
  ['01', expression('', 'Request body is not valid JSON.')],
  ['"\\x"', expression('', 'Request body is not valid JSON.')],
  ["'a'", expression('', 'Request body is not valid JSON.')],
  ['NaN', expression('', 'Request body is not valid JSON.')],
  [`${'['.repeat(1001)}${']'.repeat(1001)}`, expression('', 'Request body JSON exceeds nesting limit.')],
  [`${'['.repeat(900)}1${']'.repeat(900)}`, `${'['.repeat(900)}1${']'.repeat(900)}`],
]);

conforms('key sets', {}, [
  ['{"nope":1}', noForm('', 'nope')],
  ['{"add":[1],"extra":2}', noForm('', 'add', 'extra')],
  ['{"b":1,"a":2}', noForm('', 'b', 'a')],
  ['{"in":{"object":{"a":1}},"contains":"a"}', 'true'],
  ['{"else":1,"if":true,"then":2}', '2'],
  ['{"paginate":{"collections":null},"after":null,"before":null}', noForm('', 'paginate', 'after', 'before')],
  ['{"in,let":1}', noForm('', 'in,let')],
  ['{"in":{"var":"a"},"let":[{"a":1}]}', '1'],
  ['{"constructor":1}', noForm('', 'constructor')],
  ['{"__proto__":1}', noForm('', '__proto__')],
  ['{"object":{"__proto__":1,"constructor":2,"10":3,"2":4}}', '{"__proto__":1,"constructor":2,"10":3,"2":4}'],
  ['{"bit_and":[1]}', noForm('', 'bit_and')],
  ['{"issue_access_jwt":{"collection":"a"}}', noForm('', 'issue_access_jwt')],
]);

conforms('errors of parsing', {}, [
  ['[{"x":1},{"y":2}]', noForm('0', 'x')],
  ['{"object":{"a":{"x":1},"b":{"y":2}}}', noForm('object/a', 'x')],
  ['{"do":[{"x":1},{"y":2}]}', noForm('do/0', 'x')],
  ['{"and":[{"x":1},{"y":2}]}', noForm('and/0', 'x')],
  ['{"let":{"a":{"x":1},"b":{"y":2}},"in":{"z":3}}', faults(400, noForm('let/a', 'x'), noForm('let/b', 'y'), noForm('in', 'z'))],
  ['{"let":[{"a":{"x":1}},{"b":{"y":2}}],"in":{"z":3}}', faults(400, noForm('let/0/a', 'x'), noForm('let/1/b', 'y'), noForm('in', 'z'))],
  [
    '{"let":[1,{"a":{"x":1}},{"b":1,"c":2}],"in":{"z":3}}',
    faults(400, expression('let/0', 'Object expected, Integer provided.'), noForm('let/1/a', 'x'), expression('let/2', 'Object expected, Object provided.'), noForm('in', 'z')),
  ],
  ['{"let":1,"in":{"z":3}}', faults(400, expression('let', 'Array expected, Integer provided.'), noForm('in', 'z'))],
  ['{"map":{"lambda":["a",1],"expr":{"y":2}},"collection":[]}', faults(400, expression('map/lambda/1', 'String expected, Integer provided.'), noForm('map/expr', 'y'))],
  ['{"if":{"x":1},"then":{"y":2},"else":{"z":3}}', noForm('if', 'x')],
  ['{"select":{"x":1},"from":{"y":2}}', noForm('select', 'x')],
  ['{"from":{"y":2},"select":{"x":1}}', noForm('select', 'x')],
  ['{"add":[{"x":1},"a"]}', noForm('add/0', 'x')],
  ['{"add":["a",{"x":1}]}', noForm('add/1', 'x')],
  ['[{"var":"a"},{"let":{"b":{"var":"c"}},"in":{"var":"d"}}]', faults(400, unbound('0', 'a'), unbound('1/let/b', 'c'), unbound('1/in', 'd'))],
  ['{"map":{"lambda":"x","expr":[{"var":"x"},{"var":"y"}]},"collection":[{"var":"x"}]}', faults(400, unbound('map/expr/1', 'y'), unbound('collection/0', 'x'))],
  ['[{"abort":"never"},{"x":1}]', noForm('1', 'x')],
]);

conforms('errors of evaluation', {}, [
  ['[{"add":"a"},{"add":"b"}]', faults(400, NUMBER('0/add'), NUMBER('1/add'))],
  ['{"add":["a",1,"b"]}', faults(400, NUMBER('add/0'), NUMBER('add/2'))],
  ['{"add":[]}', argument('add', 'Non-empty array expected.')],
  ['{"add":{"object":{}}}', NUMBER('add', 'Object')],
  ['{"object":{"a":{"add":"a"},"b":{"add":"b"}}}', faults(400, NUMBER('object/a/add'), NUMBER('object/b/add'))],
  ['{"let":{"x":{"add":"a"},"y":{"add":"b"}},"in":{"add":"c"}}', NUMBER('let/x/add')],
  ['{"do":[{"add":"a"},{"add":"b"}]}', NUMBER('do/0/add')],
  ['{"select":{"add":"a"},"from":{"add":"b"}}', NUMBER('select/add')],
  ['{"map":{"lambda":"x","expr":{"add":{"var":"x"}}},"collection":["a","b"]}', NUMBER('map/expr/add')],
  ['{"filter":{"lambda":"x","expr":{"add":{"var":"x"}}},"collection":["a","b"]}', faults(400, NUMBER('filter/expr/add'), NUMBER('filter/expr/add'))],
  ['{"filter":{"lambda":"x","expr":{"var":"x"}},"collection":[1,true,2]}', faults(400, argument('0', 'Boolean expected, Integer provided.'), argument('2', 'Boolean expected, Integer provided.'))],
  ['{"concat":["a",{"add":[1,"b"]}]}', NUMBER('concat/1/add/1')],
  ['{"lt":[{"collection":"x"},1,{"index":"y"}]}', faults(400, undefinedRef('lt', "Ref refers to undefined collection 'x'"), undefinedRef('lt', "Ref refers to undefined index 'y'"))],
  ['{"max":[{"collection":"x"},{"role":"y"}]}', faults(400, undefinedRef('max', "Ref refers to undefined collection 'x'"), undefinedRef('max', "Ref refers to undefined role 'y'"))],
  ['{"merge":1,"with":[2,{"object":{}},3]}', faults(400, argument('merge', 'Object expected, Integer provided.'), argument('with/0', 'Object expected, Integer provided.'), argument('with/2', 'Object expected, Integer provided.'))],
]);

conforms('the status of several errors', {}, [
  ['[{"select":"a","from":{"object":{}}},{"abort":"b"}]', faults(404, noValue('0/from', 'a'), fault(400, 'transaction aborted', '1', 'b'))],
  ['[{"abort":"b"},{"select":"a","from":{"object":{}}}]', faults(400, fault(400, 'transaction aborted', '0', 'b'), noValue('1/from', 'a'))],
  ['[{"select":"a","from":{"object":{}}},{"add":"a"}]', faults(400, noValue('0/from', 'a'), NUMBER('1/add'))],
  ['[{"get":{"ref":{"tokens":null},"id":1}},{"get":{"collection":"x"}}]', faults(400, notFound('0', 'Token not found.'), undefinedRef('1/get', "Ref refers to undefined collection 'x'"))],
  ['{"identity":null}', fault(400, 'missing identity', '', 'Authentication does not contain an identity')],
]);

conforms('undefined names', {}, [
  ...inVersions('{"get":{"collection":"x"}}', {
    '2.0 2.1': undefinedRef('get', "Ref refers to undefined class 'x'"),
    '2.7 2.12 3 4': undefinedRef('get', "Ref refers to undefined collection 'x'"),
  }),
  ...(['index', 'database', 'function', 'role'] as const).map((kind) => [`{"get":{"${kind}":"x"}}`, undefinedRef('get', `Ref refers to undefined ${kind} 'x'`)] as const),
  ['{"get":{"access_provider":"x"}}', undefinedRef('get', "Ref refers to undefined access_provider 'x'")],
  ['{"is_ref":{"collection":"x"}}', 'true'],
  ['{"collection":"x"}', '{"@ref":{"id":"x","collection":{"@ref":{"id":"collections"}}}}'],
  ['{"equals":[{"collection":"x"},{"collection":"x"}]}', 'true'],
  ['{"get":{"ref":{"collection":"x"},"id":1}}', undefinedRef('get', "Ref refers to undefined collection 'x'")],
  ['{"object":{"r":{"ref":{"collection":"x"},"id":1}}}', `{"r":${docRef('x', 1)}}`],
]);

conforms('logic', {}, [
  ...inVersions('{"and":[false,{"abort":"eager"}]}', { '2.0 2.1 2.7 2.12': fault(400, 'transaction aborted', 'and/1', 'eager'), '3 4': 'false' }),
  ...inVersions('{"or":[true,{"abort":"eager"}]}', { '2.0 2.1 2.7 2.12': fault(400, 'transaction aborted', 'or/1', 'eager'), '3 4': 'true' }),
  ...inVersions('{"and":[false,1]}', { '2.12': argument('and/1', 'Boolean expected, Integer provided.'), '3 4': 'false' }),
  ...inVersions('{"and":[true,1]}', { [ALL_VERSIONS]: argument('and/1', 'Boolean expected, Integer provided.') }),
  ...inVersions('{"and":1}', { '2.12': argument('and', 'Boolean expected, Integer provided.'), '3 4': argument('and/0', 'Boolean expected, Integer provided.') }),
  ...inVersions('{"or":[]}', { '2.12': argument('or', 'Non-empty array expected.'), '3 4': expression('or', 'Expression list cannot be empty.') }),
  ['{"not":true}', 'false'],
  ['{"not":1}', argument('not', 'Boolean expected, Integer provided.')],
  ['{"equals":[1,1.0,1]}', 'true'],
  ['{"equals":[[1],[1.0]]}', 'false'],
  ['{"equals":[0.0,-0.0]}', 'false'],
  ['{"equals":[{"to_double":"NaN"},{"to_double":"NaN"}]}', 'true'],
  ['{"equals":[{"object":{"a":1,"b":2}},{"object":{"b":2,"a":1}}]}', 'true'],
  ['{"equals":1}', 'true'],
  ['{"equals":[]}', argument('equals', 'Non-empty array expected.')],
  ['{"equals":[9007199254740993,9007199254740992]}', 'false'],
  ['{"lt":[1,1.5,2,"a",[1],{"object":{}},true,null]}', 'true'],
  ['{"lt":[1,1]}', 'false'],
  ['{"lte":[1,1.0,1]}', 'true'],
  ['{"gt":[null,true,{"date":"2020-01-01"},{"time":"2020-01-01T00:00:00Z"}]}', 'true'],
  ['{"gte":[2,2,1]}', 'true'],
  ['{"lt":["B","a","b","é"]}', 'true'],
  ['{"lt":5}', 'true'],
  ['{"lt":[]}', argument('lt', 'Non-empty array expected.')],
]);

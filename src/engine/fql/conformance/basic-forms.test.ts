// Basic forms, in all the spellings that clients have used (reference: fql/functions.md §3).
import { argument, collectionRef, conforms, created, expression, faults, inVersions, noForm, noValue, unbound, fault, ALL_VERSIONS, notFound } from '../../../testing/cases.ts';

conforms('literals', {}, [
  ['1', '1'],
  ['1.0', '1.0'],
  ['1e2', '100.0'],
  ['-0.0', '-0.0'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', expression('', 'Request body is not valid JSON.')],
  ['"é😀\\u0001\\n/"', '"é😀\\u0001\\n/"'],
  ['null', 'null'],
  ['[true,false,null,[],"a"]', '[true,false,null,[],"a"]'],
  ['{"object":{"a":1,"b":{"object":{}}}}', '{"a":1,"b":{}}'],
  ['{"object":{"b":{"add":[1,2]},"a":null}}', '{"b":3,"a":null}'],
  ['{"object":{"a":1,"a":2}}', '{"a":1}'],
  ['{}', noForm('')],
]);

conforms('let', {}, [
  ['{"let":{"x":1},"in":{"var":"x"}}', '1'],
  ['{"let":{"x":1,"y":{"add":[{"var":"x"},1]}},"in":[{"var":"x"},{"var":"y"}]}', '[1,2]'],
  ['{"let":[{"x":1},{"x":{"add":[{"var":"x"},1]}}],"in":{"var":"x"}}', '2'],
  ['{"let":{"@obj":{"@x":1}},"in":{"var":"@x"}}', '1'],
  ['{"let":{"@obj":{"x":{"add":"a"}}},"in":1}', argument('let/x/add', 'Number expected, String provided.')],
  ['{"let":{"@obj":1},"in":1}', expression('let', 'Invalid object.')],
  ['{"let":{"@date":"2020-01-01"},"in":1}', expression('', 'Object expected, Date provided.')],
  ['{"let":[],"in":1}', '1'],
  ['{"let":{},"in":1}', '1'],
  ['{"let":{"x":1},"in":{"let":{"x":2},"in":{"var":"x"}}}', '2'],
  ['{"let":[{"x":1,"y":2}],"in":1}', expression('let/0', 'Object expected, Object provided.')],
  ['{"let":[1],"in":1}', expression('let/0', 'Object expected, Integer provided.')],
  ['{"let":1,"in":1}', expression('let', 'Array expected, Integer provided.')],
  ['{"let":{"x":1}}', noForm('', 'let')],
  ['{"let":{"x":{"var":"y"},"y":1},"in":1}', unbound('let/x', 'y')],
  ['{"let":{"x":{"add":"a"}},"in":{"add":"b"}}', argument('let/x/add', 'Number expected, String provided.')],
  ['{"let":[{"x":{"add":"a"}}],"in":1}', argument('let/0/x/add', 'Number expected, String provided.')],
  ['{"let":{"x":1},"in":{"add":"b"}}', argument('in/add', 'Number expected, String provided.')],
]);

conforms('var', {}, [
  ['{"var":"x"}', unbound('', 'x')],
  ['{"var":1}', expression('var', 'String expected, Integer provided.')],
  ['[{"var":"x"},{"var":"y"}]', faults(400, unbound('0', 'x'), unbound('1', 'y'))],
  ['[{"var":"x"},{"nope":1}]', noForm('1', 'nope')],
]);

conforms('if', {}, [
  ['{"if":true,"then":1,"else":{"abort":"no"}}', '1'],
  ['{"if":false,"then":{"abort":"no"},"else":2}', '2'],
  ['{"if":1,"then":1,"else":2}', argument('if', 'Boolean expected, Integer provided.')],
  ['{"if":true,"then":{"add":"a"},"else":2}', argument('then/add', 'Number expected, String provided.')],
  ['{"if":false,"then":1,"else":{"add":"a"}}', argument('else/add', 'Number expected, String provided.')],
  ['{"if":true,"then":1}', noForm('', 'if', 'then')],
  ['{"if":true,"then":1,"else":2,"extra":3}', noForm('', 'if', 'then', 'else', 'extra')],
]);

conforms('do', {}, [
  ['{"do":[1,2]}', '2'],
  ['{"do":[{"abort":"a"},{"abort":"b"}]}', fault(400, 'transaction aborted', 'do/0', 'a')],
  ['{"do":[]}', expression('do', 'Expression list cannot be empty.')],
  ['{"do":1}', expression('do', 'Array expected, Integer provided.')],
  ['{"do":[{"add":"a"},1]}', argument('do/0/add', 'Number expected, String provided.')],
]);

conforms('object and @obj', {}, [
  ['{"object":{"@obj":{"@a":1,"b":2}}}', '{"@obj":{"@a":1,"b":2}}'],
  ['{"object":{"@obj":{"a":{"add":"x"}}}}', argument('object/a/add', 'Number expected, String provided.')],
  ['{"object":{"@obj":1}}', expression('object', 'Invalid object.')],
  ['{"object":1}', expression('object', 'Object expected, Integer provided.')],
  ['{"object":{"@date":"2020-01-01"}}', expression('', 'Object expected, Date provided.')],
  ['{"object":{"a":{"add":"x"},"b":{"add":"y"}}}', faults(400, argument('object/a/add', 'Number expected, String provided.'), argument('object/b/add', 'Number expected, String provided.'))],
  ['{"@obj":{"add":[1,2]}}', '3'],
  ['{"@obj":{"x":1}}', noForm('@obj', 'x')],
  ['{"@obj":{"add":"a"}}', argument('@obj/add', 'Number expected, String provided.')],
]);

conforms('quote', {}, [
  ['{"quote":{"add":[1,2]}}', '{"add":[1,2]}'],
  ['{"quote":{"let":{"x":1},"in":{"var":"x"}}}', '{"let":{"x":1},"in":{"var":"x"}}'],
  ['{"quote":{"@obj":{"@a":{"@date":"2020-01-01"}}}}', '{"@obj":{"@a":{"@date":"2020-01-01"}}}'],
  ['{"quote":[{"@ts":"2020-01-01T00:00:00Z"},{"@bytes":"AQID"}]}', '[{"@ts":"2020-01-01T00:00:00Z"},{"@bytes":"AQID"}]'],
  ['{"quote":{"a":{"@date":"x"}}}', expression('quote/a', 'Invalid date.')],
  ['{"quote":{"@obj":1}}', expression('quote', 'Invalid object.')],
]);

conforms('lambdas', {}, [
  ['{"map":{"lambda":"x","expr":{"add":[{"var":"x"},1]}},"collection":[1,2]}', '[2,3]'],
  ['{"map":{"lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}},"collection":[[1,2],[3,4]]}', '[3,7]'],
  ['{"map":{"lambda":["a"],"expr":{"var":"a"}},"collection":[[1],2]}', '[1,2]'],
  ['{"map":{"lambda":["_","b"],"expr":{"var":"b"}},"collection":[[1,2]]}', '[2]'],
  ['{"map":{"lambda":"_","expr":7},"collection":[1,2]}', '[7,7]'],
  ['{"map":{"lambda":"_","expr":{"var":"_"}},"collection":[1]}', unbound('map/expr', '_')],
  ['{"map":{"lambda":["a","b"],"expr":1},"collection":[[1]]}', argument('map/lambda', 'Lambda expects an array with 2 elements. Array contains 1.')],
  ['{"map":{"lambda":["a","b"],"expr":1},"collection":[1]}', argument('map/lambda', 'Lambda expects an array with 2 elements. Array contains 1.')],
  ['{"map":{"lambda":["a",["b"]],"expr":1},"collection":[]}', expression('map/lambda/1', 'String expected, Array provided.')],
  ['{"map":{"lambda":1,"expr":{"nope":1}},"collection":[]}', faults(400, expression('map/lambda', 'String or Array expected, Integer provided.'), noForm('map/expr', 'nope'))],
  ['{"map":1,"collection":[]}', expression('map', 'Lambda expected, Integer provided.')],
  ['{"map":{"lambda":"x"},"collection":[]}', noForm('map', 'lambda')],
  ['{"map":{"add":[1]},"collection":[]}', noForm('map', 'add')],
  ['{"lambda":"x","expr":{"var":"x"}}', noForm('', 'lambda', 'expr')],
  ['[{"lambda":"x","expr":1}]', noForm('0', 'lambda', 'expr')],
  ['{"map":{"lambda":"x","expr":{"map":{"lambda":"y","expr":[{"var":"x"},{"var":"y"}]},"collection":[1,2]}},"collection":["a"]}', '[[["a",1],["a",2]]]'],
  ['{"map":{"lambda":"x","expr":{"add":[{"var":"x"},"y"]}},"collection":[1,2]}', argument('map/expr/add/1', 'Number expected, String provided.')],
]);

const QUERY = '{"query":{"lambda":"x","expr":{"add":[{"var":"x"},1]}}}';
conforms('query', {}, [
  ...inVersions(QUERY, {
    '2.0 2.1 2.7 2.12': '{"@query":{"lambda":"x","expr":{"add":[{"var":"x"},1]}}}',
    '3': '{"@query":{"api_version":"3","lambda":"x","expr":{"add":[{"var":"x"},1]}}}',
    '4': '{"@query":{"api_version":"4","lambda":"x","expr":{"add":[{"var":"x"},1]}}}',
  }),
  ['{"let":{"y":{"object":{"a":[1]}}},"in":{"query":{"lambda":"x","expr":{"var":"y"}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"let":{"y":{"object":{"a":[1]}}},"in":{"var":"y"}}}}'],
  // What a `let` binds itself is not taken from around, but for what comes before it is bound.
  ['{"let":{"x":1},"in":{"query":{"lambda":"y","expr":{"let":{"x":2},"in":{"var":"x"}}}}}', '{"@query":{"api_version":"4","lambda":"y","expr":{"let":{"x":2},"in":{"var":"x"}}}}'],
  ['{"let":{"x":1},"in":{"query":{"lambda":"y","expr":{"let":{"x":{"add":[{"var":"x"},1]}},"in":{"var":"x"}}}}}', '{"@query":{"api_version":"4","lambda":"y","expr":{"let":{"x":1},"in":{"let":{"x":{"add":[{"var":"x"},1]}},"in":{"var":"x"}}}}}'],
  ['{"query":{"lambda":"x","expr":{"let":[{"y":1}],"in":{"var":"y"}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"let":{"y":1},"in":{"var":"y"}}}}'],
  ['{"query":1}', expression('query', 'Lambda expected, Integer provided.')],
  ['{"query":{"lambda":"x","expr":{"var":"y"}}}', unbound('query/expr', 'y')],
  ['{"@query":{"lambda":"x","expr":{"add":[{"var":"x"},1]}}}', '{"@query":{"api_version":"2.12","lambda":"x","expr":{"add":[{"var":"x"},1]}}}'],
  ['{"@query":{"api_version":"3","lambda":"x","expr":{"var":"x"}}}', '{"@query":{"api_version":"3","lambda":"x","expr":{"var":"x"}}}'],
  ['{"@query":1}', expression('', 'Invalid lambda.')],
  ['{"@query":{"lambda":"x"}}', expression('', 'Invalid lambda.')],
]);

conforms('at', {}, [
  ['{"at":{"now":null},"expr":1}', '1'],
  ['{"at":"x","expr":1}', argument('at', 'Time expected, String provided.')],
  ['{"at":{"add":["a"]},"expr":1}', argument('at/add/0', 'Number expected, String provided.')],
  ['{"at":9000000000000000,"expr":{"create_collection":{"object":{"name":"future"}}}}', created(`{"ref":${collectionRef('future')},"ts":TS,"history_days":30,"name":"future"}`)],
  ['{"at":1,"expr":{"create_collection":{"object":{"name":"past"}}}}', fault(400, 'invalid write time', 'expr/create_collection', 'Cannot write outside of snapshot time.')],
  ['{"at":1,"expr":{"at":{"now":null},"expr":{"is_object":{"create_collection":{"object":{"name":"present"}}}}}}', 'true'],
]);

conforms('abort', {}, [
  ['{"abort":"stop"}', fault(400, 'transaction aborted', '', 'stop')],
  ['{"abort":1}', argument('abort', 'String expected, Integer provided.')],
  ['{"do":[{"create_collection":{"object":{"name":"gone"}}},{"abort":"undo"}]}', fault(400, 'transaction aborted', 'do/1', 'undo')],
  ['{"exists":{"collection":"gone"}}', 'false'],
]);

const FN = (name: string, body: string): string => `{"create_function":{"object":{"name":"${name}","body":{"query":${body}}}}}`;
const cause = (at: string, text: { text: string }): ReturnType<typeof fault> =>
  fault(400, 'call error', at, 'Calling the function resulted in an error.', `,"cause":[${text.text}]`);
const READ_OF = '{"object":{"name":"r","privileges":{"object":{"resource":{"collections":null},"actions":{"object":{"read":true}}}}}}';
const changed = (of: string, fields: string, then: string): string => `{"do":[{"update":${of},"params":{"object":{${fields}}}},${then}]}`;
const BODY = '"body":{"query":{"lambda":"x","expr":"new"}}';
conforms('what a query makes of functions and roles is for those that come after it', {
  world: [
    '{"create_collection":{"object":{"name":"c"}}}',
    FN('f', '{"lambda":"x","expr":"old"}'),
    FN('other', '{"lambda":"x","expr":{"call":"f"}}'),
    `{"create_role":${READ_OF}}`,
    `{"create_function":{"object":{"name":"g","role":"r","body":{"query":{"lambda":"x","expr":{"exists":{"collection":"c"}}}}}}}`,
    `{"create_function":{"object":{"name":"h","role":[],"body":{"query":{"lambda":"x","expr":{"exists":{"collection":"c"}}}}}}}`,
  ],
}, [
  ['{"call":"g"}', 'true'],
  [changed('{"role":"r"}', '"privileges":[]', '{"call":"g"}'), 'true'],
  ['{"call":"g"}', 'false'],
  [changed('{"function":"h"}', '"role":"admin"', '{"call":"h"}'), 'false'],
  ['{"call":"h"}', 'true'],
  [changed('{"function":"f"}', BODY, '[{"call":"f"},{"call":{"function":"f"}},{"call":"other"}]'), '["old","old","old"]'],
  ['[{"call":"f"},{"call":"other"}]', '["new","new"]'],
  [changed('{"function":"f"}', '"name":"renamed"', '{"call":"f"}'), '"new"'],
  ['[{"call":"renamed"}]', '["new"]'],
  ['{"let":{"r":{"function":"renamed"}},"in":{"do":[{"delete":{"var":"r"}},[{"call":"renamed"},{"call":{"var":"r"}}]]}}', '["new","new"]'],
  ['{"call":"renamed"}', fault(400, 'invalid ref', 'call', "Ref refers to undefined function 'renamed'")],
]);

conforms('an error in a function has the place of what is kept of it, where bindings are one object', {
  world: [
    FN('once', '{"lambda":[],"expr":{"let":[{"a":1},{"b":{"divide":[{"var":"a"},0]}}],"in":{"var":"b"}}}'),
    FN('escaped', '{"lambda":[],"expr":{"let":[{"@ref":1}],"in":{"add":[{"var":"@ref"},2]}}}'),
    FN('held', '{"lambda":[],"expr":{"let":[{"@obj":1}],"in":{"var":"@obj"}}}'),
    FN('twice', '{"lambda":[],"expr":{"let":[{"a":1},{"a":{"divide":[{"var":"a"},0]}}],"in":{"var":"a"}}}'),
  ],
}, [
  ['{"call":"once"}', cause('', fault(400, 'invalid argument', 'expr/let/b', 'Illegal division by zero.'))],
  // What a name could be taken for is never asked where it stands alone.
  ['[{"call":"escaped"},{"call":"held"}]', '[3,1]'],
  // A name that is bound twice has no place in one.
  ['{"call":"twice"}', cause('', fault(400, 'invalid argument', 'expr/let/1/a', 'Illegal division by zero.'))],
]);

conforms(
  'call',
  {
    world: [
      FN('inc', '{"lambda":"x","expr":{"add":[{"var":"x"},1]}}'),
      FN('sum2', '{"lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}'),
      FN('none', '{"lambda":[],"expr":7}'),
      FN('first', '{"lambda":["x"],"expr":{"var":"x"}}'),
      FN('whole', '{"lambda":"args","expr":{"var":"args"}}'),
      FN('stop', '{"lambda":"x","expr":{"abort":"inside"}}'),
      FN('outer', '{"lambda":"x","expr":{"call":{"function":"inc"},"arguments":{"var":"x"}}}'),
      FN('forever', '{"lambda":"x","expr":1}'),
      '{"update":{"function":"forever"},"params":{"object":{"body":{"query":{"lambda":"x","expr":{"call":{"function":"forever"},"arguments":{"var":"x"}}}}}}}',
      '{"create_function":{"object":{"name":"old","body":{"@query":{"lambda":"x","expr":{"or":[true,{"abort":"eager"}]}}}}}}',
    ],
  },
  [
    ['{"call":"inc","arguments":1}', '2'],
    ['{"call":{"function":"inc"},"arguments":[1]}', cause('', argument('expr/add/0', 'Number expected, Array provided.'))],
    ['{"call":"sum2","arguments":[1,2]}', '3'],
    ['{"call":"none"}', '7'],
    ['{"call":"whole"}', '[]'],
    ['{"call":"whole","arguments":5}', '5'],
    ['{"call":"whole","arguments":[5]}', '[5]'],
    // Nothing is an argument, too.
    ['{"call":"whole","arguments":null}', 'null'],
    ['{"call":"first","arguments":null}', 'null'],
    ['{"call":"none","arguments":null}', cause('', argument('lambda', 'Lambda expects an array with 0 elements. Array contains 1.'))],
    ['{"call":"sum2","arguments":[1]}', cause('', argument('lambda', 'Lambda expects an array with 2 elements. Array contains 1.'))],
    ['{"call":"inc","arguments":"a"}', cause('', argument('expr/add/0', 'Number expected, String provided.'))],
    ['[{"call":"stop","arguments":1}]', cause('0', fault(400, 'transaction aborted', 'expr', 'inside'))],
    ['{"call":"outer","arguments":"a"}', cause('', cause('expr', argument('expr/add/0', 'Number expected, String provided.')))],
    ['{"call":"forever","arguments":1}', fault(400, 'stack overflow', 'expr', 'Call stack reached the maximum limit of 200.')],
    ['{"call":"old","arguments":1}', cause('', fault(400, 'transaction aborted', 'expr/or/1', 'eager'))],
    ['{"call":"nope"}', fault(400, 'invalid ref', 'call', "Ref refers to undefined function 'nope'")],
    ['{"call":{"function":"nope"}}', fault(400, 'invalid ref', 'call', "Ref refers to undefined function 'nope'")],
    ['{"call":1}', argument('call', 'Identifier expected, Integer provided.')],
    ['{"map":{"lambda":"x","expr":{"call":"inc","arguments":{"var":"x"}}},"collection":[1,2]}', '[2,3]'],
    ['{"let":{"r":{"select":["ref"],"from":{"create_function":{"object":{"name":"fresh","body":{"query":{"lambda":"x","expr":1}}}}}}},"in":{"call":{"var":"r"}}}', notFound('in/call', 'Function not found.')],
  ],
);

conforms('select', {}, [
  ['{"select":["a","b"],"from":{"object":{"a":{"object":{"b":1}}}}}', '1'],
  ['{"select":"a","from":{"object":{"a":1}}}', '1'],
  ['{"select":[],"from":5}', '5'],
  ['{"select":0,"from":[7,8]}', '7'],
  ['{"select":-1,"from":[7,8]}', noValue('from', '-1')],
  ['{"select":["a",0],"from":{"object":{"a":[]}}}', noValue('from', 'a,0')],
  ['{"select":["a"],"from":{"object":{}},"default":{"add":[1,1]}}', '2'],
  ['{"select":["a"],"from":{"object":{"a":null}},"default":1}', 'null'],
  ['{"select":[1.5],"from":[1]}', argument('select/0', 'String or Integer expected, Double provided.')],
  ['{"select":[true,1.5],"from":[1]}', faults(400, argument('select/0', 'String or Integer expected, Boolean provided.'), argument('select/1', 'String or Integer expected, Double provided.'))],
  ['{"select":["a"],"from":1}', noValue('from', 'a')],
  ['{"select":["a"],"from":{"select":["b"],"from":{"object":{}}},"default":1}', noValue('from/from', 'b')],
  ...inVersions('{"select":["a"],"from":{"object":{"a":1}},"default":{"abort":"lazy"}}', {
    '2.0 2.1 2.7 2.12': fault(400, 'transaction aborted', 'default', 'lazy'),
    '3 4': '1',
  }),
  ['{"select":["a"],"from":{"object":{"a":[[1],[2,3]]}},"all":true}', '[1,2,3]'],
  ['{"select":["a","b"],"from":{"object":{"a":[{"object":{"b":1}},{"object":{}},{"object":{"b":[2,3]}}]}},"all":true}', '[1,2,3]'],
  ['{"select_all":["a","b"],"from":{"object":{"a":[{"object":{"b":1}},{"object":{"c":1}}]}}}', '[1]'],
  ['{"select_all":["z"],"from":{"object":{}}}', '[]'],
  ['{"select_as_index":["a"],"from":{"object":{"a":1}}}', '[1]'],
  ['{"select_all":["a"],"from":{"object":{"a":1}}}', '[1]'],
]);

conforms('contains', {}, [
  ...inVersions('{"contains":["a",0],"in":{"object":{"a":[1]}}}', { [ALL_VERSIONS]: 'true' }),
  ...inVersions('{"contains_path":["a",1],"in":{"object":{"a":[1]}}}', { '2.0 2.12': noForm('', 'contains_path', 'in'), '3 4': 'false' }),
  ...inVersions('{"contains_field":"a","in":{"object":{"a":1}}}', { '2.12': noForm('', 'contains_field', 'in'), '3 4': 'true' }),
  ...inVersions('{"contains_value":1,"in":[2,1]}', { '2.12': noForm('', 'contains_value', 'in'), '3 4': 'true' }),
  ['{"contains_field":"a","in":[1]}', argument('in', 'Object expected, Array provided.')],
  ['{"contains_value":1.0,"in":[1]}', 'false'],
  ['{"contains_value":2,"in":{"object":{"a":2}}}', 'true'],
  ['{"contains_value":2,"in":3}', argument('in', 'Object, Array, Page, Set, or Ref expected, Scalar provided.')],
  ['{"contains_field":1,"in":{"object":{}}}', argument('contains_field', 'String expected, Integer provided.')],
]);

// What an index may be, what is wrong with definitions, and what may be changed (reference:
// data/indexes.md §1–4, §7–10, §13).
import { type Answer, collectionRef, conforms, created, docRef, fault, type FieldFault, indexRef, invalid, inVersions, notFound } from '../../../testing/cases.ts';

const world = ['{"create_collection":{"object":{"name":"a"}}}', '{"create_collection":{"object":{"name":"b"}}}'];
const A = '{"collection":"a"}';
const B = '{"collection":"b"}';
const BINDING = '{"query":{"lambda":"d","expr":{"select":["data","n"],"from":{"var":"d"}}}}';
const SHOWN = BINDING.replace('query', '@query').replace('{"lambda"', '{"api_version":"4","lambda"');
const make = (name: string, source: string, more = ''): string => `{"create_index":{"object":{"name":"${name}","source":${source}${more}}}}`;
const bad = (...failures: readonly FieldFault[]): Answer => invalid('create_index', ...failures);
const bound = (collections: string, fields = `{"object":{"n":${BINDING}}}`): string => `{"object":{"collection":${collections},"fields":${fields}}}`;
const term = (fields: string): string => `,"terms":[{"object":{${fields}}}]`;
const byN = term('"binding":"n"');
const MIXED = ['mixed wildcards', 'Cannot mix collection refs and wildcards without providing bindings.'] as const;
const TWICE = ['multiple bindings', 'A collection ref may only match one binding.'] as const;
const sourceOf = (source: string, more = ''): string => `{"select":"source","from":${make('ok', source, more)}}`;
const gone = '{"is_object":{"delete":{"index":"ok"}}}';

conforms('sources of an index', { world: [...world, make('i', A)] }, [
  ['{"create_index":{"object":{"name":"x"}}}', bad([['source'], 'value required', 'Required value not found.'])],
  [make('x', '[]'), bad([['source'], 'value required', 'Required value not found.'])],
  [make('x', '1'), bad([['source'], 'invalid type', 'Invalid type Long, expected type SourceClass.'])],
  [make('x', '"a"'), bad([['source'], 'invalid type', 'Invalid type String, expected type SourceClass.'])],
  [make('x', '{"ref":{"collection":"a"},"id":1}'), bad([['source'], 'invalid type', 'Invalid type Ref, expected type SourceClass.'])],
  [make('x', '{"databases":null}'), bad([['source'], 'invalid reference', 'Cannot read reference.'])],
  [make('x', `["_",${A}]`), bad([['source'], ...MIXED])],
  [make('x', '["_","_"]'), bad([['source'], ...MIXED])],
  [make('x', `["_",${A}]`), { status: 400, body: bad([['source'], ...MIXED]).body.replace('document data', 'instance data').replace('collection refs', 'class refs') }, '2.1'],
  [make('x', `[${bound(A)},${bound(A)}]`, byN), { status: 400, body: bad([['source'], ...TWICE]).body.replace('document data', 'instance data').replace('collection ref', 'class ref') }, '2.1'],
  [make('x', `{"object":{"collection":["_",${A}]}}`), bad([['collection'], 'invalid type', 'Invalid type String, expected type Class Ref.'])],
  [make('x', `{"object":{"class":["_",${A}]}}`), bad([['class'], 'invalid type', 'Invalid type String, expected type Class Ref.'])],
  [make('x', `[${A},{"object":{"class":{"index":"i"}}}]`), bad([['class'], 'invalid type', 'Invalid type Ref, expected type SourceClass.'])],
  [make('x', '{"object":{"fields":1}}'), bad([['class'], 'value required', 'Required value not found.'])],
  [make('x', `{"object":{"class":[${A},{"databases":null}]}}`), bad([['source'], 'invalid reference', 'Cannot read reference.'])],
  ...[['{"var":"c"}', ['source']], ['{"object":{"class":{"var":"c"}}}', ['source', 'class']], ['{"object":{"collection":[{"var":"c"}]}}', ['source', 'collection']]].map(
    ([source, field]): readonly [string, Answer] => [
      `{"let":{"c":{"select":"ref","from":{"create_collection":{"object":{"name":"gone"}}}},"d":{"delete":{"var":"c"}}},"in":${make('x', source as string)}}`,
      invalid('in/create_index', [field as string[], 'invalid reference', 'Reference was not found.']),
    ],
  ),
  // Of several things that are wrong the first is told.
  [make('x', `[1,"a"]`), bad([['source'], 'invalid type', 'Invalid type Long, expected type SourceClass.'])],
  [make('x', `[${bound(A)},${bound(A)}]`, byN), bad([['source'], ...TWICE])],
  [make('x', `[${bound(`[${A},${B}]`)},${bound(`[${A},${B}]`)}]`, byN), bad([['source'], ...TWICE])],
  [make('x', `[${A},${A}]`), bad([['source'], ...TWICE])],
  [make('x', `[${A},${B},{"object":{"class":${A}}}]`), bad([['source'], ...TWICE])],
  // Overlapping ones slip through. The source stays as it was written.
  [sourceOf(`[${bound(`[${A},${B}]`)},${bound(B)}]`, byN), `[{"collection":[${collectionRef('a')},${collectionRef('b')}],"fields":{"n":${SHOWN}}},{"collection":${collectionRef('b')},"fields":{"n":${SHOWN}}}]`],
  [gone, 'true'],
  [sourceOf(`[${A}]`), `[${collectionRef('a')}]`],
  [gone, 'true'],
  [sourceOf(`[${A},${B}]`), `[${collectionRef('a')},${collectionRef('b')}]`],
  [gone, 'true'],
  [sourceOf('"_"'), '"_"'],
  [gone, 'true'],
  [sourceOf(`{"object":{"collection":[${A}],"more":1}}`), `{"collection":[${collectionRef('a')}],"more":1}`],
  ...inVersions('{"get":{"index":"ok"}}', {
    '2.1': '{"ref":{"@ref":{"id":"ok","class":{"@ref":{"id":"indexes"}}}},"ts":TS,"active":true,"serialized":true,"name":"ok","source":{"class":[{"@ref":{"id":"a","class":{"@ref":{"id":"classes"}}}}],"more":1},"partitions":8}',
    '2.7 4': `{"ref":${indexRef('ok')},"ts":TS,"active":true,"serialized":true,"name":"ok","source":{"collection":[${collectionRef('a')}],"more":1},"partitions":8}`,
  }),
  ['[{"select":["source","class"],"from":{"get":{"index":"ok"}}},{"select":["source","collection"],"from":{"get":{"index":"ok"}}}]', `[[${collectionRef('a')}],[${collectionRef('a')}]]`],
  // As tools do that compare it with a definition, and send that again.
  [`{"equals":[{"select":"source","from":{"get":{"index":"ok"}}},{"object":{"collection":[${A}],"more":1}}]}`, 'true'],
  ...[A, `[${A}]`, `{"object":{"class":${A}}}`, `[{"object":{"collection":${A}}}]`].map((source): readonly [string, string] => [
    `{"select":"active","from":{"update":{"index":"ok"},"params":{"object":{"source":${source}}}}}`, 'true',
  ]),
  ['[{"select":["source",0,"class"],"from":{"get":{"index":"ok"}}},{"select":["source",0,"collection"],"from":{"get":{"index":"ok"}}}]', `[${collectionRef('a')},${collectionRef('a')}]`],
  [gone, 'true'],
  [sourceOf(`{"object":{"class":${A},"collection":${A}}}`), `{"class":${collectionRef('a')},"collection":${collectionRef('a')}}`],
  ['{"get":{"index":"ok"}}', `{"ref":${indexRef('ok')},"ts":TS,"active":true,"serialized":true,"name":"ok","source":{"collection":${collectionRef('a')}},"partitions":8}`],
  [gone, 'true'],
  // No other document has such a field.
  [`{"contains_path":["source","collection"],"in":{"create":${A},"params":{"object":{"source":{"object":{"class":1}},"data":{"object":{}}}}}}`, 'false'],
  // Of two names that say different things neither counts.
  [make('x', `{"object":{"class":${A},"collection":${B}}}`), bad([['source'], ...TWICE])],
  [`{"is_object":${make('k', `{"object":{"class":${A}}}`)}}`, 'true'],
  [`{"update":{"index":"k"},"params":{"object":{"source":{"object":{"collection":${B}}}}}}`, invalid('', [['source'], ...TWICE])],
  ['[{"select":["collection","source","class"],"from":{"object":{"collection":{"get":{"index":"k"}}}}},{"contains_path":["class","source","collection"],"in":{"object":{"class":{"get":{"index":"k"}}}}}]', `[${collectionRef('a')},true]`],
  [sourceOf('{"roles":null}'), '{"@ref":{"id":"roles"}}'],
]);

conforms('bindings of an index', { world }, [
  [make('x', bound(A, '1')), bad([['fields'], 'invalid type', 'Invalid type Long, expected type Query Map.'])],
  [make('x', `[${bound(A, '{"object":{"n":1}}')}]`, byN), bad([['fields', 'n'], 'invalid type', 'Invalid type Long, expected type Query.'])],
  ...['{"get":{"select":"ref","from":{"var":"d"}}}', '{"create":{"collection":"a"}}', '{"call":"f"}'].map((expr): readonly [string, Answer] => [
    make('x', `[${bound(A, `{"object":{"n":{"query":{"lambda":"d","expr":${expr}}}}}`)}]`, byN),
    bad([['source', '0', 'fields', '0', 'n'], 'invalid binding', 'Field binding must be a pure unary function.']),
  ]),
  [make('x', `[${bound(A)}]`), bad([['source', '0', 'fields', '0', 'n'], 'unused binding', 'Source binding is not used as a term or value.'])],
  [make('x', bound(A), term('"binding":"m"')), bad([['source', '0', 'fields', '0', 'n'], 'unused binding', 'Source binding is not used as a term or value.'])],
  ['{"is_object":{"create":{"ref":{"collection":"a"},"id":1},"params":{"object":{"data":{"object":{"n":7}}}}}}', 'true'],
  // A name that is no binding's, and a lambda that the document does not fit, give null.
  [`{"is_object":${make('none', A, term('"binding":"nobody"'))}}`, 'true'],
  [`{"is_object":${make('unfit', bound(A, '{"object":{"n":{"query":{"lambda":["x","y"],"expr":1}}}}'), byN)}}`, 'true'],
  [`{"is_object":${make('both', bound(A), term('"binding":"n","field":["data","zzz"]'))}}`, 'true'],
  ['[{"count":{"match":{"index":"none"},"terms":null}},{"count":{"match":{"index":"unfit"},"terms":1}},{"count":{"match":{"index":"both"},"terms":7}}]', '[0,0,1]'],
]);

const field = (value: string, more = ''): string => `"field":${value}${more}`;
conforms('terms and values of an index', { world }, [
  [make('x', A, term('"reverse":true')), bad([['field'], 'value required', 'Must provide one of the following: field, binding'])],
  [make('x', A, ',"values":{"object":{"reverse":true}}'), bad([['field'], 'value required', 'Must provide one of the following: field, binding'])],
  [make('x', A, ',"terms":[1]'), bad([['terms'], 'invalid type', 'Invalid type Long, expected type Term.'])],
  [make('x', A, ',"values":["a"]'), bad([['values'], 'invalid type', 'Invalid type String, expected type Term.'])],
  [make('x', A, term(field('{"object":{}}'))), bad([['field'], 'invalid type', 'Invalid type Map, expected type Long or String.'])],
  [make('x', A, term(field('["data",true]'))), bad([['field'], 'invalid type', 'Invalid type Boolean, expected type Long or String.'])],
  [make('x', A, term('"binding":1')), bad([['binding'], 'invalid type', 'Invalid type Long, expected type String.'])],
  [make('x', A, term(field('"a"', ',"reverse":"true"'))), bad([['reverse'], 'invalid type', 'Invalid type String, expected type Boolean.'])],
  [make('x', A, ',"values":{"object":{"field":"a","reverse":1,"mva":1}}'), bad([['reverse'], 'invalid type', 'Invalid type Long, expected type Boolean.'])],
  [make('x', A, term(field('"a"', ',"mva":0'))), bad([['mva'], 'invalid type', 'Invalid type Long, expected type Boolean.'])],
  [make('x', A, term(field('"a"', ',"transform":1'))), bad([['transform'], 'invalid type', 'Invalid type Long, expected type String.'])],
  [make('x', A, term(field('"a"', ',"transform":"upper"'))), bad([['transform'], 'invalid value', 'Invalid value `upper` at `transform`'])],
  [`{"select":["terms"],"from":${make('t', A, term(field('["data","a",0,"b"]', ',"transform":"casefold","mva":false,"nope":1,"reverse":true')))}}`,
    '[{"field":["data","a",0,"b"],"transform":"casefold","mva":false,"reverse":true}]'],
  [`{"select":["values"],"from":${make('u', A, `,"values":{"object":{"field":"ts","mva":true}}`)}}`, '{"field":"ts"}'],
  // A path of one step is shown as it was sent, and may be sent again in either form.
  [`{"select":["values"],"from":{"update":{"index":"u"},"params":{"object":{"values":[{"object":{"field":["ts"]}}]}}}}`, '[{"field":["ts"]}]'],
  [`{"contains":"terms","in":${make('v', A, ',"terms":[],"values":null')}}`, 'true'],
]);

const created8 = (name: string, more = ''): Answer => created(`{"ref":${indexRef(name)},"ts":TS,"active":true,"serialized":true,"name":"${name}","source":${collectionRef('a')}${more}}`);
conforms('partitions, serialized and unique', { world }, [
  [make('x', A, ',"partitions":0'), bad([['partitions'], 'bounds error', 'Value 0 is not in expected range 1 to 8.'])],
  [make('x', A, ',"partitions":9'), bad([['partitions'], 'bounds error', 'Value 9 is not in expected range 1 to 8.'])],
  [make('x', A, ',"partitions":"1"'), bad([['partitions'], 'invalid type', 'Invalid type String, expected type Long.'])],
  [make('x', A, ',"unique":1'), bad([['unique'], 'invalid type', 'Invalid type Long, expected type Boolean.'])],
  [make('x', A, ',"serialized":"no"'), bad([['serialized'], 'invalid type', 'Invalid type String, expected type Boolean.'])],
  [make('eight', A), created8('eight', ',"partitions":8')],
  [make('one', A, term('"field":["data","n"]')), created8('one', ',"terms":[{"field":["data","n"]}],"partitions":1')],
  [`{"select":"partitions","from":${make('by_class', A, term('"field":"class"'))}}`, '8'],
  [`{"select":"partitions","from":${make('by_collection', A, term('"field":"collection"'))}}`, '1'],
  [`{"select":"partitions","from":${make('only', A, ',"unique":true')}}`, '8'],
  ['{"update":{"index":"only"},"params":{"object":{"unique":false}}}', invalid('', [[], 'invalid index', 'Index partition count may not be updated (1 -> 8).'])],
  ['{"update":{"index":"only"},"params":{"object":{"unique":null}}}', invalid('', [[], 'invalid index', 'Index partition count may not be updated (1 -> 8).'])],
  ['{"select":"partitions","from":{"update":{"index":"only"},"params":{"object":{"unique":true}}}}', '8'],
  [`{"select":["serialized"],"from":${make('free', A, ',"serialized":false')}}`, 'false'],
  ['{"update":{"index":"eight"},"params":{"object":{"partitions":1}}}', invalid('', [[], 'invalid index', 'Index partition count may not be updated (8 -> 1).'])],
  ['{"update":{"index":"eight"},"params":{"object":{"unique":true}}}', invalid('', [[], 'invalid index', 'Index partition count may not be updated (8 -> 1).'])],
  ['{"select":"unique","from":{"update":{"index":"one"},"params":{"object":{"unique":true}}}}', 'true'],
  ['{"contains":"unique","in":{"update":{"index":"one"},"params":{"object":{"unique":null}}}}', 'false'],
]);

const CHANGED = 'Index sources, terms, and values may not be updated';
conforms('changes of an index', { world: [...world, make('i', A, `${term('"field":["data","n"]')},"values":[{"object":{"field":["data","v"]}}]`)] }, [
  [`{"update":{"index":"i"},"params":{"object":{"source":${B}}}}`, invalid('', [[], 'invalid index', `${CHANGED} (source changed).`])],
  ['{"update":{"index":"i"},"params":{"object":{"terms":[{"object":{"field":["data","m"]}}]}}}', invalid('', [[], 'invalid index', `${CHANGED} (terms changed).`])],
  ['{"update":{"index":"i"},"params":{"object":{"values":null}}}', invalid('', [[], 'invalid index', `${CHANGED} (values changed).`])],
  [`{"select":"name","from":{"update":{"index":"i"},"params":{"object":{"source":[${A}],"terms":{"object":{"field":["data","n"]}},"serialized":false,"data":{"object":{"x":1}}}}}}`, '"i"'],
  ['[{"select":"serialized","from":{"get":{"index":"i"}}},{"select":"data","from":{"get":{"index":"i"}}}]', '[false,{"x":1}]'],
  ['{"replace":{"index":"i"},"params":{"object":{}}}', invalid('', [['source'], 'value required', 'Required value not found.'], [[], 'invalid index', `${CHANGED} (source, terms, values changed).`])],
  [`{"replace":{"index":"i"},"params":{"object":{"source":${A},"terms":[{"object":{"field":["data","n"]}}],"values":[{"object":{"field":["data","v"]}}]}}}`,
    `{"ref":${indexRef('i')},"ts":TS,"active":true,"serialized":true,"name":"i","partitions":1,"source":${collectionRef('a')},"terms":[{"field":["data","n"]}],"values":[{"field":["data","v"]}]}`],
  ['{"select":"active","from":{"update":{"index":"i"},"params":{"object":{"active":false}}}}', 'true'],
]);

const put = (id: number, data: string): string => `{"is_object":{"create":{"ref":{"collection":"a"},"id":${id}},"params":{"object":{"data":{"object":${data}}}}}}`;
const count = (index: string, terms = ''): string => `{"count":{"match":{"index":"${index}"}${terms}}}`;
conforms('entries and what matches them', {
  world: [...world, make('n', A, term('"field":["data","n"]')), make('nm', A, ',"terms":[{"object":{"field":["data","n"]}},{"object":{"field":["data","m"]}}]'), make('all', A), make('v', A, ',"values":[{"object":{"field":["data","v"]}}]'),
    make('vref', A, ',"values":[{"object":{"field":["data","v"]}},{"object":{"field":["ref"]}}]'), make('whole', A, term('"field":["data","n"],"mva":false'))],
}, [
  [put(1, '{}'), 'true'], [put(2, '{"n":null,"v":[]}'), 'true'], [put(3, '{"n":1}'), 'true'], [put(4, '{"n":[1,2,2],"m":[3,4]}'), 'true'],
  [put(5, '{"n":{"object":{"x":1}},"m":5,"v":["a","a","b"]}'), 'true'], [put(6, '{"n":[[7],[8,[9]]]}'), 'true'],
  [`[${[count('n', ',"terms":null'), count('n', ',"terms":1'), count('n', ',"terms":[1]'), count('n', ',"terms":9'), count('n', ',"terms":[1,2]'), count('n')].join()}]`, '[0,2,2,1,0,0]'],
  [`[${[count('nm', ',"terms":[1,null]'), count('nm', ',"terms":[1,3]'), count('nm', ',"terms":[2,4]'), count('nm', ',"terms":[null,5]'), count('nm', ',"terms":[null,null]')].join()}]`, '[1,1,1,1,0]'],
  [`[${count('all')},${count('all', ',"terms":[]')},${count('all', ',"terms":1')}]`, '[6,6,0]'],
  ['{"select":"data","from":{"paginate":{"match":{"index":"v"}}}}', '["a","b"]'],
  ['{"select":"data","from":{"paginate":{"match":{"index":"vref"}}}}', `[["a",${docRef('a', 5)}],["b",${docRef('a', 5)}],${[1, 2, 3, 4, 6].map((id) => `[null,${docRef('a', id)}]`).join()}]`],
  [count('whole', ',"terms":[[1,2,2]]'), '1'],
  // An entry whose values or terms are too long is left out, its document is not. Both together are refused.
  [put(7, `{"v":"${'x'.repeat(32_767)}"}`), 'true'],
  [put(8, `{"n":"${'x'.repeat(32_767)}"}`), 'true'],
  [`[${count('v')},${count('n', `,"terms":"${'x'.repeat(32_767)}"`)},${count('all')}]`, '[2,0,8]'],
  [make('nv', A, term('"field":["data","n"]') + ',"values":[{"object":{"field":["data","v"]}}]').replace('{"create_index"', '{"is_object":{"create_index"') + '}', 'true'],
  [put(9, `{"n":"${'x'.repeat(32_000)}","v":"${'x'.repeat(32_500)}"}`), { status: 400, body: '{"errors":[{"code":"bad request","description":"Key bytes (64515) exceeds threshold (64000)"}]}' }],
  [count('all'), '8'],
]);

const first = (index: string): string => `{"select":"data","from":{"paginate":{"match":{"index":"${index}"}}}}`;
const value = (...path: readonly (string | number)[]): string => `,"values":[{"object":{"field":${JSON.stringify(path)}}},{"object":{"field":["ref","id"]}}]`;
conforms('places in arrays', {
  world: [...world, make('zeroth', A, value('data', 'l', 0)), make('inner', A, value('data', 'l', 1, 'x')), make('each', A, value('data', 'l', 'x', 0)), make('none', A, value('data', 'l', -1)), make('start', A, value(0))],
}, [
  [put(1, '{"l":[10,{"object":{"x":[5,6]}}]}'), 'true'], [put(2, '{"l":7}'), 'true'], [put(3, '{"l":{"object":{"0":9}}}'), 'true'],
  [`[${['zeroth', 'inner', 'each'].map(first).join()}]`, '[[[10,"1"],[null,"2"],[null,"3"]],[[5,"1"],[6,"1"],[null,"2"],[null,"3"]],[[5,"1"],[null,"2"],[null,"3"]]]'],
  [`[${['none', 'start'].map(first).join()}]`, '[[[null,"1"],[null,"2"],[null,"3"]],[[null,"1"],[null,"2"],[null,"3"]]]'],
]);

conforms('indexes of what refs are made of', {
  world: [...world, make('owner', A, `${term('"field":["data","owner","id"]')},"values":[{"object":{"field":["data","owner","collection","id"]}},{"object":{"field":["ref","id"]}}]`),
    make('kind', A, `${term('"field":["ref","class"]')},"values":[{"object":{"field":["data","owner","class","class","id"]}},{"object":{"field":["data","owner","secret"]}}]`)],
}, [
  [put(1, '{"owner":{"ref":{"collection":"b"},"id":"12"}}'), 'true'], [put(2, '{"owner":[{"ref":{"collection":"b"},"id":"34"},{"collection":"b"}]}'), 'true'],
  [`[${['"12"', '"34"', '"b"', '12'].map((id) => `{"select":["data"],"from":{"paginate":{"match":{"index":"owner"},"terms":${id}}}}`).join()}]`, '[[["b","1"]],[["b","2"],["classes","2"]],[["b","2"],["classes","2"]],[]]'],
  [`{"select":["data"],"from":{"paginate":{"match":{"index":"kind"},"terms":${A}}}}`, '[["classes",null],["classes",null]]'],
  ['{"is_object":{"update":{"ref":{"collection":"a"},"id":1},"params":{"object":{"data":{"object":{"owner":{"ref":{"collection":"b"},"id":"56"}}}}}}}', 'true', '2.1'],
  [`[${['"12"', '"56"'].map((id) => count('owner', `,"terms":${id}`)).join()}]`, '[0,1]'],
]);

conforms('an index and the query that makes it', { world: [...world, put(1, '{"n":1}')] }, [
  [`{"do":[${make('i', A)},{"paginate":{"match":{"index":"i"}}}]}`, fault(400, 'invalid ref', 'do/1/paginate/match', "Ref refers to undefined index 'i'")],
  [`{"let":{"i":${make('i', A)}},"in":{"paginate":{"match":{"select":"ref","from":{"var":"i"}}}}}`, notFound('in/paginate/index', 'Index not found.')],
  [`{"let":{"i":${make('i', A)}},"in":{"match":{"select":"ref","from":{"var":"i"}}}}`, notFound('in/index', 'Index not found.')],
  [`{"let":{"i":${make('i', A)}},"in":{"join":{"indexes":null},"with":{"select":"ref","from":{"var":"i"}}}}`, notFound('in/with', 'Index not found.')],
  [`{"do":[${put(2, '{}')},${make('i', A)},${put(3, '{}')}]}`, 'true'],
  [count('i'), '3'],
]);

// Every kind of value as every version shows it, straight from a query and read back from a
// document (reference: fql/wire.md §2–4).
import { ALL_VERSIONS, argument, conforms, expression, inVersions, type Row } from '../../../testing/cases.ts';

const world = [
  '{"create_collection":{"object":{"name":"spells"}}}',
  '{"create_index":{"object":{"name":"by_n","source":{"collection":"spells"},"terms":[{"object":{"field":["data","n"]}}],"values":[{"object":{"field":["data","n"]}}]}}}',
  '{"create":{"ref":{"collection":"spells"},"id":1},"params":{"object":{"data":{"object":{"n":1}}}}}',
];

/** Values that look the same in all versions: the query that makes one, and its text. */
const PLAIN: readonly (readonly [query: string, text: string])[] = [
  ['true', 'true'],
  ['"\\u0000\\b\\t\\n\\f\\r\\"\\\\/é\\ud83d\\ude00"', '"\\u0000\\b\\t\\n\\f\\r\\"\\\\/é😀"'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9007199254740993', '9007199254740993'],
  ['1.0', '1.0'],
  ['-0.0', '-0.0'],
  ['0.001', '0.001'],
  ['0.00099', '9.9E-4'],
  ['9999999.0', '9999999.0'],
  ['1e7', '1.0E7'],
  ['1.7976931348623157e308', '1.7976931348623157E308'],
  ['4.9e-324', '4.9E-324'],
  ['{"to_double":"NaN"}', '"NaN"'],
  ['{"divide":[{"to_double":"∞"},-1]}', '"-Infinity"'],
  ['{"time":"2020-01-02T03:04:05Z"}', '{"@ts":"2020-01-02T03:04:05Z"}'],
  ['{"time":"2020-01-02T03:04:05.1Z"}', '{"@ts":"2020-01-02T03:04:05.100Z"}'],
  ['{"time":"2020-01-02T03:04:05.0001Z"}', '{"@ts":"2020-01-02T03:04:05.000100Z"}'],
  ['{"time":"2020-01-02T03:04:05.123456789Z"}', '{"@ts":"2020-01-02T03:04:05.123456789Z"}'],
  ['{"time":"-0001-01-01T00:00:00Z"}', '{"@ts":"-0001-01-01T00:00:00Z"}'],
  ['{"epoch":253402300800,"unit":"second"}', '{"@ts":"+10000-01-01T00:00:00Z"}'],
  ['{"date":"2020-02-29"}', '{"@date":"2020-02-29"}'],
  ['{"date":"-0001-01-01"}', '{"@date":"-0001-01-01"}'],
  ['{"@bytes":"AP-_"}', '{"@bytes":"AP+/"}'],
  ['{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}', '{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}'],
  ['[1,[2.0,{"object":{"b":1,"a":2}}]]', '[1,[2.0,{"b":1,"a":2}]]'],
  ['{"object":{"@obj":{"@a":1}}}', '{"@obj":{"@a":1}}'],
  ['{"object":{"a":{"object":{"@obj":{"@ref":"x","b":1}}}}}', '{"a":{"@obj":{"@ref":"x","b":1}}}'],
  ['{"object":{"10":1,"9":2,"":3}}', '{"10":1,"9":2,"":3}'],
];

const stored = (value: string): string =>
  `{"select":["data","v"],"from":{"create":{"ref":{"class":"spells"},"id":{"new_id":null}},"params":{"object":{"data":{"object":{"v":${value}}}}}}}`;

conforms('values that all versions show alike', { world }, PLAIN.flatMap(([query, text]) => inVersions(query, { [ALL_VERSIONS]: text })));
conforms('values read back from what was written', { world }, PLAIN.map(([query, text]): Row => [stored(query), text]));
conforms('null', { world }, [
  ['null', 'null'],
  ['{"object":{"a":null,"b":[null]}}', '{"a":null,"b":[null]}'],
]);

const INDEX = {
  '2.0': '{"@ref":"indexes/by_n"}',
  '2.1': '{"@ref":{"id":"by_n","class":{"@ref":{"id":"indexes"}}}}',
  '4': '{"@ref":{"id":"by_n","collection":{"@ref":{"id":"indexes"}}}}',
};
const LAMBDA = '{"lambda":"x","expr":{"var":"x"}}';
const MATCH = '{"match":{"index":"by_n"},"terms":1}';

conforms('lambdas and sets', { world }, [
  ...inVersions('{"query":{"lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}}', {
    '2.0 2.1 2.7 2.12': '{"@query":{"lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}}',
    '3': '{"@query":{"api_version":"3","lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}}',
    '4': '{"@query":{"api_version":"4","lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}}',
  }),
  ...inVersions('{"@query":{"api_version":"4","lambda":"x","expr":1}}', { [ALL_VERSIONS]: '{"@query":{"api_version":"4","lambda":"x","expr":1}}' }),
  ...inVersions('{"@query":{"lambda":"x","expr":1}}', { '2.0 2.12': '{"@query":{"lambda":"x","expr":1}}', '3 4': '{"@query":{"api_version":"2.12","lambda":"x","expr":1}}' }),
  [stored(`{"query":${LAMBDA}}`), '{"@query":{"api_version":"4","lambda":"x","expr":{"var":"x"}}}'],
  ['{"let":{"y":{"date":"2020-01-01"},"z":1},"in":{"query":{"lambda":"x","expr":[{"var":"y"},{"var":"x"}]}}}',
    '{"@query":{"api_version":"4","lambda":"x","expr":{"let":{"y":{"@date":"2020-01-01"}},"in":[{"var":"y"},{"var":"x"}]}}}'],
  ['{"let":{"y":{"quote":{"var":"a"}}},"in":{"query":{"lambda":"x","expr":{"var":"y"}}}}',
    '{"@query":{"api_version":"4","lambda":"x","expr":{"let":{"y":{"object":{"var":"a"}}},"in":{"var":"y"}}}}'],
  ['{"query":{"lambda":"x","expr":{"quote":{"let":[{"a":1}],"in":2}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"quote":{"let":[{"a":1}],"in":2}}}}'],
  // Bodies are shown with the keys of each form in the form's own order, however they were written.
  ...inVersions('{"query":{"expr":{"in":{"else":0,"then":{"from":{"object":{"z":1,"a":{"collection":[1],"map":{"expr":{"var":"i"},"lambda":"i"}}}},"select":["z"]},"if":true},"let":[{"z":1},{"a":2}]},"lambda":"x"}}', {
    '2.0 2.12': '{"@query":{"lambda":"x","expr":{"let":{"z":1,"a":2},"in":{"if":true,"then":{"select":["z"],"from":{"object":{"z":1,"a":{"map":{"lambda":"i","expr":{"var":"i"}},"collection":[1]}}}},"else":0}}}}',
  }),
  ['{"query":{"lambda":"x","expr":{"or":{"var":"x"}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"or":[{"var":"x"}]}}}'],
  ['{"query":{"lambda":"x","expr":{"quote":{"then":1,"if":2,"else":3}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"quote":{"then":1,"if":2,"else":3}}}}'],
  ['{"query":{"lambda":"x","expr":{"object":{"@obj":{"then":1,"@if":{"separator":"","concat":["a"]}}}}}}',
    '{"@query":{"api_version":"4","lambda":"x","expr":{"object":{"@obj":{"then":1,"@if":{"concat":["a"],"separator":""}}}}}}'],
  ['{"@query":{"api_version":"3","lambda":"x","expr":{"id":1,"ref":{"class":"spells"}}}}', '{"@query":{"api_version":"3","lambda":"x","expr":{"ref":{"class":"spells"},"id":1}}}'],
  [`{"filter":{"lambda":"x","expr":{"search":"a","startswith":{"var":"x"}}},"collection":${MATCH}}`,
    `{"@set":{"filter":{"api_version":"4","lambda":"x","expr":{"startswith":{"var":"x"},"search":"a"}},"collection":{"@set":{"match":${INDEX['4']},"terms":1}}}}`],
  [`{"join":${MATCH},"with":{"expr":{"terms":{"var":"x"},"match":{"index":"by_n"}},"lambda":"x"}}`,
    `{"@set":{"join":{"@set":{"match":${INDEX['4']},"terms":1}},"with":{"api_version":"4","lambda":"x","expr":{"match":{"index":"by_n"},"terms":{"var":"x"}}}}}`],
  ...inVersions(MATCH, {
    '2.0': `{"@set":{"match":${INDEX['2.0']},"terms":1}}`,
    '2.1': `{"@set":{"match":${INDEX['2.1']},"terms":1}}`,
    '2.7 3 4': `{"@set":{"match":${INDEX['4']},"terms":1}}`,
  }),
  ['{"match":{"index":"by_n"},"terms":[1,2]}', `{"@set":{"match":${INDEX['4']},"terms":[1,2]}}`],
  [stored(MATCH), `{"@set":{"match":${INDEX['4']},"terms":1}}`],
  [`{"paginate":${stored(MATCH)}}`, '{"data":[1]}'],
  ...inVersions(`{"filter":${LAMBDA},"collection":${MATCH}}`, {
    '2.0': `{"@set":{"filter":${LAMBDA},"collection":{"@set":{"match":${INDEX['2.0']},"terms":1}}}}`,
    '4': `{"@set":{"filter":{"api_version":"4","lambda":"x","expr":{"var":"x"}},"collection":{"@set":{"match":${INDEX['4']},"terms":1}}}}`,
  }),
  [`{"join":${MATCH},"with":{"lambda":"x","expr":{"match":{"index":"by_n"},"terms":{"var":"x"}}}}`,
    `{"@set":{"join":{"@set":{"match":${INDEX['4']},"terms":1}},"with":{"api_version":"4","lambda":"x","expr":{"match":{"index":"by_n"},"terms":{"var":"x"}}}}}`],
  [`{"reverse":${MATCH}}`, `{"@set":{"reverse":{"@set":{"match":${INDEX['4']},"terms":1}}}}`],
  [`{"events":${MATCH}}`, `{"@set":{"events":{"match":${INDEX['4']},"terms":1}}}`],
  ['{"documents":{"collection":"spells"}}', '{"@set":{"documents":{"@ref":"classes/spells"}}}', '2.0'],
]);

const REF = {
  '2.0': '{"@ref":"classes/spells/1"}',
  '2.1': '{"@ref":{"id":"1","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}}}',
  '4': '{"@ref":{"id":"1","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}',
};
conforms('documents, pages, events', { world }, [
  ...inVersions('{"get":{"ref":{"class":"spells"},"id":1}}', {
    '2.0': `{"ref":${REF['2.0']},"class":{"@ref":"classes/spells"},"ts":TS,"data":{"n":1}}`,
    '2.1': `{"ref":${REF['2.1']},"ts":TS,"data":{"n":1}}`,
    '2.7 2.12 3 4': `{"ref":${REF['4']},"ts":TS,"data":{"n":1}}`,
  }),
  ...inVersions(`{"paginate":${MATCH},"after":0}`, { [ALL_VERSIONS]: '{"before":[0],"data":[1]}' }),
  ...inVersions('{"paginate":{"documents":{"class":"spells"}},"size":0,"after":[{"ref":{"class":"spells"},"id":1}]}', {
    '2.0': `{"before":[${REF['2.0']}],"after":[${REF['2.0']}],"data":[]}`,
    '2.1': `{"before":[${REF['2.1']}],"after":[${REF['2.1']}],"data":[]}`,
    '4': `{"before":[${REF['4']}],"after":[${REF['4']}],"data":[]}`,
  }),
  ...inVersions(`{"paginate":${MATCH},"events":true}`, {
    '2.0': `{"data":[{"ts":TS,"action":"add","resource":${REF['2.0']},"data":[1]}]}`,
    '2.1': `{"data":[{"ts":TS,"action":"add","instance":${REF['2.1']},"data":[1]}]}`,
    '2.7 2.12 3 4': `{"data":[{"ts":TS,"action":"add","document":${REF['4']},"data":[1]}]}`,
  }),
  ...inVersions(`{"paginate":${MATCH},"sources":true}`, {
    '2.0': `{"data":[{"value":1,"sources":[{"@set":{"match":${INDEX['2.0']},"terms":1}}]}]}`,
    '4': `{"data":[{"value":1,"sources":[{"@set":{"match":${INDEX['4']},"terms":1}}]}]}`,
  }),
  ...inVersions('{"select":["data",0,"action"],"from":{"paginate":{"events":{"ref":{"class":"spells"},"id":1}}}}', { [ALL_VERSIONS]: '"create"' }),
  ...inVersions('{"get":{"index":"by_n"}}', {
    '2.0': `{"ref":${INDEX['2.0']},"class":{"@ref":"indexes"},"ts":TS,"active":true,"serialized":true,"name":"by_n","source":{"@ref":"classes/spells"},"terms":[{"field":["data","n"]}],"values":[{"field":["data","n"]}],"partitions":1}`,
    '4': `{"ref":${INDEX['4']},"ts":TS,"active":true,"serialized":true,"name":"by_n","source":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}},"terms":[{"field":["data","n"]}],"values":[{"field":["data","n"]}],"partitions":1}`,
  }),
]);

const noted = [
  ...world,
  '{"create_collection":{"object":{"name":"notes"}}}',
  '{"create":{"ref":{"collection":"notes"},"id":1},"params":{"object":{"data":{"object":{"of":{"ref":{"collection":"spells"},"id":1},"list":[1,{"collection":"spells"},2],"ix":{"index":"by_n"}}}}}}',
];
conforms('names that change and names that vanish', { world: noted }, [
  ['{"is_object":{"update":{"collection":"spells"},"params":{"object":{"name":"charms"}}}}', 'true'],
  ['{"select":["data","of"],"from":{"get":{"ref":{"collection":"notes"},"id":1}}}', REF['4'].replace('spells', 'charms')],
  ['{"is_object":{"delete":{"collection":"charms"}}}', 'true'],
  ['{"select":"data","from":{"get":{"ref":{"collection":"notes"},"id":1}}}', '{"list":[1,2]}'],
  ['{"select":["data","of"],"from":{"get":{"ref":{"collection":"notes"},"id":1}}}', 'null'],
]);

/** A body full of escapes: queried, and stored in a function called `escapes`. */
const ESCAPES =
  '[{"@ref":"classes/spells/1"},{"@ref":{"id":"spells","class":{"@ref":{"id":"collections"}}}},{"@ts":"2020-01-02T03:04:05.1Z"},{"@bytes":"AP-_"},' +
  '{"@uuid":"1-1-1-1-1"},{"@set":{"terms":1,"match":{"@ref":"indexes/by_n"}}},{"@query":{"lambda":"y","expr":{"@ref":"indexes/by_n"}}},' +
  '{"quote":{"@obj":{"@ts":{"@date":"2020-01-02"},"add":1}}},{"object":{"r":{"@obj":{"object":{"@obj":{"@ts":1}}}}}}]';
const shownEscapes = (ref: string, collection: string, index: string, lambda: string): string =>
  `[${ref},${collection},{"@ts":"2020-01-02T03:04:05.100Z"},{"@bytes":"AP+/"},{"@uuid":"00000001-0001-0001-0001-000000000001"},` +
  `{"@set":{"match":${index},"terms":1}},{"@query":{${lambda}"lambda":"y","expr":${index}}},` +
  `{"quote":{"@obj":{"@ts":{"@date":"2020-01-02"},"add":1}}},{"object":{"r":{"object":{"@obj":{"@ts":1}}}}}]`;
const BODIES = {
  '2.0': shownEscapes(REF['2.0'], '{"@ref":"classes/spells"}', INDEX['2.0'], ''),
  '2.1': shownEscapes(REF['2.1'], '{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}', INDEX['2.1'], ''),
  '2.7': shownEscapes(REF['4'], '{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}', INDEX['4'], ''),
  '4': shownEscapes(REF['4'], '{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}', INDEX['4'], '"api_version":"2.12",'),
};
// A set is shown in one way, however it was written.
const SHOWN_MATCH = `{"@set":{"match":${INDEX['4']},"terms":1}}`;
conforms('sets that were written out', { world }, [
  ['{"@set":{"terms":1,"match":{"@ref":"indexes/by_n"}}}', SHOWN_MATCH],
  ['{"@set":{"terms":[1],"match":"by_n"}}', SHOWN_MATCH],
  ['{"@set":{"index":"by_n","match":[1]}}', SHOWN_MATCH],
  ['{"@set":{"index":"by_n","match":[]}}', `{"@set":{"match":${INDEX['4']}}}`],
  ['{"@set":{"match":"by_n","terms":[1,2]}}', `{"@set":{"match":${INDEX['4']},"terms":[1,2]}}`],
  [`{"@set":{"union":[${SHOWN_MATCH}]}}`, `{"@set":{"union":${SHOWN_MATCH}}}`],
  [`{"@set":{"to":3,"from":2,"range":${SHOWN_MATCH}}}`, `{"@set":{"range":${SHOWN_MATCH},"from":2,"to":3}}`],
  [`{"@set":{"collection":${SHOWN_MATCH},"filter":{"expr":true,"lambda":"x"}}}`, `{"@set":{"filter":{"api_version":"4","lambda":"x","expr":true},"collection":${SHOWN_MATCH}}}`],
  [`{"paginate":{"@set":{"match":"by_n","terms":[[1]]}}}`, '{"data":[]}'],
  ['{"@set":{"match":"by_n","terms":{"@ref":"classes/nope/1"}}}', expression('terms', 'Any expected, Ref provided.')],
  ['{"match":{"index":"by_n"},"terms":{"@ref":"classes/nope/1"}}', argument('terms', 'Any expected, Ref provided.')],
  [`{"@set":{"join":${SHOWN_MATCH},"with":{"lambda":"x","expr":{"get":{"var":"x"}}}}}`,
    expression('with', 'Invalid lambda. Lambda in this context may not read, write, or call a user function.')],
  [`{"@set":{"filter":{"lambda":"x","expr":{"new_id":null}},"collection":${SHOWN_MATCH}}}`,
    expression('filter', 'Invalid lambda. Lambda in this context may not write or call a user function.')],
]);

conforms('escapes in bodies', { world: [...world, `{"create_function":{"object":{"name":"escapes","body":{"@query":{"lambda":"x","expr":${ESCAPES}}}}}}`] }, [
  ...Object.entries(BODIES).map(([version, body]): Row => {
    const head = version === '4' ? '"api_version":"4",' : '';
    return [`{"query":{"lambda":"x","expr":${ESCAPES}}}`, `{"@query":{${head}"lambda":"x","expr":${body}}}`, version];
  }),
  ...Object.entries(BODIES).map(([version, body]): Row => {
    const head = version === '4' ? '"api_version":"2.12",' : '';
    return ['{"select":"body","from":{"get":{"function":"escapes"}}}', `{"@query":{${head}"lambda":"x","expr":${body}}}`, version];
  }),
  ['{"select":7,"from":{"call":"escapes"}}', '{"@obj":{"@ts":{"@date":"2020-01-02"},"add":1}}'],
  // They are refs, not names: a new name shows, what is gone does not.
  ['{"is_object":{"update":{"collection":"spells"},"params":{"object":{"name":"charms"}}}}', 'true'],
  ['{"select":0,"from":{"call":"escapes"}}', REF['4'].replace('spells', 'charms')],
  ['{"select":"body","from":{"get":{"function":"escapes"}}}', `{"@query":{"api_version":"2.12","lambda":"x","expr":${BODIES['4'].replaceAll('"spells"', '"charms"')}}}`],
  ['{"is_object":{"delete":{"collection":"charms"}}}', 'true'],
  ['{"query":{"lambda":"x","expr":{"get":{"@ref":"classes/later/1"}}}}', '{"@query":{"api_version":"4","lambda":"x","expr":{"get":{"@ref":"classes/later/1"}}}}'],
  ['{"is_object":{"create_function":{"object":{"name":"early","body":{"query":{"lambda":"x","expr":{"exists":{"@ref":"classes/later/1"}}}}}}}}', 'true'],
  ['{"call":"early"}', 'false'],
  ['{"is_object":{"create_collection":{"object":{"name":"later"}}}}', 'true'],
  ['{"is_object":{"create":{"ref":{"collection":"later"},"id":1}}}', 'true'],
  ['{"call":"early"}', 'true'],
]);

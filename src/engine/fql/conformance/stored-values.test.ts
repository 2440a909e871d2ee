// Values that are no plain data, given as data (the original's ast/Expression: `irValue`).
import { collectionRef, conforms, docRef, invalid, nativeRef } from '../../../testing/cases.ts';

const world = [
  '{"create_collection":{"object":{"name":"spells"}}}',
  '{"create_index":{"object":{"name":"by_first","source":{"collection":"spells"},"terms":[{"object":{"field":["data","page","data"]}}]}}}',
  '{"create":{"ref":{"collection":"spells"},"id":1},"params":{"object":{"data":{"object":{"a":1}}}}}',
];
const ONE = '{"ref":{"collection":"spells"},"id":1}';
const TWO = '{"ref":{"collection":"spells"},"id":2}';
const store = (data: string): string => `{"select":"data","from":{"create":{"collection":"spells"},"params":{"object":{"data":${data}}}}}`;
const AS_DATA = `{"ref":${docRef('spells', 1)},"class":${collectionRef('spells')},"collection":${collectionRef('spells')},"ts":TS,"data":{"a":1}}`;
const EVENTS = `{"paginate":{"events":${ONE}}}`;

// Between refs, whose ids are large numbers where they are stored: a text of a script that takes two units a character.
conforms('a text beside a ref', { world }, [
  [`{"select":["data","text"],"from":{"create":{"ref":{"collection":"spells"},"id":"1234567890123456789"},"params":{"object":{"data":{"object":{"text":"\u{10330}","at":{"ref":{"collection":"spells"},"id":"1234567890123456789"}}}}}}}`, '"\u{10330}"'],
  ['{"select":["data","text"],"from":{"get":{"ref":{"collection":"spells"},"id":"1234567890123456789"}}}', '"\u{10330}"'],
]);

// `format` may cut a character in two; its half is stored as a question mark, in entries of indexes, too.
const HALF = '{"format":"%.1s","values":["\u{1f600}"]}';
const halves = [
  ...world,
  '{"create_index":{"object":{"name":"by_text","source":{"collection":"spells"},"terms":[{"object":{"field":["data","text"]}}],"unique":true}}}',
];
const half = (change: string): string => `{"is_object":{"${change}":${TWO},"params":{"object":{"data":{"object":{"text":${HALF}}}}}}}`;
const FOUND = `{"select":"data","from":{"paginate":{"match":{"index":"by_text"},"terms":${HALF}}}}`;
conforms('half a character in an index', { world: halves }, [
  [half('create'), 'true'],
  [FOUND, `[${docRef('spells', 2)}]`],
  [`{"is_object":{"update":${TWO},"params":{"object":{"data":{"object":{"text":"whole"}}}}}}`, 'true'],
  [FOUND, '[]'],
  [half('update'), 'true'],
  [FOUND, `[${docRef('spells', 2)}]`],
  [`{"is_object":{"delete":${TWO}}}`, 'true'],
  [FOUND, '[]'],
  [half('create'), 'true'],
]);

conforms('values given as data', { world }, [
  [store(`{"get":${ONE}}`), AS_DATA],
  [store(`{"object":{"list":[{"get":${ONE}},null]}}`), `{"list":[${AS_DATA}]}`],
  [store('{"paginate":{"collections":null}}'), `{"data":[${collectionRef('spells')}]}`],
  [store('{"object":{"page":{"paginate":{"collections":null},"size":0,"after":[{"collection":"spells"}]}}}'),
    `{"page":{"before":[${collectionRef('spells')}],"after":[${collectionRef('spells')}],"data":[]}}`],
  [store(`{"object":{"events":${EVENTS}}}`), `{"events":{"data":[{"ts":TS,"action":"create","resource":${docRef('spells', 1)}}]}}`],
  [store(`{"object":{"action":{"select":["data",0,"action"],"from":${EVENTS}}}}`), '{"action":"create"}'],
  [store('{"object":{"sourced":{"paginate":{"singleton":{"ref":{"collection":"spells"},"id":1}},"sources":true}}}'),
    `{"sourced":{"data":[{"value":${docRef('spells', 1)},"sources":[{"@set":{"singleton":${docRef('spells', 1)}}}]}]}}`],
  [store('{"documents":{"collection":"spells"}}'), `{"@set":{"documents":${collectionRef('spells')}}}`],
  [`{"equals":[${store('{"documents":{"collection":"spells"}}')},{"documents":{"collection":"spells"}}]}`, 'true'],
  [store('{"collections":null}'), invalid('from/create', [['data'], 'invalid type', 'Invalid type Ref, expected type Map.'])],
  [store('{"query":{"lambda":"x","expr":1}}'), invalid('from/create', [['data'], 'invalid type', 'Invalid type Query, expected type Map.'])],
  // What was stored is data from then on: indexes look into it.
  [`{"is_object":{"create":${TWO},"params":{"object":{"data":{"object":{"page":{"paginate":{"collections":null}}}}}}}}`, 'true'],
  [`{"select":"data","from":{"paginate":{"match":{"index":"by_first"},"terms":{"collection":"spells"}}}}`, `[${docRef('spells', 2)}]`],
  [`{"is_object":{"select":["data","page"],"from":{"get":${TWO}}}}`, 'true'],
  [`{"select":["data","page",0],"from":{"get":${TWO}},"default":"none"}`, '"none"'],
  ['{"let":{"p":{"paginate":{"collections":null}}},"in":{"is_object":{"create_function":{"object":{"name":"holds","body":{"query":{"lambda":"x","expr":{"var":"p"}}}}}}}}', 'true'],
  ['{"call":"holds"}', `{"data":[${collectionRef('spells')}]}`],
]);

// Members of a set that are refs are refs again when they are taken out.
const SCHEMA_SETS = '{"union":[{"databases":null},{"collections":null}]}';
conforms('what sets are made of', { world }, [
  [`{"select":["@set","union",0,"id"],"from":${SCHEMA_SETS}}`, '"databases"'],
  [`{"select":["@set","union",1,"collection"],"from":${SCHEMA_SETS}}`, nativeRef('collections')],
  [`{"equals":[{"select":["@set","union"],"from":${SCHEMA_SETS}},[{"@ref":"databases"},{"@ref":"classes"}]]}`, 'true'],
  ['{"equals":[{"select":["@set","with"],"from":{"join":{"databases":null},"with":{"lambda":"x","expr":{"var":"x"}}}},{"query":{"lambda":"x","expr":{"var":"x"}}}]}', 'true', '2.0'],
]);

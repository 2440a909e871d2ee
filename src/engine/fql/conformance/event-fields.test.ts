// What is found in the events of documents (reference: data/history.md).
import { conforms, docRef } from '../../../testing/cases.ts';

const S = (id: number): string => `{"ref":{"collection":"spells"},"id":"${id}"}`;
const ref = (id: number): string => docRef('spells', id);
const page = (set: string, more = ''): string => `{"paginate":${set}${more}}`;
const data = (...items: readonly (string | number)[]): string => `{"data":[${items.join(',')}]}`;

conforms('select finds in a document event all that has changed', {
  world: [
    '{"create_collection":{"object":{"name":"spells","history_days":null}}}',
    `{"create":${S(1)},"params":{"object":{"data":{"object":{"a":1}},"ttl":{"time":"2999-01-01T00:00:00Z"}}}}`,
    `{"update":${S(1)},"params":{"object":{"data":{"object":{"a":2}}}}}`,
    `{"update":${S(1)},"params":{"object":{"ttl":null}}}`,
    '{"create_collection":{"object":{"name":"old"}}}',
    '{"update":{"collection":"old"},"params":{"object":{"name":"new"}}}',
  ],
}, [
  [`{"map":{"lambda":"e","expr":{"select":"ttl","from":{"var":"e"},"default":"same"}},"collection":{"paginate":{"events":${S(1)}}}}`,
    data('{"@ts":"2999-01-01T00:00:00Z"}', '"same"', 'null')],
  [`{"map":{"lambda":"e","expr":{"select":["data","a"],"from":{"var":"e"},"default":"same"}},"collection":{"paginate":{"events":${S(1)}}}}`, data(1, 2, '"same"')],
  ['{"map":{"lambda":"e","expr":{"select":"name","from":{"var":"e"}}},"collection":{"paginate":{"events":{"collection":"new"}}}}', data('"old"', '"new"')],
  [`{"select":["after","data"],"from":${page(`{"events":${S(1)}}`, ',"size":1')}}`, '{"a":2}'],
  [page(`{"events":${S(1)}}`, ',"size":1'), `{"after":{"ts":TS,"action":"update","document":${ref(1)}},"data":[{"ts":TS,"action":"create","document":${ref(1)},"data":{"a":1}}]}`],
]);

const every = (expr: string, set: string): string => `{"map":{"lambda":"e","expr":${expr}},"collection":{"paginate":{"events":${set}}}}`;

conforms('what an event has taken away is null, as are the data at delete: that is there, and no default stands for it', {
  world: [
    '{"create_collection":{"object":{"name":"spells","history_days":null}}}',
    `{"create":${S(1)},"params":{"object":{"ttl":{"time":"2999-01-01T00:00:00Z"}}}}`,
    `{"update":${S(1)},"params":{"object":{"data":{"object":{"a":1}}}}}`,
    `{"update":${S(1)},"params":{"object":{"data":null}}}`,
    `{"update":${S(1)},"params":{"object":{"ttl":null}}}`,
    `{"delete":${S(1)}}`,
  ],
}, [
  [every('{"select":"data","from":{"var":"e"},"default":"none"}', S(1)), data('"none"', '{"a":1}', 'null', '"none"', 'null')],
  [every('{"contains":"data","in":{"var":"e"}}', S(1)), data('false', 'true', 'true', 'false', 'true'), '2.1'],
  [every('{"contains_field":"ttl","in":{"var":"e"}}', S(1)), data('true', 'false', 'false', 'true', 'false')],
  [every('{"contains_value":null,"in":{"var":"e"}}', S(1)), data('false', 'false', 'true', 'true', 'true')],
  [every('{"contains_value":{"time":"2999-01-01T00:00:00Z"},"in":{"var":"e"}}', S(1)), data('true', 'false', 'false', 'false', 'false')],
  [every('{"contains_value":{"object":{"a":1}},"in":{"var":"e"}}', S(1)), data('false', 'true', 'false', 'false', 'false')],
  [`{"select":"data","from":{"insert":${S(2)},"ts":1,"action":"delete"}}`, 'null'],
  [`{"select":"ttl","from":{"insert":${S(2)},"ts":1,"action":"create","params":{"object":{"ttl":{"time":"2999-01-01T00:00:00Z"}}}}}`, '{"@ts":"2999-01-01T00:00:00Z"}'],
]);

conforms('select finds in a cursor what the event there covers, a single value alone', {
  world: [
    '{"create_collection":{"object":{"name":"spells"}}}',
    '{"create_index":{"object":{"name":"a","source":{"collection":"spells"},"values":[{"object":{"field":["data","a"]}}]}}}',
    ...[1, 2].map((a) => `{"create":${S(a)},"params":{"object":{"data":{"object":{"a":${a}}}}}}`),
  ],
}, [
  [`{"select":["after","data"],"from":${page('{"events":{"match":{"index":"a"}}}', ',"size":1')}}`, '2'],
  [`{"select":["after","data"],"from":${page('{"events":{"documents":{"collection":"spells"}}}', ',"size":1')}}`, '[]'],
]);

// What is found in the events of documents (reference: data/history.md).
import { conforms, docRef } from '../../../testing/cases.ts';

const S = (id: number): string => `{"ref":{"collection":"spells"},"id":"${id}"}`;
const ref = (id: number): string => docRef('spells', id);
const page = (set: string, more = ''): string => `{"paginate":${set}${more}}`;
const data = (...items: readonly (string | number)[]): string => `{"data":[${items.join(',')}]}`;

conforms('select finds in a document event what else has changed', {
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
    data('{"@ts":"2999-01-01T00:00:00Z"}', '"same"', '"same"')],
  [`{"map":{"lambda":"e","expr":{"select":["data","a"],"from":{"var":"e"},"default":"same"}},"collection":{"paginate":{"events":${S(1)}}}}`, data(1, 2, '"same"')],
  ['{"map":{"lambda":"e","expr":{"select":"name","from":{"var":"e"}}},"collection":{"paginate":{"events":{"collection":"new"}}}}', data('"old"', '"new"')],
  [page(`{"events":${S(1)}}`, ',"size":1'), `{"after":{"ts":TS,"action":"update","document":${ref(1)}},"data":[{"ts":TS,"action":"create","document":${ref(1)},"data":{"a":1}}]}`],
]);

// What is left of documents' life: refs they may hold, times they are written at, what is made of
// several writes, ends of life (reference: data/documents.md §1–3).
import { argument, collectionRef, conforms, created, databaseRef, docRef, fault, functionRef, invalid, notFound } from '../../../testing/cases.ts';

const spells = '{"create_collection":{"object":{"name":"spells","history_days":null}}}';
const S = (id: number | string): string => `{"ref":{"collection":"spells"},"id":${id}}`;
const create = (id: number | string, data: string): string => `{"create":${S(id)},"params":{"object":{"data":{"object":${data}}}}}`;
const update = (id: number, data: string): string => `{"update":${S(id)},"params":{"object":{"data":{"object":${data}}}}}`;
const events = (id: number): string => `{"map":{"lambda":"e","expr":[{"to_string":{"select":"action","from":{"var":"e"}}},{"select":"data","from":{"var":"e"},"default":null}]},"collection":{"select":"data","from":{"paginate":{"events":${S(id)}}}}}`;

conforms('refs in data', { world: [spells, '{"create_database":{"object":{"name":"child"}}}', '{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":1}}}}}'] }, [
  [create(1, '{"a":{"collection":"spells"},"b":{"function":"f"},"c":{"database":"child"},"d":[{"ref":{"collection":"spells"},"id":999}]}'),
    created(`{"ref":${docRef('spells', 1)},"ts":TS,"data":{"a":${collectionRef('spells')},"b":${functionRef('f')},"c":${databaseRef('child')},"d":[${docRef('spells', 999)}]}}`)],
  [create(2, '{"a":{"object":{"b":[{"collection":"nope"},{"index":"nope"}]}},"c":{"role":"nope"}}'),
    invalid('', [['data', 'a', 'b', '0'], 'invalid reference', 'Cannot read reference.'], [['data', 'a', 'b', '1'], 'invalid reference', 'Cannot read reference.'], [['data', 'c'], 'invalid reference', 'Cannot read reference.'])],
  [create(2, '{"a":{"collections":{"database":"child"}}}'), invalid('', [['data', 'a'], 'invalid reference', 'Reference cannot be scoped.'])],
  [`{"do":[${update(1, '{"a":{"keys":{"database":"child"}}}')}]}`, invalid('do/0', [['do', '0', 'data', 'a'], 'invalid reference', 'Reference cannot be scoped.'])],
  ...['create', 'update', 'replace', 'delete'].map((form): readonly [string, ReturnType<typeof argument>] => [
    `{"${form}":{"ref":{"keys":{"database":"child"}},"id":1}${form === 'delete' ? '' : ',"params":{"object":{}}'}}`, argument(form, 'Cannot write a scoped ref.'),
  ]),
  [`{"exists":${S(2)}}`, 'false'],
]);

conforms('ids', { world: [spells] }, [
  [create('"9223372036854775807"', '{}'), created(`{"ref":${docRef('spells', '9223372036854775807')},"ts":TS}`)],
  [create(-5, '{}'), created(`{"ref":${docRef('spells', -5)},"ts":TS}`)],
  [create('"9223372036854775808"', '{}'), argument('create/id', "The id provided is too large: '9223372036854775808'")],
  [create('"x1"', '{}'), argument('create/id', "Number or numeric String expected, non-numeric 'x1' provided.")],
  ['{"create":{"ref":{"collections":null},"id":5}}', argument('create/ref', 'Regular Class Ref expected, Schema Class Ref provided.')],
  ['[{"is_string":{"new_id":null}},{"is_string":{"next_id":null}},{"equals":[{"new_id":null},{"new_id":null}]}]', '[true,true,false]'],
  ['{"paginate":{"documents":{"collection":"spells"}}}', `{"data":[${docRef('spells', -5)},${docRef('spells', '9223372036854775807')}]}`],
]);

conforms('several writes of one transaction', { world: [spells] }, [
  [`{"do":[${create(1, '{"a":1}')},${update(1, '{"b":2}')},${update(1, '{"a":null}')},${events(1)}]}`, '[["create",{"b":2}]]'],
  [events(1), '[["create",{"b":2}]]'],
  [`{"do":[${update(1, '{"b":3}')},${update(1, '{"c":4}')},true]}`, 'true'],
  [events(1), '[["create",{"b":2}],["update",{"b":3,"c":4}]]'],
  [`{"do":[${update(1, '{"b":9}')},${update(1, '{"b":3}')},true]}`, 'true'],
  [`{"do":[{"delete":${S(1)}},${create(1, '{"d":1}')},true]}`, 'true'],
  [`{"do":[${update(1, '{"d":2}')},{"delete":${S(1)}},true]}`, 'true'],
  [`{"do":[${create(2, '{"d":2}')},{"delete":${S(2)}},true]}`, 'true'],
  [events(1), '[["create",{"b":2}],["update",{"b":3,"c":4}],["update",null],["update",{"b":null,"c":null,"d":1}],["delete",null]]'],
  [events(2), '[["delete",null]]'],
  [create(1, '{"again":true}'), created(`{"ref":${docRef('spells', 1)},"ts":TS,"data":{"again":true}}`)],
  [`{"select":[5,0],"from":${events(1)}}`, '"create"'],
]);

const NOW = '{"now":null}';
conforms('the time of a write', { world: [spells, create(1, '{"n":1}')] }, [
  [`{"let":{"d":${create(2, '{"n":1}')}},"in":[{"equals":[{"select":"ts","from":{"var":"d"}},{"select":"ts","from":{"var":"d"}}]},{"equals":[{"select":"ts","from":{"var":"d"}},5]}]}`, '[true,false]'],
  [`{"add":[{"select":"ts","from":${create(3, '{}')}},1]}`, argument('add/0', 'Number expected, Unresolved Transaction Time provided.')],
  [`{"at":${NOW},"expr":{"is_object":${create(4, '{}')}}}`, 'true'],
  [`{"at":0,"expr":${update(1, '{}')}}`, fault(400, 'invalid write time', 'expr', 'Cannot write outside of snapshot time.')],
  [`{"at":0,"expr":{"replace":${S(1)}}}`, fault(400, 'invalid write time', 'expr', 'Cannot write outside of snapshot time.')],
  // All that is asked of the present comes before.
  [`{"at":0,"expr":${update(99, '{}')}}`, notFound('expr/update', 'Document not found.')],
  [`{"at":0,"expr":{"replace":${S(99)}}}`, notFound('expr/replace', 'Document not found.')],
  [`{"at":0,"expr":${create(1, '{}')}}`, fault(400, 'instance already exists', 'expr/create', 'Document already exists.')],
  [`{"at":0,"expr":${create(98, '{"r":{"collection":"nope"}}')}}`, invalid('expr', [['expr', 'data', 'r'], 'invalid reference', 'Cannot read reference.'])],
  [`{"at":0,"expr":${create(98, '{}')}}`, fault(400, 'invalid write time', 'expr/create', 'Cannot write outside of snapshot time.')],
  [`{"at":0,"expr":{"at":${NOW},"expr":{"is_object":${update(1, '{"n":2}')}}}}`, 'true'],
  [`{"at":{"time":"2999-01-01T00:00:00Z"},"expr":{"select":["data","n"],"from":${update(1, '{"n":3}')}}}`, '3'],
  [`{"select":"action","from":{"insert":${S(1)},"ts":${NOW},"action":"update","params":{"object":{"data":{"object":{"n":4}}}}}}`, '"create"'],
  [`{"get":${S(1)},"ts":"x"}`, argument('ts', 'Time expected, String provided.')],
  [`{"exists":${S(1)},"ts":1}`, 'false'],
  // What is deleted is the document as it is.
  [`{"at":0,"expr":{"select":["data","n"],"from":{"delete":${S(2)}}}}`, '1'],
  [`{"let":{"was":{"select":["data",0,"ts"],"from":{"paginate":{"events":${S(2)}}}}},"in":{"at":{"var":"was"},"expr":[{"exists":${S(2)}},{"delete":${S(2)}}]}}`, notFound('in/expr/1', 'Document not found.')],
]);

conforms('a collection whose documents live for more days than count', { world: ['{"create_collection":{"object":{"name":"spells","ttl_days":9223372036854775807}}}'] }, [
  [`{"time_diff":{"now":null},"other":{"select":"ttl","from":{"create":${S(1)}}},"unit":"days"}`, '106751'],
]);

conforms('the end of a life', { world: ['{"create_collection":{"object":{"name":"spells","ttl_days":2,"history_days":null}}}', '{"create_collection":{"object":{"name":"plain"}}}'] }, [
  [`{"select":"action","from":{"insert":${S(1)},"ts":{"time_subtract":{"now":null},"offset":1,"unit":"hour"},"action":"create"}}`, '"create"'],
  [`{"time_diff":{"now":null},"other":{"select":"ttl","from":{"get":${S(1)}}},"unit":"hour"}`, '47'],
  [`{"time_diff":{"now":null},"other":{"select":"ttl","from":{"update":${S(1)},"params":{"object":{"ttl":null}}}},"unit":"hour"}`, '48'],
  [`{"select":"ttl","from":{"replace":${S(1)},"params":{"object":{"ttl":{"time":"2100-01-01T00:00:00Z"}}}}}`, '{"@ts":"2100-01-01T00:00:00Z"}'],
  [`{"select":"ttl","from":${update(1, '{"n":1}')}}`, '{"@ts":"2100-01-01T00:00:00Z"}'],
  [`{"time_diff":{"now":null},"other":{"select":"ttl","from":{"replace":${S(1)},"params":{"object":{"data":{"object":{"n":1}}}}}},"unit":"hour"}`, '48'],
  ['{"select":"ttl","from":{"create":{"collection":"plain"}},"default":"none"}', '"none"'],
  ['{"let":{"r":{"select":"ref","from":{"create":{"collection":"plain"},"params":{"object":{"ttl":{"time_add":{"now":null},"offset":1,"unit":"hour"}}}}}},"in":[{"exists":{"var":"r"}},{"contains":"ttl","in":{"replace":{"var":"r"},"params":{"object":{}}}}]}', '[true,false]'],
]);

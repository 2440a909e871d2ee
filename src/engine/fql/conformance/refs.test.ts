// Refs and escapes as clients send them and as each version shows them (reference: fql/wire.md
// §2–3, fql/functions.md §1.1, §6).
import {
  argument, collectionRef, conforms, databaseRef, docRef, expression, fault, faults, indexRef, inVersions, nativeRef, noForm, undefinedRef, ALL_VERSIONS,
} from '../../../testing/cases.ts';

const SPELL = '{"ref":{"collection":"spells"},"id":"1"}';
const world = [
  '{"create_collection":{"object":{"name":"spells"}}}',
  '{"create_index":{"object":{"name":"all_spells","source":{"collection":"spells"}}}}',
  '{"create_function":{"object":{"name":"f","body":{"query":{"lambda":"x","expr":1}}}}}',
  '{"create_role":{"object":{"name":"r"}}}',
  '{"create_database":{"object":{"name":"child"}}}',
  `{"create":${SPELL},"params":{"object":{"data":{"object":{}}}}}`,
];

conforms('refs in every version', { world }, [
  ...inVersions(SPELL, {
    '2.0': '{"@ref":"classes/spells/1"}',
    '': '{"@ref":"classes/spells/1"}',
    '2.1': '{"@ref":{"id":"1","class":{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}}}',
    '2.7 2.12 3 4': docRef('spells', 1),
  }),
  ...inVersions('{"collection":"spells"}', {
    '2.0': '{"@ref":"classes/spells"}',
    '2.1': '{"@ref":{"id":"spells","class":{"@ref":{"id":"classes"}}}}',
    '2.7 2.12 3 4': collectionRef('spells'),
  }),
  ...inVersions('{"collections":null}', { '2.0': '{"@ref":"classes"}', '2.1': '{"@ref":{"id":"classes"}}', '2.7 4': nativeRef('collections') }),
  ...inVersions('{"index":"all_spells"}', {
    '2.0': '{"@ref":"indexes/all_spells"}',
    '2.1': '{"@ref":{"id":"all_spells","class":{"@ref":{"id":"indexes"}}}}',
    '4': indexRef('all_spells'),
  }),
  ...inVersions('[{"database":"child"},{"function":"f"},{"role":"r"}]', {
    '2.0': '[{"@ref":"databases/child"},{"@ref":"functions/f"},{"@ref":"roles/r"}]',
    '2.1':
      '[{"@ref":{"id":"child","class":{"@ref":{"id":"databases"}}}},{"@ref":{"id":"f","class":{"@ref":{"id":"functions"}}}},{"@ref":{"id":"r","class":{"@ref":{"id":"roles"}}}}]',
  }),
  ...inVersions('[{"databases":null},{"indexes":null},{"functions":null},{"roles":null},{"keys":null},{"tokens":null},{"credentials":null}]', {
    '2.0': '[{"@ref":"databases"},{"@ref":"indexes"},{"@ref":"functions"},{"@ref":"roles"},{"@ref":"keys"},{"@ref":"tokens"},{"@ref":"credentials"}]',
    '3': `[${['databases', 'indexes', 'functions', 'roles', 'keys', 'tokens', 'credentials'].map(nativeRef).join(',')}]`,
  }),
  ...inVersions('{"ref":{"tokens":null},"id":7}', { '2.0': '{"@ref":"tokens/7"}', '2.1': '{"@ref":{"id":"7","class":{"@ref":{"id":"tokens"}}}}' }),
  ...inVersions('{"access_providers":null}', { '3': noForm('', 'access_providers'), '4': nativeRef('access_providers') }),
  ...inVersions('{"access_provider":"x"}', { '2.12': noForm('', 'access_provider'), '4': '{"@ref":{"id":"x","collection":{"@ref":{"id":"access_providers"}}}}' }),
]);

conforms('refs as strings', { world, version: '2.0' }, [
  ['{"@ref":"classes/spells/1"}', '{"@ref":"classes/spells/1"}'],
  ['{"@ref":"collections/spells/1"}', '{"@ref":"classes/spells/1"}'],
  ['{"@ref":"classes/spells"}', '{"@ref":"classes/spells"}'],
  ['{"@ref":"classes"}', '{"@ref":"classes"}'],
  ['{"@ref":"collections"}', '{"@ref":"classes"}'],
  ['{"@ref":"indexes/all_spells"}', '{"@ref":"indexes/all_spells"}'],
  ['{"@ref":"functions/f"}', '{"@ref":"functions/f"}'],
  ['{"@ref":"keys/12"}', '{"@ref":"keys/12"}'],
  ['{"@ref":"tokens/12"}', '{"@ref":"tokens/12"}'],
  ['{"@ref":"credentials/12"}', '{"@ref":"credentials/12"}'],
  ['{"@ref":"classes/spells/1"}', docRef('spells', 1), '4'],
  ['{"@ref":"classes/nope/1"}', '{"@ref":"classes/nope/1"}'],
  ['{"@ref":"indexes/nope"}', indexRef('nope'), '4'],
  ...['keys/self', 'tokens/self', 'classes/spells/self', 'nope', 'nope/1', 'classes/', 'classes/spells/x', 'classes/spells/1/2', 'classes/_', 'classes/self',
    'classes/spells/99999999999999999999', 'classes/a b', 'indexes/a/1', 'tasks', ''].map(
    (ref) => [`{"@ref":"${ref}"}`, expression('', 'Invalid ref.')] as const,
  ),
  ['{"@ref":1}', expression('', 'Invalid ref.')],
  ['[{"@ref":"nope"}]', expression('0', 'Invalid ref.')],
]);

conforms('refs as objects', { world }, [
  [docRef('spells', 1), docRef('spells', 1)],
  ['{"@ref":{"id":1,"collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}', docRef('spells', 1)],
  ['{"@ref":{"id":"1","class":{"id":"spells","class":{"id":"classes"}}}}', docRef('spells', 1)],
  ['{"@ref":{"id":"1","class":{"@ref":{"id":"spells","collection":{"@ref":{"id":"classes"}}}}}}', docRef('spells', 1), '2.7'],
  ['{"@ref":{"id":"collections","collection":null}}', nativeRef('collections')],
  ['{"@ref":{"id":"nope"}}', expression('id', "Valid native collection name expected, 'nope' provided.")],
  ['{"@ref":{"id":"nope"}}', expression('id', "Valid native class name expected, 'nope' provided."), '2.1'],
  ['{"@ref":{"id":"1","class":{"@ref":{"id":"nope"}}}}', expression('class/id', "Valid native collection name expected, 'nope' provided.")],
  ['{"@ref":{"id":"1","collection":{"@ref":{"id":"nope"}}}}', expression('class/id', "Valid native collection name expected, 'nope' provided.")],
  ['{"@ref":{"id":"1","collection":{"@ref":"classes/spells"}}}', expression('class', 'Ref expected, Object provided.')],
  ['{"@ref":{"id":"1","collection":"classes/spells"}}', expression('class', 'Ref expected, String provided.')],
  ['{"@ref":{"id":"1","collection":{"@ref":{"id":"all_spells","collection":{"@ref":{"id":"indexes"}}}}}}', expression('class', 'Collection Ref expected, Index Ref provided.')],
  [`{"@ref":{"id":"1","collection":${docRef('spells', 1)}}}`, expression('class', 'Collection Ref expected, Ref provided.')],
  [`{"@ref":{"id":"x","collection":${collectionRef('spells')}}}`, expression('id', "Number or numeric String expected, non-numeric 'x' provided.")],
  [`{"@ref":{"id":"99999999999999999999","collection":${collectionRef('spells')}}}`, expression('id', "The id provided is too large: '99999999999999999999'")],
  [`{"@ref":{"id":true,"collection":${collectionRef('spells')}}}`, expression('id', 'String or Integer expected, Boolean provided.')],
  ['{"@ref":{"id":5}}', expression('id', 'String expected, Number provided.')],
  ['{"@ref":{"class,id":1}}', expression('', 'Ref expected, Object provided.')],
  ['{"@ref":{}}', expression('', 'Ref expected, Object provided.')],
  ['{"@ref":{"id":"1","extra":1}}', expression('', 'Ref expected, Object provided.')],
  [`{"@ref":{"id":"self","collection":${nativeRef('tokens')}}}`, expression('', 'Invalid ref.')],
  [`{"@ref":{"id":"nope","collection":${nativeRef('functions')}}}`, `{"@ref":{"id":"nope","collection":${nativeRef('functions')}}}`],
  [docRef('nope', 1), docRef('nope', 1)],
]);

const child = databaseRef('child');
conforms(
  'refs into other databases',
  {
    world: [
      '{"create_database":{"object":{"name":"child"}}}',
      '{"create_key":{"object":{"role":"admin","database":{"database":"child"}}}}',
    ],
  },
  [
    ['{"databases":{"database":"child"}}', `{"@ref":{"id":"databases","database":${child}}}`],
    ['{"databases":{"database":"child"}}', '{"@ref":"databases"}', '2.0'],
    ['{"collection":"x","scope":{"database":"child"}}', `{"@ref":{"id":"x","collection":${nativeRef('collections')},"database":${child}}}`],
    ['{"database":"y","scope":{"database":"child"}}', `{"@ref":{"id":"y","collection":${nativeRef('databases')},"database":${child}}}`],
    [`{"@ref":{"id":"x","collection":${nativeRef('collections')},"database":${child}}}`, `{"@ref":{"id":"x","collection":${nativeRef('collections')},"database":${child}}}`],
    [`{"exists":{"@ref":{"id":"x","collection":${nativeRef('collections')},"database":${child}}}}`, 'false'],
    [`{"@ref":{"id":"indexes","database":${child}}}`, `{"@ref":{"id":"indexes","database":${child}}}`],
    [`{"paginate":{"@ref":{"id":"indexes","database":${child}}}}`, '{"data":[]}'],
    ['{"paginate":{"collections":{"database":"child"}}}', '{"data":[]}'],
    ['{"collections":{"database":"nope"}}', undefinedRef('collections', "Ref refers to undefined database 'nope'")],
    ['{"collections":{"collection":"nope"}}', undefinedRef('collections', "Ref refers to undefined collection 'nope'")],
    ['{"collections":1}', argument('collections', 'Database Ref or Null expected, Integer provided.')],
    ['{"collection":"x","scope":1}', argument('scope', 'Database Ref expected, Integer provided.')],
    ['{"collection":"x","scope":{"database":"nope"}}', undefinedRef('scope', "Ref refers to undefined database 'nope'")],
    [`{"@ref":{"id":"1","collection":${collectionRef('x')},"database":${child}}}`, expression('database', 'Null expected, Database Ref provided.')],
    [`{"@ref":{"id":7,"collection":${nativeRef('keys')},"database":${child}}}`, `{"@ref":{"id":"7","collection":{"@ref":{"id":"keys","database":${child}}}}}`],
    [`{"create":{"collection":"x","scope":{"database":"child"}},"params":{"object":{}}}`, undefinedRef('create', "Ref refers to undefined collection 'x'")],
    [`{"create":{"collections":{"database":"child"}},"params":{"object":{}}}`, argument('create', 'Cannot write a scoped ref.')],
    ['{"select":"database","from":{"collections":{"database":"child"}}}', child],
    ['{"select":"database","from":{"collections":null},"default":0}', '0'],
  ],
);

conforms('ref', { world }, [
  ['{"ref":{"collection":"spells"},"id":"1"}', docRef('spells', 1)],
  ['{"ref":{"collection":"spells"},"id":-5}', docRef('spells', -5)],
  ['{"ref":{"class":"spells"},"id":1}', docRef('spells', 1)],
  ['{"ref":{"collection":"nope"},"id":1}', docRef('nope', 1)],
  ['{"get":{"ref":{"collection":"nope"},"id":1}}', undefinedRef('get', "Ref refers to undefined collection 'nope'")],
  ['{"get":{"ref":{"collection":"nope"},"id":1}}', undefinedRef('get', "Ref refers to undefined class 'nope'"), '2.1'],
  ...['databases', 'collections', 'indexes', 'functions', 'roles', 'access_providers'].map(
    (name) => [`{"ref":{"${name}":null},"id":"1"}`, argument('ref', 'Regular Class Ref expected, Schema Class Ref provided.')] as const,
  ),
  ['{"ref":{"collection":"spells"},"id":"abc"}', argument('id', "Number or numeric String expected, non-numeric 'abc' provided.")],
  ['{"ref":{"collection":"spells"},"id":"92233720368547758070"}', argument('id', "The id provided is too large: '92233720368547758070'")],
  ['{"ref":{"collection":"spells"},"id":"00000000000000000000000001"}', docRef('spells', 1)],
  ['{"ref":{"collection":"spells"},"id":""}', argument('id', "The id provided is too large: ''")],
  ['{"@ref":{"id":"","collection":{"@ref":{"id":"spells","collection":{"@ref":{"id":"collections"}}}}}}', expression('id', "The id provided is too large: ''")],
  ['{"ref":{"collection":"spells"},"id":"-92233720368547758070"}', argument('id', "Number or numeric String expected, non-numeric '-92233720368547758070' provided.")],
  ['{"ref":{"collection":"spells"},"id":"+5"}', docRef('spells', 5)],
  ['{"ref":{"collection":"spells"},"id":1.5}', argument('id', 'String or Number expected, Double provided.')],
  ['{"ref":1,"id":1}', argument('ref', 'Collection Ref expected, Integer provided.')],
  ['{"ref":1,"id":true}', faults(400, argument('ref', 'Collection Ref expected, Integer provided.'), argument('id', 'String or Number expected, Boolean provided.'))],
  ['{"ref":{"index":"nope"},"id":1}', argument('ref', 'Collection Ref expected, Index Ref provided.')],
  ['{"ref":{"ref":{"collection":"nope"},"id":1},"id":1}', argument('ref', 'Collection Ref expected, Ref provided.')],
  ['{"collection":1}', argument('collection', 'String expected, Integer provided.')],
  ['{"is_string":{"new_id":null}}', 'true'],
  ['{"is_string":{"next_id":null}}', 'true'],
  ['{"new_id":1}', argument('new_id', 'Null expected, Integer provided.')],
  ['{"equals":[{"new_id":null},{"new_id":null}]}', 'false'],
  // The last ten bits are the same.
  ['{"modulo":[{"subtract":[{"to_integer":{"new_id":null}},{"to_integer":{"new_id":null}}]},1024]}', '0'],
]);

conforms('paths into refs', { world }, [
  [`{"select":"id","from":${SPELL}}`, '"1"'],
  ...inVersions(`{"select":"collection","from":${SPELL}}`, { '2.0': '{"@ref":"classes/spells"}', '4': collectionRef('spells') }),
  [`{"select":["class","id"],"from":${SPELL}}`, '"spells"'],
  ['{"select":["class","class","id"],"from":{"ref":{"collection":"spells"},"id":1}}', '"classes"', '2.1'],
  ['{"select":["class","class","id"],"from":{"ref":{"collection":"spells"},"id":1}}', '"collections"'],
  [`{"select":"ts","from":${SPELL}}`, fault(404, 'value not found', 'from', 'Value not found at path [ts].')],
  ['{"select":"id","from":{"collection":"nope"}}', undefinedRef('from', "Ref refers to undefined collection 'nope'")],
]);

conforms('times of version 2.0 end with the year 9999', { version: '2.0' }, [
  ['{"@ts":"9999-12-31T23:59:59.999999999Z"}', '{"@ts":"9999-12-31T23:59:59.999999999Z"}'],
  ['{"@ts":"+10000-01-01T00:00:00Z"}', expression('', 'Invalid time.')],
  ['{"@ts":"9999-12-31T23:59:59.999999999-00:01"}', expression('', 'Invalid time.')],
  ['{"time":"9999-12-31T23:59:59Z"}', '{"@ts":"9999-12-31T23:59:59Z"}'],
]);

conforms('escapes', {}, [
  ['{"@ts":"2020-01-02T03:04:05.123456789Z"}', '{"@ts":"2020-01-02T03:04:05.123456789Z"}'],
  ['{"@ts":"2020-01-02T03:04:05+01:00"}', '{"@ts":"2020-01-02T02:04:05Z"}'],
  ['{"@ts":"2020-01-02T03:04Z"}', '{"@ts":"2020-01-02T03:04:00Z"}'],
  ['{"@ts":"2020-01-02T24:00:00Z"}', '{"@ts":"2020-01-03T00:00:00Z"}'],
  ['{"@ts":"2019-02-30T00:00:00Z"}', '{"@ts":"2019-02-28T00:00:00Z"}'],
  ['{"@ts":"-999999999-01-01T00:00:00Z"}', '{"@ts":"-999999999-01-01T00:00:00Z"}'],
  ['{"@ts":"9999-12-31T23:59:59.999999999Z"}', '{"@ts":"9999-12-31T23:59:59.999999999Z"}'],
  ['{"@ts":"+12345-01-01T00:00:00Z"}', '{"@ts":"+12345-01-01T00:00:00Z"}'],
  ...[' 2020-01-02T03:04:05Z', '2020-01-02T03:04:05', '2020-01-02T03:04:60Z', '2020-01-02T03:04:05+01', 'now', ''].map(
    (text) => [`{"@ts":"${text}"}`, expression('', 'Invalid time.')] as const,
  ),
  ['{"@ts":1}', expression('', 'Invalid time.')],
  ['[1,{"@ts":1}]', expression('1', 'Invalid time.')],
  ['{"@date":"2020-02-29"}', '{"@date":"2020-02-29"}'],
  ['{"@date":"+12345-01-01"}', '{"@date":"+12345-01-01"}'],
  ['{"@date":"2019-02-29"}', expression('', 'Invalid date.')],
  ['{"@date":" 2019-02-28"}', expression('', 'Invalid date.')],
  ['{"@date":1}', expression('', 'Invalid date.')],
  ['{"@bytes":"AQID"}', '{"@bytes":"AQID"}'],
  ['{"@bytes":"-_-_"}', '{"@bytes":"+/+/"}'],
  ['{"@bytes":""}', '{"@bytes":""}'],
  ['{"@bytes":1}', expression('', 'Invalid bytes.')],
  ['{"@bytes":"!"}', expression('', 'Invalid bytes.')],
  ['{"@uuid":"5B8AC1F6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}', '{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}'],
  ['{"@uuid":"1-1-1-1-1"}', '{"@uuid":"00000001-0001-0001-0001-000000000001"}'],
  ['{"@uuid":"x"}', expression('', 'Invalid UUID.')],
  ['{"@set":1}', expression('', 'Invalid set.')],
  ['{"@set":{"nope":1}}', expression('', 'Invalid set.')],
  ['{"@obj":1}', expression('', 'Invalid object.')],
  ['{"@nope":1}', noForm('', '@nope')],
  ['{"@query":{"lambda":1,"expr":2}}', expression('lambda', 'String or Array expected, Integer provided.')],
  ['{"@query":{"lambda":"x","expr":{"var":"y"}}}', expression('', 'Invalid lambda.')],
  ['{"@query":{"api_version":"9","lambda":"x","expr":1}}', expression('', 'Invalid lambda.')],
  ['{"@query":{"lambda":"x","expr":{"nope":1}}}', noForm('expr', 'nope')],
  ['{"object":{"a":{"@query":{"lambda":"x","expr":{"nope":1}}}}}', noForm('object/a/expr', 'nope')],
]);

conforms('values that need wrapping', {}, [
  ...inVersions('{"object":{"@obj":{"@ref":"x"}}}', { [ALL_VERSIONS]: '{"@obj":{"@ref":"x"}}' }),
  ['{"object":{"a":{"object":{"@obj":{"@b":1}}},"c":1}}', '{"a":{"@obj":{"@b":1}},"c":1}'],
  ['{"quote":{"a":{"@obj":{"@b":1}}}}', '{"a":{"@obj":{"@b":1}}}'],
  ['[{"to_double":"NaN"},{"divide":[1.0,0.5]},{"multiply":[1e300,1e300]}]', '["NaN",2.0,"Infinity"]'],
  ['[1e7,1e-4,123456.789,0.001,-0.0,1e22,4.9e-324]', '[1.0E7,1.0E-4,123456.789,0.001,-0.0,1.0E22,4.9E-324]'],
]);

// The registry against the published list of forms: every key set with its versions, and
// nothing besides (reference: fql/functions.md §2–13; the original's ast/Parser.scala).
import { expect, it } from 'vitest';
import type { Form } from '../form/form.ts';
import { FORMS } from './registry.ts';

/** Forms of every version, by family; `?` marks a key that may be left out. */
const ALWAYS = `
  at expr; if then else; quote; do; call arguments?; abort; query; equals; not; lt; lte; gt; gte; contains in
  map collection; foreach collection; filter collection; reduce initial collection; prepend collection; append collection
  take collection; drop collection; is_empty; is_nonempty; merge with lambda?; mean; count; sum; any; all; max; min
  union; intersection; difference; distinct; reverse; range from to; join with
  concat separator?; casefold normalizer?; regexescape; startswith search; endswith search; containsstr search
  containsstrregex pattern; findstr find start?; findstrregex pattern start? num_results?; length; lowercase; uppercase
  titlecase; ltrim; rtrim; trim; ngram min? max?; repeat number?; replacestr find replace
  replacestrregex pattern replace first?; space; substring start? length?; format values
  abs; add; bitand; bitnot; bitor; bitxor; ceil; divide; floor; modulo; multiply; round precision?; subtract; sign; sqrt
  trunc precision?; acos; asin; atan; cos; cosh; degrees; exp; hypot b?; ln; log; pow exp?; radians; sin; sinh; tan; tanh
  ref id scope?; database scope?; index scope?; class scope?; collection scope?; function scope?; role scope?
  new_id; next_id; databases; indexes; classes; collections; keys; tokens; credentials; functions; roles
  singleton; events; documents; match index; match terms?
  exists ts?; get ts?; key_from_secret; paginate after? ts? size? events? sources?
  paginate before ts? size? events? sources?; paginate cursor ts? size? events? sources?
  create params?; update params?; replace params?; delete; insert ts action params?; remove ts action; move_database to
  create_class; create_collection; create_database; create_index; create_key; create_function; create_role
  login params; logout; identify password; identity; has_identity
  time; now; epoch unit; date; to_micros; to_millis; to_seconds; second; minute; hour; day_of_month; day_of_week
  day_of_year; month; year; time_add offset unit; time_subtract offset unit; time_diff other unit
  to_string; to_number; to_double; to_integer; to_time; to_date; to_object; to_array
  is_number; is_double; is_integer; is_boolean; is_null; is_bytes; is_timestamp; is_date; is_uuid; is_string; is_array
  is_object; is_ref; is_set; is_doc; is_lambda; is_collection; is_database; is_index; is_function; is_key; is_token
  is_credentials; is_role`;

/** Up to 2.12 the operands and defaults are evaluated first, from 3 on when they are needed. */
const UNTIL_2_12 = 'and; or; select from all? default?; select_all from default?; select_as_index from default?';
const SINCE_3 = `${UNTIL_2_12}; contains_path in; contains_field in; contains_value in`;
const SINCE_4 = `access_provider scope?; access_providers; create_access_provider; current_identity; has_current_identity
  current_token; has_current_token; first; last`;

/** Known to the original's unstable version alone, which we do not answer. */
const UNSTABLE = [
  'bit_and', 'bit_not', 'bit_or', 'bit_xor', 'contains_str', 'contains_str_regex', 'starts_with', 'ends_with', 'find_str', 'find_str_regex',
  'regex_escape', 'replace_str', 'replace_str_regex', 'lower_case', 'upper_case', 'title_case', 'l_trim', 'r_trim', 'sub_string', 'split_str',
  'split_str_regex', 'issue_access_jwt',
];

const listed = (table: string, versions: string): string[] =>
  table.split(/[;\n]/).map((keys) => keys.trim()).filter(Boolean).map((keys) => `${keys} ${versions}`.trim());

const EXPECTED = [
  ...listed(ALWAYS, ''),
  ...listed(UNTIL_2_12, '≤2.12'),
  ...listed(SINCE_3, '≥3'),
  ...listed(SINCE_4, '≥4'),
];

function described({ keys, params, since, until }: Form): string {
  const shown = keys.map((key) => (params[key] !== undefined && 'optional' in params[key] ? `${key}?` : key));
  return [...shown, since === undefined ? '' : `≥${since}`, until === undefined ? '' : `≤${until}`].filter(Boolean).join(' ');
}

it('has every form of the list, under the versions that know it, and no other', () => {
  // `var`, `let … in` and `object` are syntax, read by the parser itself.
  expect(FORMS.map(described).toSorted()).toEqual(EXPECTED.toSorted());
});

it('has none of the unstable names', () => {
  const names = new Set(FORMS.map(({ name }) => name));
  expect(UNSTABLE.filter((name) => names.has(name))).toEqual([]);
});

it('says of every form what it does and where that was taken from', () => {
  expect(FORMS.filter(({ summary, source }) => summary === '' || source === '').map(({ name }) => name)).toEqual([]);
});

// The native collections: which fields their documents have, and what is allowed in them
// (reference: data/documents.md §5). Loaded with what writes such documents.
import type { FieldFailure } from '../errors/fql-error.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import { isRefOf } from '../errors/type-name.ts';
import { NATIVE, type NativeName } from '../value/ref.ts';
import { Lambda, type Obj, Ref, type Value } from '../value/value.ts';
import { DATA, DOCUMENT_RULES, type FieldRule, type Rules, TIME, validate } from './rules.ts';

const type = (name: string, accepts: (value: Value) => boolean) => (extra: Partial<FieldRule> = {}): FieldRule => ({ type: name, accepts, ...extra });

const isText = (value: Value): boolean => typeof value === 'string';
const text = type('String', isText);
const long = type('Long', (value) => typeof value === 'bigint');
const priority = type('Priority', (value) => typeof value === 'bigint' && value >= 1n && value <= 500n);
const flag = type('Boolean', (value) => typeof value === 'boolean');
const ref = type('Ref', (value) => value instanceof Ref);
const query = type('Query', (value) => value instanceof Lambda);
const anything = type('Any', () => true);

const NAMED = type('Name', isText)({ required: true, kept: true });

const NATIVE_RULES: Readonly<Record<Exclude<NativeName, 'tasks'>, Rules>> = {
  databases: {
    name: NAMED,
    container: flag(),
    priority: priority(),
    typechecked: flag(),
    protected: flag(),
    account: DATA,
    data: DATA,
    global_id: anything(),
  },
  collections: {
    history_days: long({ kept: true }),
    ttl_days: long(),
    name: NAMED,
    data: DATA,
  },
  indexes: {
    active: flag(),
    serialized: flag(),
    name: NAMED,
    unique: flag({ kept: true }),
    source: anything({ required: true }),
    terms: anything(),
    values: anything(),
    partitions: long({ kept: true }),
    data: DATA,
  },
  functions: {
    name: NAMED,
    role: anything(),
    body: query({ required: true }),
    data: DATA,
  },
  roles: {
    name: NAMED,
    privileges: anything(),
    membership: anything(),
    data: DATA,
  },
  access_providers: {
    name: NAMED,
    issuer: text({ required: true, kept: true }),
    jwks_uri: type('URI', isText)({ required: true, kept: true }),
    roles: anything({ kept: true }),
    data: DATA,
  },
  keys: {
    role: anything({ required: true }),
    database: type('Database Ref', (value) => isRefOf(value, 'databases'))(),
    priority: priority(),
    ttl: TIME,
    data: DATA,
  },
  tokens: {
    instance: ref({ required: true }),
    ttl: TIME,
    data: DATA,
  },
  credentials: {
    instance: ref({ required: true }),
    ttl: TIME,
    data: DATA,
  },
};

const BY_NUMBER = new Map<number, Rules>(Object.entries(NATIVE_RULES).map(([collection, rules]) => [NATIVE[collection as NativeName], rules]));

export const rulesFor = (collection: number): Rules => BY_NUMBER.get(collection) ?? DOCUMENT_RULES;

/** Unicode letters, digits and a few signs (reference: data/documents.md §6). */
const isName = (text: string): boolean => /^[;@+$\-_.!~%\p{L}\p{N}\p{M}\p{Pc}]+$/u.test(text);

/** What is wrong with the fields of a native document as it would be stored. Only those that are called by name may have one. */
export function nativeFailures(rules: Rules, fields: Obj): FieldFailure[] {
  const name = fields.get('name');
  return [...validate(rules, fields), ...(typeof name === 'string' ? nameFailures(name) : [])];
}

function nameFailures(name: string): FieldFailure[] {
  if (name === '_') return [schemaFailures.reservedName(['name'], name)];
  return isName(name) ? [] : [schemaFailures.characters(['name'], name)];
}

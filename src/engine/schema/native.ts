// The native collections: which fields their documents have, and what is allowed in them
// (reference: data/documents.md §5). Fields are kept in the order they are sent.
import type { NativeWord } from '../errors/codes.ts';
import { isRefOf } from '../errors/type-name.ts';
import { NATIVE, type NativeName } from '../value/ref.ts';
import { Lambda, Obj, Ref, SetValue, Time, type Value } from '../value/value.ts';

export interface FieldRule {
  /** The type as a failure names it. */
  readonly type: string;
  accepts(value: Value): boolean;
  readonly required?: true;
  /** Set at creation only; a later change is dropped. */
  readonly once?: true;
  /** Kept by `replace` when it is not sent again. */
  readonly kept?: true;
}

const type = (name: string, accepts: (value: Value) => boolean) => (extra: Partial<FieldRule> = {}): FieldRule => ({ type: name, accepts, ...extra });

const isText = (value: Value): boolean => typeof value === 'string';
const text = type('String', isText);
// A set is stored as an object, too.
const data = type('Map', (value) => value instanceof Obj || (value instanceof SetValue && value.describe() instanceof Obj));
const long = type('Long', (value) => typeof value === 'bigint');
const priority = type('Priority', (value) => typeof value === 'bigint' && value >= 1n && value <= 500n);
const flag = type('Boolean', (value) => typeof value === 'boolean');
const time = type('Timestamp', (value) => value instanceof Time);
const ref = type('Ref', (value) => value instanceof Ref);
const query = type('Query', (value) => value instanceof Lambda);
const anything = type('Any', () => true);

export interface NativeRules {
  readonly word: NativeWord | undefined;
  /** Whether its documents are called by name. */
  readonly named: boolean;
  readonly fields: Readonly<Record<string, FieldRule>>;
}

const named = (word: NativeWord, fields: Readonly<Record<string, FieldRule>>): NativeRules => ({ word, named: true, fields });
const numbered = (word: NativeWord, fields: Readonly<Record<string, FieldRule>>): NativeRules => ({ word, named: false, fields });
const NAME = type('Name', isText)({ required: true, kept: true });

const NATIVE_RULES: Readonly<Record<Exclude<NativeName, 'tasks'>, NativeRules>> = {
  databases: named('Database', {
    name: NAME,
    container: flag(),
    priority: priority(),
    typechecked: flag(),
    protected: flag(),
    account: data(),
    data: data(),
    global_id: anything(),
  }),
  collections: named('Collection', {
    history_days: long({ kept: true }),
    ttl_days: long(),
    name: NAME,
    data: data(),
  }),
  indexes: named('Index', {
    active: flag(),
    serialized: flag(),
    name: NAME,
    unique: flag({ kept: true }),
    source: anything({ required: true }),
    terms: anything(),
    values: anything(),
    partitions: long({ kept: true }),
    data: data(),
  }),
  functions: named('Function', {
    name: NAME,
    role: anything(),
    body: query({ required: true }),
    data: data(),
  }),
  roles: named('Role', {
    name: NAME,
    privileges: anything(),
    membership: anything(),
    data: data(),
  }),
  access_providers: named('Access provider', {
    name: NAME,
    issuer: text({ required: true, kept: true }),
    jwks_uri: type('URI', isText)({ required: true, kept: true }),
    roles: anything({ kept: true }),
    data: data(),
  }),
  keys: numbered('Key', {
    role: anything({ required: true }),
    database: type('Database Ref', (value) => isRefOf(value, 'databases'))(),
    priority: priority(),
    ttl: time(),
    data: data(),
  }),
  tokens: numbered('Token', {
    instance: ref({ required: true }),
    ttl: time(),
    data: data(),
  }),
  credentials: numbered('Credentials', {
    instance: ref({ required: true }),
    ttl: time(),
    data: data(),
  }),
};

/** Documents of user collections. */
const DOCUMENT_RULES: NativeRules = { word: undefined, named: false, fields: { data: data(), constraints: data(), ttl: time() } };

const BY_NUMBER = new Map<number, NativeRules>(
  Object.entries(NATIVE_RULES).map(([collection, rules]) => [NATIVE[collection as NativeName], rules]),
);

export const rulesFor = (collection: number): NativeRules => BY_NUMBER.get(collection) ?? DOCUMENT_RULES;
export const wordFor = (collection: number): NativeWord | undefined => BY_NUMBER.get(collection)?.word;

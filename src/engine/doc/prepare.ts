// What writing a schema document does besides storing its fields: one entry per native
// collection (reference: data/documents.md §5, data/indexes.md §1–4).
import { toBase64 } from '../base/bytes.ts';
import { zBase32 } from '../base/z-base32.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { makeSecret } from '../auth/secret.ts';
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { storedTypeName } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import { isBuiltInRole } from '../auth/caller.ts';
import { NATIVE, type NativeName, Ref } from '../value/ref.ts';
import { isArray, Obj, type Value } from '../value/value.ts';
import { indexDefinition } from './index-definition.ts';
import type { Preparation, Prepared } from './preparation.ts';

type Prepare = (preparation: Preparation, ctx: EvalContext) => MaybePromise<Prepared>;

const asTheyAre: Prepare = ({ fields }) => ({ fields, failures: [] });

/** Days that history is kept when nothing is said. */
const HISTORY_DAYS = 30n;

const collections: Prepare = ({ fields, params, before }) => {
  const days = fields.get('history_days');
  const failures = typeof days === 'bigint' && days < 0n ? [fieldFailures.negative(['history_days'])] : [];
  const unset = days === undefined && before === null && !params.has('history_days');
  return { fields: unset ? Obj.of(['history_days', HISTORY_DAYS], ...fields.entries()) : fields, failures };
};

const databases: Prepare = ({ fields, ref }) => ({ fields: fields.with('global_id', zBase32(ref.id)), failures: [] });

const functions: Prepare = ({ fields }, ctx) => {
  const role = fields.get('role');
  return { fields, failures: role === undefined ? [] : roleFailures(role, ['role'], ctx) };
};

const keys: Prepare = ({ fields, before, ref }, ctx) => {
  const role = fields.get('role');
  const failures = role === undefined ? [] : roleFailures(role, ['role'], ctx);
  const database = fields.get('database');
  if (database instanceof Ref && ctx.catalog.database(database) === null) failures.push(fieldFailures.missingRef(['database']));
  const kept = before?.get('hashed_secret');
  if (kept !== undefined) return { fields: fields.with('hashed_secret', kept), failures };
  return withSecret(fields, failures, makeSecret('key', [ref.id], ctx.txn.random), ctx);
};

const tokens: Prepare = ({ fields, params, before, ref }, ctx) => {
  const given = params.get('hashed_secret');
  const kept = typeof given === 'string' ? given : before?.get('hashed_secret');
  if (kept !== undefined && kept !== null) return { fields: fields.with('hashed_secret', kept), failures: [] };
  return withSecret(fields, [], makeSecret('token', [ref.id, ctx.catalog.scope], ctx.txn.random), ctx);
};

/** Stores the hash of a new secret; the secret itself is shown this once. */
function withSecret(fields: Obj, failures: readonly FieldFailure[], secret: string, ctx: EvalContext): MaybePromise<Prepared> {
  return andThen(ctx.platform.sha256(ctx.platform.utf8.encode(secret)), (hash) => ({
    fields: fields.with('hashed_secret', toBase64(hash, 'url')),
    shownOnce: Obj.of(['secret', secret]),
    failures,
  }));
}

/** Rounds of PBKDF2 for passwords. */
const PASSWORD_ROUNDS = 100_000;

const credentials: Prepare = ({ fields, params, before }, ctx) => {
  const password = params.get('password');
  if (typeof password !== 'string') {
    const kept = before?.get('hashed_password');
    return { fields: kept === undefined ? fields : fields.with('hashed_password', kept), failures: [] };
  }
  const salt = ctx.txn.random.bytes(16);
  return andThen(ctx.platform.pbkdf2(ctx.platform.utf8.encode(password), salt, PASSWORD_ROUNDS), (hash) => ({
    fields: fields.with('hashed_password', [String(PASSWORD_ROUNDS), toBase64(salt, 'url'), toBase64(hash, 'url')].join(':')),
    failures: [],
  }));
};

const roles: Prepare = ({ fields }, ctx) => {
  const failures = ['privileges', 'membership'].flatMap((key) => resourceFailures(fields.get(key), key, ctx));
  return { fields, failures };
};

function resourceFailures(value: Value | undefined, key: string, ctx: EvalContext): FieldFailure[] {
  if (value === undefined) return [];
  const items = isArray(value) ? value : [value];
  return items.flatMap((item, index) => {
    const at = isArray(value) ? [key, index, 'resource'] : [key, 'resource'];
    const resource = item instanceof Obj ? item.get('resource') : undefined;
    if (resource === undefined) return [fieldFailures.required(at)];
    if (!(resource instanceof Ref)) return [fieldFailures.type(at, storedTypeName(resource), 'Ref')];
    return resource.isNativeCollection || ctx.catalog.definition(resource) !== null ? [] : [fieldFailures.missingRef(at)];
  });
}

/** A built-in role, a user role by name or ref, or an array of the latter. */
function roleFailures(role: Value, at: readonly (string | number)[], ctx: EvalContext): FieldFailure[] {
  if (isArray(role)) return role.flatMap((item, index) => (isBuiltInRole(item) ? [fieldFailures.type([...at, index], 'String', 'Ref')] : roleFailures(item, [...at, index], ctx)));
  if (isBuiltInRole(role)) return [];
  if (typeof role === 'string') return ctx.catalog.isTaken('role', role) === null ? [fieldFailures.free(at, `Role \`${role}\` does not exist.`)] : [];
  if (role instanceof Ref && role.collection === NATIVE.roles) return ctx.catalog.definition(role) === null ? [fieldFailures.missingRef(at)] : [];
  return [fieldFailures.type(at, storedTypeName(role), 'Role')];
}

const accessProviders: Prepare = ({ fields }) => {
  const uri = fields.get('jwks_uri');
  const failures = typeof uri === 'string' && !/^https:\/\/[^\s]+$/.test(uri) ? [fieldFailures.uri(['jwks_uri'], uri)] : [];
  return { fields, failures };
};

export const PREPARE: Readonly<Record<NativeName, Prepare>> = {
  databases,
  collections,
  indexes: indexDefinition,
  functions,
  roles,
  access_providers: accessProviders,
  keys,
  tokens,
  credentials,
  tasks: asTheyAre,
};


// What writing a schema document does besides storing its fields: one entry per native
// collection (reference: data/documents.md §5, data/indexes.md §1–4). Loaded by the first such write.
import { zBase32 } from '../base/z-base32.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { holderOf } from '../auth/home.ts';
import { makeSecret } from '../auth/make-secret.ts';
import { hashSecret, isForeign, secretOwner } from '../auth/secret.ts';
import { alreadyExists, notUnique, permissionDenied } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { part } from '../errors/part.ts';
import { schemaFailures } from '../errors/schema-failures.ts';
import { isRefOf } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import { mayGive } from '../auth/may-give.ts';
import { rightsOf } from '../auth/rights-of.ts';
import { HIDDEN, readIndex } from '../schema/definitions.ts';
import { nativeFailures, rulesFor } from '../schema/native.ts';
import { edgeOf } from '../schema/retention.ts';
import { knownFields, validate } from '../schema/rules.ts';
import { wordFor } from '../schema/words.ts';
import { namedKindIn, NATIVE, type NativeName, Ref } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import { prepareAccessProvider } from './access-providers.ts';
import { cascade } from './cascade.ts';
import { prepareCredentials } from './credentials.ts';
import { isIdTaken, newNativeRef } from './ids.ts';
import { indexDefinition } from './index-definition.ts';
import { missingRefs } from './missing-refs.ts';
import type { Preparation, Prepared } from './preparation.ts';
import { requireHarmless } from './protected.ts';
import { roleFailures } from './role-failures.ts';
import { prepareRole } from './roles.ts';
import { sameField } from './same-field.ts';
import { textFailures } from './text-failures.ts';

export { isIdTaken, newNativeRef };
export { withCredentials } from './own-credentials.ts';

type Prepare = (preparation: Preparation, ctx: EvalContext) => MaybePromise<Prepared>;

/** Indexes are seldom made. */
const building = part(() => import('./build-index.ts'));

const asTheyAre: Prepare = ({ fields }) => ({ fields, failures: [] });

/** Days that history is kept when nothing is said. */
const HISTORY_DAYS = 30n;

const collections: Prepare = ({ fields, sent, before }, ctx) => {
  const days = fields.get('history_days');
  const failures = typeof days === 'bigint' && days < 0n ? [schemaFailures.negative(['history_days'])] : [];
  if (before !== null) return { fields: withFloor(fields, before, ctx), failures };
  // What has a default stands first.
  const first = days ?? (sent.has('history_days') ? null : HISTORY_DAYS);
  return { fields: first === null ? fields : Obj.of(['history_days', first], ...fields.without('history_days').entries()), failures };
};

/** What fewer days have let go stays gone when there are more of them again. */
function withFloor(fields: Obj, before: Obj, ctx: EvalContext): Obj {
  const known = Number(before.get(HIDDEN.floor) ?? 0n);
  const days = before.get('history_days');
  const isSame = sameField(days, fields.get('history_days'));
  const edge = isSame || typeof days !== 'bigint' ? 0 : edgeOf(Number(days), ctx.txn.now);
  const floor = Math.max(known, edge);
  return floor > 0 ? fields.with(HIDDEN.floor, BigInt(floor)) : fields;
}

const databases: Prepare = ({ fields, ref }) => ({ fields: fields.with('global_id', zBase32(ref.id)), failures: [] });

/** An index is active once it is built: from the start where there is little to build. */
const indexes: Prepare = (preparation, ctx) => {
  const { before, fields } = preparation;
  const prepared = indexDefinition(preparation, ctx);
  if (before !== null) {
    // These fields cannot change. An earlier build may have taken what is refused now, so an update that leaves them alone passes.
    const isLeft = ['source', 'terms', 'values'].every((key) => sameField(fields.get(key), before.get(key)));
    const counts = ({ field: [first = 'partitions'], code }: FieldFailure): boolean => first === 'partitions' || code === 'invalid reference';
    return isLeft ? { ...prepared, failures: prepared.failures.filter(counts) } : prepared;
  }
  if (prepared.failures.length > 0) return prepared;
  return andThen(building(), ({ isSmall }) =>
    andThen(isSmall(readIndex(preparation.ref, prepared.fields), ctx), (small) =>
      small ? { ...prepared, fields: prepared.fields.with('active', true) } : prepared,
    ),
  );
};

const wrongRoles = (fields: Obj, { catalog }: EvalContext): FieldFailure[] => {
  const role = fields.get('role');
  return role === undefined ? [] : roleFailures(role, ['role'], catalog);
};

const functions: Prepare = ({ fields }, ctx) => ({ fields, failures: wrongRoles(fields, ctx) });

/** A key opens its own database or one right below it, with roles that are there. */
const wrongRights = (fields: Obj, ctx: EvalContext): FieldFailure[] => {
  const failures = wrongRoles(fields, ctx);
  const database = fields.get('database') ?? null;
  if (isRefOf(database, 'databases') && ctx.catalog.database(database) === null) failures.push(schemaFailures.missingRef(['database']));
  return failures;
};

const keys: Prepare = ({ fields, params, sent, before, ref }, ctx) => {
  const failures = wrongRights(fields, ctx);
  const given = params.get('secret');
  if (typeof given === 'string') return withGivenSecret({ fields, failures }, ref, given, ctx);
  const isNew = before === null;
  const hash = isNew ? params.get('hashed_secret') : undefined;
  if (typeof hash === 'string') return withHash({ fields, failures }, ref, { hash, from: 'hashed_secret' }, ctx);
  failures.push(...textFailures(sent, isNew ? ['secret', 'hashed_secret'] : ['secret']));
  const kept = before?.get('hashed_secret');
  if (kept !== undefined) return { fields: fields.with('hashed_secret', kept), failures };
  return withSecret({ fields, failures }, 'key', [ref.id], ctx);
};

/** A key's secret names its key. */
function withGivenSecret(prepared: Prepared, ref: Ref, secret: string, ctx: EvalContext): MaybePromise<Prepared> {
  const owner = secretOwner(secret);
  if (owner?.kind !== 'key' || owner.id !== ref.id) return failing(prepared, schemaFailures.secret(['secret']));
  return andThen(hashSecret(secret, ctx.platform), (hash) => withHash(prepared, ref, { hash, from: 'secret' }, ctx));
}

/** No two databases hold the same key; by a hash of the original's, which is salted, none of the same id. @param from the field it was given by */
function withHash(prepared: Prepared, ref: Ref, { hash, from }: { hash: string; from: string }, { txn }: EvalContext): MaybePromise<Prepared> {
  return andThen(holderOf(NATIVE.keys, ref.id, (other) => other === hash || isForeign(hash), txn), (holder) => {
    const hashed = { ...prepared, fields: prepared.fields.with('hashed_secret', hash) };
    return holder !== null && holder.ref.scope !== ref.scope ? failing(hashed, schemaFailures.duplicate([from])) : hashed;
  });
}

const failing = (prepared: Prepared, failure: FieldFailure): Prepared => ({ ...prepared, failures: [...prepared.failures, failure] });

/**
 * A version of a key that is put into its history: what opens it is known only where its secret comes with it.
 * @throws FqlError `instance already exists` at `at` for the id of a database
 */
export function insertedKey(ref: Ref, params: Obj, ctx: EvalContext, at: Path): MaybePromise<Prepared> {
  return andThen(isIdTaken(ref, ctx.txn), (taken) => {
    if (taken) throw alreadyExists(at);
    const rules = rulesFor(ref.collection);
    const fields = knownFields(rules, params);
    const prepared = { fields, failures: [...validate(rules, fields), ...wrongRights(fields, ctx), ...textFailures(params, ['secret'])] };
    const secret = params.get('secret');
    return typeof secret === 'string' ? withGivenSecret(prepared, ref, secret, ctx) : prepared;
  });
}

const tokens: Prepare = ({ fields, params, sent, ref }, ctx) => {
  // An update carries the hash over; where it is missing, as in a replace, there is a new secret.
  const kept = params.get('hashed_secret');
  // What writes a token does not show it.
  if (kept !== undefined) return { fields: fields.with('hashed_secret', kept), shown: fields, failures: textFailures(sent, ['hashed_secret']) };
  return withSecret({ fields, failures: [] }, 'token', [ref.id, ctx.catalog.scope], ctx);
};

/** Stores the hash of a new secret. The secret is shown this once: of a key beside the hash, of a token in its place. */
function withSecret({ fields, failures }: Prepared, kind: 'key' | 'token', ids: readonly bigint[], ctx: EvalContext): MaybePromise<Prepared> {
  const secret = makeSecret(kind, ids, ctx.txn.random);
  return andThen(hashSecret(secret, ctx.platform), (hash) => {
    const shown = kind === 'key' ? fields.with('secret', secret).with('hashed_secret', hash) : fields.with('secret', secret);
    return { fields: fields.with('hashed_secret', hash), shown, failures };
  });
}

const PREPARE: Readonly<Record<NativeName, Prepare>> = {
  databases,
  collections,
  indexes,
  functions,
  roles: prepareRole,
  access_providers: prepareAccessProvider,
  keys,
  tokens,
  credentials: prepareCredentials,
  tasks: asTheyAre,
};

/** A schema document's next state. @param at where it is reported that it may not be so */
export function prepare(native: NativeName, wanted: Omit<Preparation, 'fields'>, ctx: EvalContext, at: Path): MaybePromise<Prepared> {
  const { ref, params, before } = wanted;
  const rules = rulesFor(ref.collection);
  const fields = knownFields(rules, params);
  return andThen(PREPARE[native]({ ...wanted, fields }, ctx), (prepared) =>
    andThen(missingRefs(ref, fields, ctx), (missing) => ({
      ...prepared,
      failures: [...nativeFailures(rules, fields), ...prepared.failures, ...missing, ...containerFailures(ref, before, fields, ctx)],
      require: () => requireFit(ref, before, prepared.fields, ctx, at),
      follow: () => (native === 'indexes' && before === null ? andThen(building(), ({ buildIndex }) => buildIndex(ref, ctx)) : undefined),
    })),
  );
}

/** What `replace` keeps of a schema document. A field that is kept has its former place, even if it is sent again. */
export function keptFields({ collection }: Ref, before: Obj): Obj {
  const kept = Object.entries(rulesFor(collection)).filter(([key, rule]) => rule.kept && before.has(key));
  return Obj.of(...kept.map(([key]): [string, Value] => [key, before.get(key) ?? null]));
}

/** A database that holds data does not become a container. @throws NeedsDatabase */
function containerFailures(ref: Ref, before: Obj | null, fields: Obj, ctx: EvalContext): FieldFailure[] {
  const becomes = ref.collection === NATIVE.databases && before !== null && before.get('container') !== true && fields.get('container') === true;
  if (!becomes) return [];
  const inside = ctx.catalogOf(ref.id);
  return (['collection', 'index', 'function'] as const).some((kind) => inside.all(kind).length > 0) ? [schemaFailures.containerData(['container'])] : [];
}

/** Names are unique among the documents of a native collection; who writes a function, and says what it does, may give the role it runs with. */
function requireFit(ref: Ref, before: Obj | null, fields: Obj, ctx: EvalContext, at: Path): MaybePromise<void> {
  const kind = namedKindIn(ref.collection);
  if (kind === 'function' && !mayGive(ctx.caller.rights, rightsOf(fields.get('role') ?? [], ctx.catalog))) throw permissionDenied(at);
  const name = fields.get('name');
  const holder = kind === undefined || typeof name !== 'string' ? null : ctx.catalog.holder(kind, name);
  if (holder !== null && !holder.ref.equals(ref)) throw before === null ? alreadyExists(at, wordFor(ref.collection)) : notUnique(at);
  return before === null ? undefined : requireHarmless(ref, before, fields, ctx, at);
}

/** What must hold, and what goes along, where a schema document is deleted. */
export function prepareDeletion(ref: Ref, fields: Obj, ctx: EvalContext, at: Path): MaybePromise<void> {
  return andThen(requireHarmless(ref, fields, null, ctx, at), () => (ref.collection === NATIVE.collections ? cascade(ref, ctx, at) : undefined));
}

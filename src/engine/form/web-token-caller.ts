// From a web token to a caller (reference: data/auth.md §9): an access provider of the database that the
// token is for vouches for it, and says which roles it has. Loaded when a request brings such a token.
import type { Caller } from '../auth/caller.ts';
import { databasePath } from '../auth/home.ts';
import { KeySets } from '../auth/key-sets.ts';
import { rightsOf } from '../auth/rights-of.ts';
import { audienceOf, databaseOfToken, isKeySetAddress, readWebToken, validity, type WebToken } from '../auth/web-token.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Platform } from '../base/platform.ts';
import { listOf } from '../schema/definitions.ts';
import type { Txn } from '../txn/txn.ts';
import { Ref, type Scope } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import type { EvalContext } from './context.ts';
import { decide } from './roles.ts';

export { readWebToken };

/** Of the surroundings of each engine. */
const keySets = new WeakMap<Platform, KeySets>();

export interface Surroundings {
  readonly platform: Platform;
  /** A context in which an administrator sees a database. */
  inDatabase(scope: Scope): MaybePromise<EvalContext>;
}

/** `null` when the token opens nothing. @throws Needs */
export async function webTokenCaller(token: WebToken, txn: Txn, { platform, inDatabase }: Surroundings): Promise<Caller | null> {
  const scope = databaseOfToken(token);
  const { from, until } = validity(token);
  if (scope === null || !(txn.now > from && txn.now < until)) return null;
  const path = await databasePath(scope, txn);
  if (path === null) return null;
  const ctx = await inDatabase(scope);
  const provider = providerOf(token, ctx);
  if (provider === null || !(await isSigned(token, provider, platform))) return null;
  const caller: Caller = { scope, path, rights: [], identity: null, credential: null, payload: token.payload, until };
  const rights = await rolesOf(provider, ctx.with({ caller }), token.payload);
  return rights.length === 0 ? null : { ...caller, rights };
}

function providerOf({ payload }: WebToken, { catalog }: EvalContext): Obj | null {
  const issuer = payload.get('iss');
  // A token that the database itself claims to have issued is good for nothing.
  if (typeof issuer !== 'string' || issuer === audienceOf(catalog.scope)) return null;
  return catalog.all('access_provider').find(({ fields }) => fields.get('issuer') === issuer)?.fields ?? null;
}

async function isSigned({ algorithm, keyId, signature, signed }: WebToken, provider: Obj, platform: Platform): Promise<boolean> {
  const sets = keySets.get(platform) ?? new KeySets(platform);
  keySets.set(platform, sets);
  const address = provider.get('jwks_uri');
  const key = typeof address === 'string' && isKeySetAddress(address) ? sets.find(address, keyId) : null;
  return key !== null && platform.verify(algorithm, key, signature, signed);
}

/** Of the provider's roles those that it gives without conditions, or whose predicate holds for what the token says. */
async function rolesOf(provider: Obj, ctx: EvalContext, payload: Obj): Promise<readonly Ref[]> {
  const given = await mapEach(listOf(provider.get('roles')), (item): MaybePromise<readonly Ref[]> => {
    if (!(item instanceof Obj)) return rolesNamed(item, ctx);
    const holds = decide(ctx, item.get('predicate') ?? null, payload);
    const roles = rolesNamed(item.get('role') ?? null, ctx);
    return andThen(holds, (yes) => (yes ? roles : []));
  });
  return given.flat();
}

/** As far as they are there. */
function rolesNamed(role: Value, { catalog }: EvalContext): readonly Ref[] {
  const rights = rightsOf(role, catalog);
  return typeof rights === 'string' ? [] : rights.filter((ref) => catalog.definition(ref) !== null);
}

// What secrets and passwords open: loaded when it is first asked for.
import { andThen, fold, type MaybePromise } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { fieldFailures, permissionDenied, validationFailed } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import { authenticationFailed, noKeyFound } from '../errors/sign-in-errors.ts';
import type { SetLike } from '../form/casts.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { readWebToken, webTokenCaller } from '../form/web-token-caller.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import { homeOf, type Reader } from '../auth/home.ts';
import { hashSecret, isWebToken } from '../auth/secret.ts';
import { belongingsOf, credentialsOf } from '../doc/belongings.ts';
import { atPresent, createDocument } from '../doc/write.ts';
import { findDocument, shown } from '../doc/read.ts';
import { stageDocument } from '../doc/stage.ts';
import { headOf } from '../set/read.ts';
import { COMMITTED } from '../txn/current.ts';
import type { Txn } from '../txn/txn.ts';
import { NATIVE, nativeRef, Ref, type Scope } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';

const passwords = part(() => import('../doc/credentials.ts'));

/** The document that a ref or the first entry of a set stands for. */
function subject(value: SetLike, ctx: EvalContext, at: Path): MaybePromise<Ref | null> {
  if (value instanceof Ref && !value.isNativeCollection) return value;
  return andThen(headOf(value, atPresent(ctx), at), (entry) => entry?.ref ?? null);
}

/** Whether the password is that of the document's credentials; `false` where there are none. @throws FqlError `validation failed` for one that is no string */
function hasPassword(ref: Ref, password: Value, ctx: EvalContext, at: Path): MaybePromise<boolean> {
  const found = ctx.txn.cost.together(() => andThen(findDocument(ref, atPresent(ctx)), (doc) => doc && credentialsOf(ref, ctx)));
  return andThen(found, (credentials) => {
    if (credentials === null || password === null) return false;
    if (typeof password !== 'string') throw validationFailed(at, [fieldFailures.type(['password'], password, 'String')]);
    return andThen(passwords(), ({ passwordMatches }) => passwordMatches(credentials.fields.get('hashed_password'), password, ctx));
  });
}

const asAdmin = (ctx: EvalContext): EvalContext => ctx.with({ caller: { ...ctx.caller, rights: 'admin' } });

/** What is there, and databases that were there before the request: the original looks for those outside of the transaction. */
const withDatabasesOfBefore = (txn: Txn): Reader => ({
  now: txn.now,
  // Of ids: whether a key or token is there itself is seen where it is read.
  current: (span) => txn.current(span, false, COMMITTED),
  version: (ref) => txn.version(ref, ref.collection === NATIVE.databases ? COMMITTED : null),
});

/** The key or token of a secret that opens something, or did until the request deleted its database; of a web token the database it is for. */
export function keyFromSecret(secret: string, ctx: EvalContext, at: Path): MaybePromise<Value> {
  if (isWebToken(secret)) return databaseFromToken(secret, ctx, at);
  const missing = noKeyFound(at, secret);
  const whole = { plain: secret, scope: '', isWebToken: false, hash: () => hashSecret(secret, ctx.platform) };
  const { txn } = ctx;
  const callerFrom = (reader: Reader): MaybePromise<Caller | null> =>
    authenticate(whole, reader, { isRoot: () => false, catalog: (_, scope) => ctx.catalogOf(scope) });
  return txn.cost.together(() => {
    const found = andThen(callerFrom(txn), (caller) => caller ?? callerFrom(withDatabasesOfBefore(txn)));
    return andThen(found, (caller) => {
      const ref = caller?.credential ?? null;
      if (ref === null) throw missing;
      return andThen(allows(ctx, 'read', ref), (allowed) =>
        andThen(allowed ? findDocument(ref, ctx) : null, (doc) => {
          if (doc === null) throw missing;
          return shown(doc);
        }),
      );
    });
  });
}

async function databaseFromToken(token: string, ctx: EvalContext, at: Path): Promise<Value> {
  const inDatabase = (scope: Scope): EvalContext => {
    const catalog = ctx.catalogOf(scope);
    return ctx.with({ catalog, caller: { scope, path: catalog.path, rights: 'admin', identity: null, credential: null } });
  };
  const read = readWebToken(token, ctx.platform.utf8);
  const caller = read && (await webTokenCaller(read, ctx.txn, { platform: ctx.platform, inDatabase }));
  const home = caller && (await homeOf(caller.scope, ctx.txn));
  if (caller === null || home === null) throw noKeyFound(at, token);
  const database = new Ref(NATIVE.databases, caller.scope, home);
  if (!(await allows(ctx, 'read', database))) throw permissionDenied(at);
  return Obj.of(['database', database]);
}

/** A token for a document whose password is among the params. */
export function login(document: SetLike, params: Obj, ctx: EvalContext, at: Path): MaybePromise<Value> {
  const password = params.get('password') ?? null;
  return andThen(subject(document, ctx, at.at('login')), (ref) =>
    andThen(ref !== null && hasPassword(ref, password, ctx, at), (right) => {
      if (!right || ref === null) throw authenticationFailed(at);
      return ctx.txn.cost.free(() => createDocument(nativeRef('tokens', ctx.catalog.scope), params.with('instance', ref), asAdmin(ctx), { form: at, target: at, params: at.at('params') }));
    }),
  );
}

/** Whether a password is a document's. */
export function identify(document: SetLike, password: string, ctx: EvalContext, at: Path): MaybePromise<boolean> {
  return andThen(subject(document, ctx, at.at('identify')), (ref) => ref !== null && hasPassword(ref, password, ctx, at));
}

/** Ends the token of the request, or all tokens of its document. */
export function logout(all: boolean, ctx: EvalContext, at: Path): MaybePromise<Value> {
  const { credential, identity } = ctx.caller;
  if (identity === null) return false;
  if (!all) {
    if (credential?.collection !== NATIVE.tokens || credential.scope !== ctx.catalog.scope) return false;
    return andThen(stageDocument(credential, null, ctx, at), () => true);
  }
  return andThen(belongingsOf(identity, 'tokens', ctx), (found) => fold(found, true as Value, (_, token) => andThen(stageDocument(token.ref, null, ctx, at), () => true)));
}

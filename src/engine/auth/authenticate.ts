// From a secret to a caller (reference: data/auth.md §1–4). A secret may be followed by a
// scope: `secret:child/grandchild:role`.
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { part } from '../errors/part.ts';
import { NATIVE, Ref, ROOT_SCOPE } from '../value/ref.ts';
import type { Obj } from '../value/value.ts';
import type { Authenticator } from './authenticator.ts';
import { type Caller, isBuiltInRole } from './caller.ts';
import { databasePath, holderOf, presentFields, type Reader } from './home.ts';
import { rightsOf } from './rights-of.ts';
import { isHashOf, type Presented, secretOwner } from './secret.ts';

/** Loaded when a secret has a scope, as few do. */
const scopes = part(() => import('./scoped.ts'));

/** `null` when the secret opens nothing. */
export function authenticate<From extends Reader>(secret: Presented, reader: From, auth: Authenticator<From>): MaybePromise<Caller | null> {
  const { scope } = secret;
  return andThen(plainCaller(secret, reader, auth), (caller) => (caller === null || scope === '' ? caller : andThen(scopes(), ({ scoped }) => scoped(caller, scope, reader, auth))));
}

function plainCaller<From extends Reader>(secret: Presented, reader: From, auth: Authenticator<From>): MaybePromise<Caller | null> {
  const owner = secretOwner(secret.plain);
  if (owner === null) {
    return andThen(auth.isRoot(secret), (isRoot) =>
      isRoot ? { scope: ROOT_SCOPE, path: [], rights: 'admin', identity: null, credential: null } : null,
    );
  }
  return andThen(holderOf(owner.kind === 'key' ? NATIVE.keys : NATIVE.tokens, owner.id, (hash) => isHashOf(secret, hash), reader), (held) => {
    if (held === null) return null;
    return owner.kind === 'key' ? keyCaller(held.ref, held.fields, reader, auth) : tokenCaller(held.ref, held.fields, reader, auth);
  });
}

function keyCaller<From extends Reader>(ref: Ref, fields: Obj, reader: From, auth: Authenticator<From>): MaybePromise<Caller | null> {
  const database = fields.get('database');
  const scope = database instanceof Ref ? database.id : ref.scope;
  return andThen(databasePath(scope, reader), (path) => {
    if (path === null) return null;
    const given = (rights: Caller['rights']): Caller => ({ scope, path, rights, identity: null, credential: ref });
    const role = fields.get('role') ?? null;
    // Roles that are named are those of the database that it opens.
    return isBuiltInRole(role) ? given(role) : andThen(auth.catalog(reader, scope, path), (catalog) => given(rightsOf(role, catalog)));
  });
}

function tokenCaller<From extends Reader>(ref: Ref, fields: Obj, reader: From, auth: Authenticator<From>): MaybePromise<Caller | null> {
  const identity = fields.get('instance');
  if (!(identity instanceof Ref)) return null;
  return andThen(presentFields(identity, reader), (document) => {
    if (document === null) return null;
    return andThen(databasePath(ref.scope, reader), (path) => {
      if (path === null) return null;
      return andThen(auth.catalog(reader, ref.scope, path), (catalog) =>
        // Documents stay behind a while when their collection is deleted.
        catalog.hasCollection(identity.collection) ? { scope: ref.scope, path, rights: [], identity, credential: ref } : null,
      );
    });
  });
}

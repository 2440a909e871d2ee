// A secret's scope: the database below and the role or document there that it is narrowed to
// (reference: data/auth.md §3). Loaded when a secret has one.
import { andThen, fold, type MaybePromise } from '../base/maybe.ts';
import type { Catalog } from '../schema/catalog.ts';
import { Ref } from '../value/ref.ts';
import type { Authenticator } from './authenticator.ts';
import { type Caller, isBuiltInRole } from './caller.ts';
import { presentFields, type Reader } from './home.ts';

/** The way to a database below, as far as the next colon; slashes at its end count for nothing. */
const PATH_PART = /^(?!:)([^,()&=:]*?)\/*:/;
const ROLE_PART = /^(?:admin|server-readonly|server|client|(?:@role|@doc|classes|collections)\/[^,()&=:]+)/;
/** Longer ids would come round to those of other documents. */
const DOCUMENT = /^[^/]+\/([^/]+)\/(\d{1,19})$/;

/**
 * Narrows a caller to a database below and a role or document there. Text that is no scope is ignored; a role or
 * document with more behind it opens nothing (the original's auth/AuthScope reads them in this order).
 */
export function scoped<From extends Reader>(caller: Caller, text: string, reader: From, auth: Authenticator<From>): MaybePromise<Caller | null> {
  if (caller.identity !== null) return caller;
  const [before = '', path = ''] = PATH_PART.exec(text) ?? [];
  const rest = text.slice(before.length);
  const [role] = ROLE_PART.exec(rest) ?? [];
  if (role === undefined) return caller;
  if (role !== rest) return null;
  const isDocument = !role.startsWith('@role') && role.includes('/');
  if (caller.rights !== 'admin' && !(caller.rights === 'server' && isDocument && path === '')) return null;
  return andThen(descend(caller, path === '' ? [] : path.split('/'), reader, auth), (catalog) => {
    if (catalog === null) return null;
    const base = { ...caller, scope: catalog.scope, path: catalog.path, narrowed: true } as const;
    if (isBuiltInRole(role)) return { ...base, rights: role };
    if (!isDocument) {
      const ref = catalog.resolve('role', role.slice('@role/'.length));
      return ref === null ? null : { ...base, rights: [ref] };
    }
    const [, name = '', id = ''] = DOCUMENT.exec(role) ?? [];
    const collection = catalog.resolve('collection', name);
    if (collection === null) return null;
    const identity = new Ref(Number(collection.id), BigInt(id), catalog.scope);
    return andThen(presentFields(identity, reader), (fields) => (fields === null ? null : { ...base, rights: [], identity }));
  });
}

function descend<From extends Reader>(caller: Caller, names: readonly string[], reader: From, auth: Authenticator<From>): MaybePromise<Catalog | null> {
  return andThen(auth.catalog(reader, caller.scope, caller.path), (start) =>
    fold<string, Catalog | null>(names, start, (catalog, name) => {
      const ref = catalog?.resolve('database', name) ?? null;
      const below = catalog === null || ref === null ? null : catalog.database(ref);
      return below === null || catalog === null ? null : auth.catalog(reader, below.scope, [...catalog.path, name]);
    }),
  );
}

import type { MaybePromise } from '../base/maybe.ts';
import type { Catalog } from '../schema/catalog.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import type { Reader } from './home.ts';
import type { Presented } from './secret.ts';

/** What authentication needs to know of the engine. */
export interface Authenticator<From extends Reader = Txn> {
  /** Whether it is the root secret. */
  isRoot(secret: Presented): MaybePromise<boolean>;
  catalog(reader: From, scope: Scope, path: readonly string[]): MaybePromise<Catalog>;
}

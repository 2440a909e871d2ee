// Opens sessions: who a secret is, and what of which databases a piece of work of theirs sees.
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import { databasePath } from '../auth/home.ts';
import type { RootSecret } from '../auth/root-secret.ts';
import type { Presented } from '../auth/secret.ts';
import { unauthorized } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import { credentialsOf } from '../doc/belongings.ts';
import { Budget } from '../form/budget.ts';
import { Context, NeedsDatabase } from '../fql/context.ts';
import { namesIn } from '../fql/names.ts';
import { Catalog } from '../schema/catalog.ts';
import type { Catalogs } from '../schema/catalogs.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import type { RefNames } from '../wire/ref-names.ts';
import { NEWEST } from '../wire/version.ts';
import type { Terms } from './terms.ts';

/** Few secrets are one. */
const webTokens = part(() => import('../form/web-token-caller.ts'));

/** What a piece of work sees. */
export interface Session {
  readonly ctx: Context;
  /** The catalog that is kept between requests; `ctx.catalog` is a fork of it. */
  readonly catalog: Catalog;
}

/** A piece of work, in however many runs. */
export interface Effort {
  /** By when it has to be done. */
  readonly deadline: Ts;
  /** Databases whose names its runs turned out to need. */
  readonly needed: Set<Scope>;
}

export class Sessions {
  private readonly auth: Authenticator;

  constructor(
    private readonly platform: Platform,
    private readonly catalogs: Catalogs,
    rootSecret: RootSecret,
  ) {
    this.auth = {
      isRoot: (secret) => rootSecret.is(secret),
      catalog: (txn, scope, path) => catalogs.get(txn, scope, path),
    };
  }

  /** @throws HttpError `unauthorized` */
  open(txn: Txn, terms: Terms, effort: Effort): MaybePromise<Session> {
    return andThen(this.caller(terms.secret, txn, effort), (caller) => {
      if (caller === null) throw unauthorized();
      return andThen(this.begin(txn, caller, terms, effort), (opened) =>
        andThen(withCredentials(opened), (session) => {
          txn.cost.restart();
          return session;
        }),
      );
    });
  }

  /** A context with all rights in a database, for work that no client asked for. */
  administration(txn: Txn, scope: Scope, effort: Effort = { deadline: Infinity, needed: new Set() }): MaybePromise<Context> {
    return andThen(databasePath(scope, txn), (path) => {
      const caller: Caller = { scope, path: path ?? [], rights: 'admin', identity: null, credential: null };
      return andThen(this.begin(txn, caller, { wire: NEWEST, limit: ANYTHING }, effort), ({ ctx }) => ctx);
    });
  }

  /** Does something that may need the names of other databases: their catalogs are read as they are asked for. */
  withNames<R>(session: Session, act: (session: Session) => R): MaybePromise<R> {
    try {
      return act(session);
    } catch (error) {
      if (!(error instanceof NeedsDatabase)) throw error;
      const { ctx } = session;
      return andThen(this.databases(ctx.txn, [error.scope]), (found) =>
        this.withNames({ ...session, ctx: ctx.with({ others: new Map([...ctx.others, ...found]) }) }, act),
      );
    }
  }

  /** Who a secret is; `null` when it opens nothing. */
  private caller(secret: Presented, txn: Txn, effort: Effort): MaybePromise<Caller | null> {
    if (!secret.isWebToken) return authenticate(secret, txn, this.auth);
    return andThen(webTokens(), ({ readWebToken, webTokenCaller }) => {
      const { platform } = this;
      const token = readWebToken(secret.plain, platform.utf8);
      const inDatabase = (scope: Scope) => this.administration(txn, scope, effort);
      // A root secret may look like one.
      return token === null ? authenticate(secret, txn, this.auth) : webTokenCaller(token, txn, { platform, inDatabase });
    });
  }

  /** The session of somebody who is known. */
  private begin(txn: Txn, caller: Caller, { wire, limit }: Pick<Terms, 'wire' | 'limit'>, { deadline, needed }: Effort): MaybePromise<Session> {
    const { platform } = this;
    return andThen(this.catalogs.get(txn, caller.scope, caller.path), (catalog) =>
      andThen(this.databases(txn, [...needed]), (others) => {
        const budget = new Budget(platform, deadline);
        const own = catalog.fork();
        const ctx = new Context({ txn, catalog: own, others, caller, wire, platform, validTime: null, now: txn.now, limit, unveiled: false, depth: 0, budget });
        return { ctx, catalog };
      }),
    );
  }

  /** Catalogs by their scopes. */
  private databases(txn: Txn, scopes: readonly Scope[]): MaybePromise<ReadonlyMap<Scope, Catalog>> {
    const load = (scope: Scope): MaybePromise<readonly [Scope, Catalog]> =>
      andThen(databasePath(scope, txn), (path) =>
        // A database that is gone holds nothing and lies nowhere.
        andThen(path === null ? new Catalog(scope, []) : this.catalogs.get(txn, scope, path), (catalog) => [scope, catalog.fork()] as const),
      );
    return scopes.length === 0 ? NO_DATABASES : andThen(mapEach(scopes, load), (entries) => new Map(entries));
  }
}

/** Adds the credentials of the caller's identity, which `credentials/self` means. */
function withCredentials(session: Session): MaybePromise<Session> {
  const { ctx } = session;
  const { identity } = ctx.caller;
  if (identity === null) return session;
  return andThen(credentialsOf(identity, ctx), (found) =>
    found === null ? session : { ...session, ctx: ctx.with({ caller: { ...ctx.caller, credentials: found.ref } }) },
  );
}

const ANYTHING: Context['limit'] = { effect: 'write', reason: '' };
const NO_DATABASES: ReadonlyMap<Scope, Catalog> = new Map();

/** Names as a session's answers show them. @throws NeedsDatabase when a catalog is not read yet */
export const namesOf = ({ ctx, catalog }: Session): RefNames => namesIn(ctx, catalog);

// What all requests share: the log, the catalogs that were read, and who a secret is.
import { fromBase64, type Key, toBase64 } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise, rescue } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { Deadlines } from './deadlines.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { databasePath } from '../auth/home.ts';
import { type Caller, isWithin } from '../auth/caller.ts';
import type { Presented } from '../auth/secret.ts';
import { unauthorized } from '../errors/codes.ts';
import { part } from '../errors/part.ts';
import { credentialsOf } from '../doc/belongings.ts';
import { Budget } from '../form/budget.ts';
import { Context, NeedsDatabase } from '../fql/context.ts';
import { BlockCache } from '../kv/block-cache.ts';
import type { CommitHint } from '../kv/commit-hint.ts';
import type { Header, LogStore } from '../kv/log-store.ts';
import type { Solitude } from '../kv/solitude.ts';
import { Catalog } from '../schema/catalog.ts';
import { Catalogs } from '../schema/catalogs.ts';
import { Applied } from '../txn/applied.ts';
import { Feed } from '../txn/feed.ts';
import { CommitLog } from '../txn/log.ts';
import { Turns } from '../txn/turns.ts';
import type { Txn } from '../txn/txn.ts';
import { Upkeep, type Work } from '../txn/upkeep.ts';
import { ROOT_SCOPE, type Scope } from '../value/ref.ts';
import type { RefNames } from '../wire/ref-names.ts';
import { NEWEST, type Wire } from '../wire/version.ts';

/** The secret of a database that was given none. */
const BUILT_IN_SECRET = 'secret';
const webTokens = part(() => import('../form/web-token-caller.ts'));
const CHECKED_SECRETS = 100;

/** What a request says besides its work: who sends it, and under which conditions it runs. */
export interface Terms {
  readonly id: string;
  /** The public hash of the id; only those who may write need it. */
  hash(): Key;
  /** Sent before under the same id. */
  readonly resent: boolean;
  /** When it was sent first, by the sender's clock in microseconds. */
  readonly sentAt: Ts | undefined;
  readonly secret: Presented;
  readonly wire: Wire;
  readonly timeoutMs: number;
  /** Reruns allowed when other engines' commits get in the way. */
  readonly retries: number;
  readonly limit: Context['limit'];
}

/** What a piece of work sees. */
export interface Session {
  readonly ctx: Context;
  /** The catalog that is kept between requests; `ctx.catalog` is a fork of it. */
  readonly catalog: Catalog;
}

export interface CoreOptions {
  /** Memory for blocks that were read, bytes. */
  readonly cacheBytes: number;
  /** Characters of log rows at which they go into blocks. */
  readonly flushAt: number;
  /** Runs work that only one engine on the log should do at a time, or leaves it to another. */
  exclusively(work: () => Promise<void>): Promise<void>;
  loadUpkeep(core: Core, flushAt: number): Promise<Work>;
  readonly solitude: Solitude | undefined;
  readonly hint?: CommitHint | undefined;
}

export class Core implements Authenticator {
  readonly log: CommitLog;
  readonly upkeep: Upkeep;
  readonly applied: Applied;
  readonly cache: BlockCache;
  readonly turns = new Turns();
  private readonly catalogs: Catalogs;
  readonly deadlines: Deadlines;
  /** Word of all that is acknowledged, for streams. */
  readonly feed: Feed;
  /** By their hashes: no secret is kept in memory. */
  private readonly checkedSecrets = new Map<string, boolean>();

  constructor(
    readonly store: LogStore,
    readonly platform: Platform,
    { cacheBytes, flushAt, exclusively, loadUpkeep, solitude, hint }: CoreOptions,
  ) {
    const cache = new BlockCache(store, platform.utf8, cacheBytes);
    const applied = new Applied(cache, platform.utf8);
    this.cache = cache;
    this.applied = applied;
    this.catalogs = new Catalogs(() => applied.lastCommit);
    this.deadlines = new Deadlines(platform);
    this.log = new CommitLog(store, platform, applied, solitude);
    this.upkeep = new Upkeep(platform, applied, { flushAt, exclusively, load: () => loadUpkeep(this, flushAt) });
    this.log.onCommit = (commit) => {
      this.catalogs.forget(commit);
      this.upkeep.wake();
      this.feed.tell({ kind: 'commit', commit });
    };
    this.log.onRestart = (missed) => {
      this.catalogs.clear();
      this.feed.tell(missed ?? { kind: 'end' });
    };
    this.feed = new Feed(platform, async () => this.log.refresh());
    if (hint === undefined) return;
    hint.onHint = () => this.feed.wake();
    this.log.onAppend = () => hint.tell();
  }

  /** What answers say of when they were made: the last commit, which nothing later changes. A database without any is no older than now. */
  get txnTime(): Ts {
    return this.log.lastCommit || this.platform.now();
  }

  /** Takes over the state that a header tells of. */
  async start(header: Header): Promise<void> {
    await this.log.start(header);
    this.upkeep.wake();
    // Nearly every request needs the root's catalog. If reading it fails, the request that needs it learns why.
    const reader = this.log.beginRead('');
    void rescue<unknown>(() => this.catalog(reader, ROOT_SCOPE, []), () => null);
  }

  /** A context with all rights in a database, for work that no client asked for. */
  administration(txn: Txn, scope: Scope, needed: ReadonlySet<Scope> = new Set(), deadline = Infinity): MaybePromise<Context> {
    return andThen(databasePath(scope, txn), (known) => {
      const path = known ?? [];
      return andThen(this.catalog(txn, scope, path), (catalog) =>
        andThen(this.databases(txn, [...needed]), (others) => {
          const caller: Caller = { scope, path, rights: 'admin', identity: null, credential: null };
          return this.session(txn, caller, catalog, others, { wire: NEWEST, limit: ANYTHING }, deadline).ctx;
        }),
      );
    });
  }

  catalog(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
    return this.catalogs.get(txn, scope, path);
  }

  isRoot({ plain, hash }: Presented): MaybePromise<boolean> {
    const { rootSecret } = this.log.settings;
    if (rootSecret === undefined) return plain === BUILT_IN_SECRET;
    const { platform, checkedSecrets } = this;
    return andThen(hash(), (digest) => {
      const key = `${rootSecret}/${digest}`;
      const known = checkedSecrets.get(key);
      if (known !== undefined) return known;
      const [iterations = '', salt = '', expected = ''] = rootSecret.split(':');
      return andThen(platform.pbkdf2(platform.utf8.encode(plain), fromBase64(salt) ?? new Uint8Array(), Number(iterations)), (actual) => {
        const isRight = toBase64(actual) === expected;
        if (checkedSecrets.size >= CHECKED_SECRETS) checkedSecrets.clear();
        checkedSecrets.set(key, isRight);
        return isRight;
      });
    });
  }

  /** Who a secret is; `null` when it opens nothing. */
  private caller(secret: Presented, txn: Txn, needed: ReadonlySet<Scope>, deadline: Ts): MaybePromise<Caller | null> {
    if (!secret.isWebToken) return authenticate(secret, txn, this);
    return andThen(webTokens(), ({ readWebToken, webTokenCaller }) => {
      const { platform } = this;
      const token = readWebToken(secret.plain, platform.utf8);
      const inDatabase = (scope: Scope) => this.administration(txn, scope, needed, deadline);
      // A root secret may look like one.
      return token === null ? authenticate(secret, txn, this) : webTokenCaller(token, txn, { platform, inDatabase });
    });
  }

  /** @throws HttpError `unauthorized` */
  open(txn: Txn, terms: Terms, deadline: Ts, needed: ReadonlySet<Scope>): MaybePromise<Session> {
    return andThen(this.caller(terms.secret, txn, needed, deadline), (caller) => {
      if (caller === null) throw unauthorized();
      return andThen(this.catalog(txn, caller.scope, caller.path), (catalog) =>
        andThen(this.databases(txn, [...needed]), (others) =>
          andThen(withCredentials(this.session(txn, caller, catalog, others, terms, deadline)), (session) => {
            txn.cost.restart();
            return session;
          }),
        ),
      );
    });
  }

  /** Catalogs by their scopes. */
  private databases(txn: Txn, scopes: readonly Scope[]): MaybePromise<ReadonlyMap<Scope, Catalog>> {
    const load = (scope: Scope): MaybePromise<readonly [Scope, Catalog]> =>
      andThen(databasePath(scope, txn), (path) =>
        // A database that is gone holds nothing and lies nowhere.
        andThen(path === null ? new Catalog(scope, []) : this.catalog(txn, scope, path), (catalog) => [scope, catalog.fork()] as const),
      );
    return scopes.length === 0 ? NO_DATABASES : andThen(mapEach(scopes, load), (entries) => new Map(entries));
  }

  private session(txn: Txn, caller: Caller, catalog: Catalog, others: ReadonlyMap<Scope, Catalog>, terms: Pick<Terms, 'wire' | 'limit'>, deadline: Ts): Session {
    const ctx = new Context({
      txn,
      catalog: catalog.fork(),
      others,
      caller,
      wire: terms.wire,
      platform: this.platform,
      validTime: null,
      now: txn.now,
      limit: terms.limit,
      unveiled: false,
      depth: 0,
      budget: new Budget(this.platform, deadline),
    });
    return { ctx, catalog };
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
export function namesOf({ ctx, catalog: kept }: Session): RefNames {
  const { catalog } = ctx;
  return {
    scope: catalog.scope,
    // What this very query has deleted is still shown by its name.
    name: (ref) => (ctx.catalogOf(ref.scope).definition(ref) ?? kept.definition(ref))?.name ?? null,
    databasePath(scope) {
      const { path } = ctx.catalogOf(scope);
      return isWithin(path, catalog.path) && path.length > catalog.path.length ? path.slice(catalog.path.length) : null;
    },
  };
}

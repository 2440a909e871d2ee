// What all routes share: the log, the catalogs that were read, who a secret is, and running
// a piece of work as one transaction.
import { fromBase64, keyFromBytes, toBase64 } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { seededRandom } from '../base/random.ts';
import { authenticate, type Authenticator } from '../auth/authenticate.ts';
import { databasePath } from '../auth/home.ts';
import type { Caller } from '../auth/caller.ts';
import type { Presented } from '../auth/secret.ts';
import { contendedTransaction, unauthorized } from '../errors/codes.ts';
import { Budget } from '../form/budget.ts';
import { Context, NeedsDatabase } from '../fql/context.ts';
import type { Header, LogStore } from '../kv/log-store.ts';
import type { Solitude } from '../kv/solitude.ts';
import { Catalog } from '../schema/catalog.ts';
import { Catalogs } from '../schema/catalogs.ts';
import { CommitLog } from '../txn/log.ts';
import { HASH_BYTES } from '../txn/record.ts';
import type { Txn } from '../txn/txn.ts';
import type { Scope } from '../value/ref.ts';
import type { RefNames } from '../wire/ref-names.ts';
import type { Wire } from '../wire/version.ts';

/** The secret of a database that was given none. */
const BUILT_IN_SECRET = 'secret';

/** What a request asks besides its work. */
export interface Terms {
  readonly id: string;
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

export interface Work<T> {
  /** Says, before it runs, whether it may write; called again when it runs again. May throw. */
  prepare(session: Session): Prepared<T>;
}

export interface Prepared<T> {
  readonly writes: boolean;
  run(session: Session): MaybePromise<Result<T>>;
}

export interface Result<T> {
  readonly value: T;
  readonly commit: boolean;
}

/** Work prepared on the acknowledged state, and that state. */
interface Ready<T> {
  readonly session: Session;
  readonly prepared: Prepared<T>;
}

/** What became of a piece of work. */
export interface Done<T> {
  readonly value: T;
  readonly session: Session;
  /** Time of the commit; of a reader, the last commit it saw. */
  readonly ts: Ts;
  readonly retries: number;
}

export class Core implements Authenticator {
  readonly log: CommitLog;
  private readonly catalogs = new Catalogs();
  private rootSecret: string | null = null;
  /** By their hashes: no secret is kept in memory. */
  private readonly checkedSecrets = new Map<string, boolean>();

  constructor(
    store: LogStore,
    readonly platform: Platform,
    solitude?: Solitude,
  ) {
    this.log = new CommitLog(store, platform, solitude);
    this.log.onCommit = (commit) => this.catalogs.forget(commit);
    this.log.onRestart = () => this.catalogs.clear();
  }

  async start(): Promise<Header> {
    const header = await this.log.start();
    this.rootSecret = header.settings.rootSecret ?? null;
    return header;
  }

  catalog(txn: Txn, scope: Scope, path: readonly string[]): MaybePromise<Catalog> {
    return this.catalogs.get(txn, scope, path);
  }

  isRoot({ plain, hash }: Presented): MaybePromise<boolean> {
    const { rootSecret } = this;
    if (rootSecret === null) return plain === BUILT_IN_SECRET;
    return andThen(hash(), (name) => this.checkedSecrets.get(name) ?? this.checkRoot(plain, name, rootSecret));
  }

  private checkRoot(plain: string, name: string, rootSecret: string): MaybePromise<boolean> {
    const [iterations = '', salt = '', expected = ''] = rootSecret.split(':');
    const hash = this.platform.pbkdf2(this.platform.utf8.encode(plain), fromBase64(salt) ?? new Uint8Array(), Number(iterations));
    return andThen(hash, (actual) => {
      const right = toBase64(actual) === expected;
      if (this.checkedSecrets.size > 100) this.checkedSecrets.clear();
      this.checkedSecrets.set(name, right);
      return right;
    });
  }

  /**
   * Runs work as one transaction, again when it loses against another.
   * @throws FqlError, HttpError, StorageError
   */
  async transact<T>(terms: Terms, work: Work<T>): Promise<Done<T>> {
    const deadline = this.platform.now() + terms.timeoutMs * 1000;
    const hash = requestHash(terms.id);
    const needed = new Set<Scope>();
    await this.log.refresh();
    for (let retries = 0; ; retries++) {
      const done = await this.withDatabases(needed, () => this.attempt(terms, work, hash, deadline, retries, needed));
      if (done !== null) return done;
      if (retries >= terms.retries) throw contendedTransaction();
      await this.platform.later(retries * retries);
      await this.log.refresh();
    }
  }

  /** Runs again from the start as often as it needs the names of yet another database. */
  private async withDatabases<T>(needed: Set<Scope>, run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof NeedsDatabase) || needed.has(error.scope)) throw error;
        needed.add(error.scope);
      }
    }
  }

  /** One run; `null` when it lost. */
  private async attempt<T>(terms: Terms, work: Work<T>, hash: string, deadline: Ts, retries: number, needed: ReadonlySet<Scope>): Promise<Done<T> | null> {
    const applied = this.log.appliedRequest(hash);
    const reader = this.log.beginRead(terms.id, applied);
    const session = await this.open(reader, terms, deadline, needed);
    const prepared = work.prepare(session);
    if (!prepared.writes || applied !== undefined) {
      const { value } = await prepared.run(session);
      return { value, session, ts: applied?.ts ?? reader.snapshot, retries };
    }
    return this.write(terms, work, hash, deadline, retries, needed, { session, prepared });
  }

  /**
   * One run of a writer. Where all it needs is in memory, nothing waits between its snapshot and its end: writers
   * that come together follow each other instead of overtaking each other.
   */
  private async write<T>(
    terms: Terms,
    work: Work<T>,
    hash: string,
    deadline: Ts,
    retries: number,
    needed: ReadonlySet<Scope>,
    ready: Ready<T>,
  ): Promise<Done<T> | null> {
    const writer = this.log.beginWrite(terms.id);
    const end = (session: Session, { value, commit }: Result<T>): MaybePromise<Done<T> | null> => {
      if (!commit) {
        this.log.abandon(writer);
        return { value, session, ts: writer.snapshot, retries };
      }
      const submitted = this.log.submit(writer, hash);
      return submitted.then((outcome) => (outcome.kind === 'committed' ? { value, session, ts: outcome.ts, retries } : null));
    };
    try {
      return await andThen(this.open(writer, terms, deadline, needed), (session) => {
        const current = needed.size === 0 && session.catalog === ready.session.catalog;
        const prepared = current ? ready.prepared : work.prepare(session);
        return andThen(prepared.run(session), (result) => end(session, result));
      });
    } catch (error) {
      this.log.abandon(writer);
      throw error;
    }
  }

  /** @throws HttpError `unauthorized` */
  private open(txn: Txn, terms: Terms, deadline: Ts, needed: ReadonlySet<Scope>): MaybePromise<Session> {
    return andThen(authenticate(terms.secret, txn, this), (caller) => {
      if (caller === null) throw unauthorized();
      return andThen(this.catalog(txn, caller.scope, caller.path), (catalog) =>
        andThen(this.databases(txn, [...needed]), (others) => this.session(txn, caller, catalog, others, terms, deadline)),
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

  private session(txn: Txn, caller: Caller, catalog: Catalog, others: ReadonlyMap<Scope, Catalog>, terms: Terms, deadline: Ts): Session {
    const ctx = new Context({
      txn,
      catalog: catalog.fork(),
      others,
      caller,
      wire: terms.wire,
      platform: this.platform,
      validTime: null,
      limit: terms.limit,
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

const NO_DATABASES: ReadonlyMap<Scope, Catalog> = new Map();

/** The public hash of a request id: tells it apart, tells nothing about it. */
const requestHash = (id: string): string => keyFromBytes(seededRandom(id, 1).bytes(HASH_BYTES));

/** Names as a session's answers show them. @throws NeedsDatabase when a catalog is not read yet */
export function namesOf({ ctx, catalog: kept }: Session): RefNames {
  const { catalog } = ctx;
  return {
    scope: catalog.scope,
    // What this very query has deleted is still shown by its name.
    name: (ref) => (ctx.catalogOf(ref.scope).definition(ref) ?? kept.definition(ref))?.name ?? null,
    databasePath(scope) {
      const { path } = ctx.catalogOf(scope);
      const below = catalog.path.every((name, index) => path[index] === name);
      return below && path.length > catalog.path.length ? path.slice(catalog.path.length) : null;
    },
  };
}

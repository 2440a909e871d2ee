// The engine's layers put together as the gateway needs them, over a log in memory: for
// tests of the gateway on the real thing, without HTTP.
import type { Caller } from '../engine/auth/caller.ts';
import { Budget } from '../engine/form/budget.ts';
import { Context, parseContext } from '../engine/fql/context.ts';
import { evaluate } from '../engine/fql/evaluate.ts';
import { parseQuery } from '../engine/fql/parse.ts';
import { engineDatabase } from '../engine/graphql/engine-database.ts';
import { jsonText } from '../engine/graphql/json-text.ts';
import { type GraphqlAnswer, runGraphql } from '../engine/graphql/run-graphql.ts';
import { type ImportAnswer, runImport } from '../engine/graphql/run-import.ts';
import type { Database } from '../engine/graphql/database.ts';
import { BlockCache } from '../engine/kv/block-cache.ts';
import type { LogStore } from '../engine/kv/log-store.ts';
import { memoryLogStore } from '../engine/kv/memory.ts';
import { Catalogs } from '../engine/schema/catalogs.ts';
import { Applied } from '../engine/txn/applied.ts';
import { CommitLog } from '../engine/txn/log.ts';
import { readJson } from '../engine/value/json.ts';
import { ROOT_SCOPE } from '../engine/value/ref.ts';
import type { Value } from '../engine/value/value.ts';
import { WIRE_VERSIONS } from '../engine/wire/version.ts';
import { testPlatform } from './platform.ts';

export const ADMIN: Caller = { scope: ROOT_SCOPE, path: [], rights: 'admin', identity: null, credential: null };

export class GatewayEngine {
  private requests = 0;
  private nextId: (() => bigint) | null = null;
  private readonly platform = testPlatform();
  private readonly log: CommitLog;
  private readonly catalogs = new Catalogs(() => this.log.lastCommit);

  private constructor(store: LogStore) {
    const applied = new Applied(new BlockCache(store, this.platform.utf8, 0), this.platform.utf8);
    this.log = new CommitLog(store, this.platform, applied);
    this.log.onCommit = (commit) => this.catalogs.forget(commit);
  }

  static async open(): Promise<GatewayEngine> {
    const store = memoryLogStore();
    await store.open();
    return new GatewayEngine(store);
  }

  /** What is created from now on has these ids, in place of the engine's own. */
  give(ids: Iterable<bigint>): void {
    const rest = ids[Symbol.iterator]();
    this.nextId = () => {
      const next = rest.next();
      if (next.done === true) throw new Error('more is created than there are ids');
      return next.value;
    };
  }

  /** What the gateway makes of a request, and when it was committed. */
  request(query: string, variables: Record<string, unknown> = {}, caller: Caller = ADMIN): Promise<{ answer: GraphqlAnswer; ts: number | null }> {
    return this.transact(caller, (db) => runGraphql({ query, variables }, db));
  }

  /** The body of the answer, as a client parses it. */
  async graphql(query: string, variables?: Record<string, unknown>, caller?: Caller): Promise<unknown> {
    const { answer, ts } = await this.request(query, variables, caller);
    return JSON.parse(jsonText(answer.body, ts));
  }

  async import(sdl: string, mode = 'merge', caller: Caller = ADMIN): Promise<ImportAnswer> {
    return (await this.transact(caller, (db) => runImport(sdl, mode, 'Bearer secret', db))).answer;
  }

  /** A query of the language, as JSON. */
  async query(json: string): Promise<Value> {
    const { answer } = await this.transact(ADMIN, async (_db, ctx) => {
      const expr = parseQuery(readJson(json), parseContext(ctx));
      return { commit: true, value: await evaluate(expr, null, ctx) };
    });
    return answer.value;
  }

  /** Gives a function its body. */
  define(name: string, params: string, body: string): Promise<Value> {
    return this.query(`{"update":{"function":"${name}"},"params":{"object":{"body":{"query":{"lambda":${params},"expr":${body}}}}}}`);
  }

  /** What the gateway's database tells, without a change to it. */
  async look<T>(ask: (db: Database) => T): Promise<T> {
    return (await this.transact(ADMIN, (db) => ({ commit: false, seen: ask(db) }))).answer.seen;
  }

  /** What else happens in a transaction of its own. */
  async transact<T extends { readonly commit: boolean }>(
    caller: Caller, run: (db: Database, ctx: Context) => T | Promise<T>,
  ): Promise<{ answer: T; ts: number | null }> {
    const id = String(++this.requests);
    const txn = this.log.beginWrite(id);
    if (this.nextId !== null) txn.nextId = this.nextId;
    const kept = await this.catalogs.get(txn, ROOT_SCOPE, []);
    const ctx = new Context({
      txn, caller, catalog: kept.fork(), others: new Map(), wire: WIRE_VERSIONS['4'], platform: this.platform, validTime: null, now: txn.now,
      limit: { effect: 'write', reason: '' }, unveiled: false, depth: 0, budget: new Budget(this.platform, Number.MAX_SAFE_INTEGER),
    });
    const answer = await run(engineDatabase(ctx, kept), ctx);
    if (!answer.commit) {
      this.log.abandon(txn);
      return { answer, ts: null };
    }
    const outcome = await this.log.submit(txn, id);
    if (outcome.kind === 'conflict') throw new Error('conflict');
    return { answer, ts: outcome.ts };
  }
}

/** An engine with this schema. @param ids of what is created afterwards, where a test must know them */
export async function engineWith(sdl: string, ids?: Iterable<bigint>): Promise<GatewayEngine> {
  const engine = await GatewayEngine.open();
  const { status, text } = await engine.import(sdl);
  if (status !== 200) throw new Error(text);
  if (ids !== undefined) engine.give(ids);
  return engine;
}

/** The same with the ids 1, 2, 3 and so on. */
export const countedEngine = (sdl: string): Promise<GatewayEngine> => engineWith(sdl, counting());

function* counting(): Generator<bigint> {
  for (let id = 1n; ; id++) yield id;
}

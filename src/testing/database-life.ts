// A database and the engines on it, whose clock stands still while a request runs: who asks the
// same of two of them at the same times gets the same ids and secrets.
import type { Ts } from '../engine/base/platform.ts';
import { memoryLogStore } from '../engine/kv/memory.ts';
import { type TestClient, testClient } from './client.ts';
import { Gen } from './gen.ts';
import { testPlatform } from './platform.ts';
import { chunked, exported } from './transfer.ts';

export const MINUTE: Ts = 60_000_000;
export const DAY: Ts = 1440 * MINUTE;
export const BEGIN: Ts = 1_577_836_800_000_000;

/** What is posted to a database. */
export interface Post {
  /** Its path; the root's is empty. */
  readonly database?: string;
  readonly path?: string;
  readonly body: string;
}

export class DatabaseLife {
  now = BEGIN;
  private posts = 0;
  /** Draws of the random source since the last post. */
  private draws = 0;
  private store = memoryLogStore();
  private readonly clients: TestClient[] = [];

  private constructor(private readonly flushAt: number) {}

  /** @param flushAt `Infinity`: nothing ever leaves the log */
  static async begin(flushAt: number, engines = 1): Promise<DatabaseLife> {
    const life = new DatabaseLife(flushAt);
    for (let engine = 0; engine < engines; engine++) await life.reopen(engine);
    return life;
  }

  /** @returns status and body */
  async ask({ database = '', path = '/', body }: Post, engine = 0): Promise<string> {
    this.posts++;
    this.draws = 0;
    const authorization = `Bearer ${database === '' ? 'secret' : `secret:${database}:admin`}`;
    const { status, text } = await this.client(engine).send('POST', path, body, { authorization, 'x-faunadb-api-version': '4' });
    return `${status} ${text}`;
  }

  upkeep(engine = 0): Promise<void> {
    return this.client(engine).engine.upkeep();
  }

  async reopen(engine: number): Promise<void> {
    await this.clients[engine]?.engine.close();
    const platform = { ...testPlatform(), now: () => this.now, random: (length: number) => this.random(length) };
    this.clients[engine] = await testClient(this.store, platform, { flushAt: this.flushAt, cacheBytes: 0 }, () => `post-${this.posts}`);
  }

  /** Goes on with another database, made of a file of this one. */
  async move(): Promise<void> {
    const file = await exported(this.client(0).engine);
    this.store = memoryLogStore();
    for (const engine of this.clients.keys()) await this.reopen(engine);
    await this.client(0).engine.importDatabase(chunked(file));
  }

  async end(): Promise<void> {
    for (const { engine } of this.clients) await engine.close();
  }

  private client(engine: number): TestClient {
    return this.clients[engine % this.clients.length] as TestClient;
  }

  private random(length: number): Uint8Array {
    const gen = new Gen(this.posts * 1000 + ++this.draws);
    return Uint8Array.from({ length }, () => gen.below(256));
  }
}

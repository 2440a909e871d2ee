// Lives of several engines on one log, from a seed: every call of the store takes effect when the
// seed lets it, and is answered when the seed lets it; engines fall asleep in the middle, lose the
// line, are killed and opened, and do upkeep whenever it is due, also two at a time. Clients add to
// pairs of counters and read them; who hears nothing sends the same request again, elsewhere.
// What they are told must be as if one had been asked after the other.
import { type Key, prefixSpan } from '../engine/base/bytes.ts';
import type { Platform, Ts } from '../engine/base/platform.ts';
import { BlockCache, BlockGone } from '../engine/kv/block-cache.ts';
import { documentPrefix, stamp } from '../engine/kv/keyspace.ts';
import { type LogStore, StorageError } from '../engine/kv/log-store.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { Applied } from '../engine/txn/applied.ts';
import { CommitLog } from '../engine/txn/log.ts';
import { HASH_BYTES } from '../engine/txn/record.ts';
import type { Txn } from '../engine/txn/txn.ts';
import { Upkeep } from '../engine/txn/upkeep.ts';
import { UpkeepWork } from '../engine/txn/upkeep-work.ts';
import { LIVE } from '../engine/txn/version.ts';
import { Ref } from '../engine/value/ref.ts';
import { faulty } from './faulty-store.ts';
import type { Gen } from './gen.ts';
import { testPlatform } from './platform.ts';

const COLLECTION = 1024;
const PAIRS = 3;
const FLUSH_AT = 300;
const LOST = new StorageError('lost', 'the line was cut', { uncertain: true });
const { utf8 } = testPlatform();

interface Engine {
  readonly id: number;
  readonly log: CommitLog;
  readonly applied: Applied;
  readonly upkeep: Upkeep;
}

/** What one client asks. */
interface Request {
  readonly id: string;
  /** The pair to add to; `null` to read them all. */
  readonly pair: number | null;
  /** What was acknowledged before it was sent. */
  readonly acknowledged: readonly number[];
  readonly after: Ts;
}

const counter = (pair: number, half: 0 | 1): Ref => new Ref(COLLECTION, BigInt(2 * pair + half), 0n);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class LogModel {
  private readonly shared: MemoryLog = memoryLog();
  private engines: Engine[] = [];
  private asleep = new Map<number, number>();
  /** Engines that have slept since their state was last taken over from a manifest. */
  private readonly haveSlept = new Set<number>();
  private held: { readonly engine: number; go(): void }[] = [];
  private opened = 0;
  private now: Ts = 1_000_000;
  private underWay = new Map<Request, number>();
  private readonly sent = Array.from({ length: PAIRS }, () => 0);
  private readonly acknowledged = Array.from({ length: PAIRS }, () => 0);
  private lastTs: Ts = 0;
  private failure: unknown = null;
  /** How often there was what such lives are for. */
  readonly met = {
    answered: 0,
    'sent again': 0,
    'found applied already': 0,
    conflicts: 0,
    'appends to a log that was trimmed meanwhile': 0,
    'sleepers that lost the log': 0,
  };

  constructor(
    private readonly gen: Gen,
    private readonly requests: number,
  ) {}

  /** @throws whatever is told that cannot be */
  async run(): Promise<void> {
    void this.open();
    let begun = 0;
    while (begun < this.requests || this.underWay.size > 0) {
      await turn();
      if (this.failure !== null) throw this.failure;
      if (begun < this.requests && this.engines.length > 0 && this.gen.below(6) === 0) void this.send(this.newRequest(begun++), false);
      this.event();
      this.release();
    }
    await this.check();
  }

  private event(): void {
    const what = this.gen.below(120);
    if (what < 2 && this.opened < 6) void this.open();
    if (what === 4) this.leaveVoid();
    const engine = this.engines[this.gen.below(Math.max(1, this.engines.length))];
    if (engine === undefined) return;
    if (what === 2) {
      this.asleep.set(engine.id, 5 + this.gen.below(100));
      this.haveSlept.add(engine.id);
    }
    if (what === 3 && this.engines.length > 1) this.kill(engine);
  }

  /** A backend may put void records wherever it likes. */
  private leaveVoid(): void {
    const { header, records } = this.shared;
    records.push({ number: header.floor + records.length + 1, body: new Uint8Array() });
  }

  /** Lets one call go on, of those whose engine is awake. */
  private release(): void {
    for (const [engine, steps] of this.asleep) {
      if (steps > 0) this.asleep.set(engine, steps - 1);
      else this.asleep.delete(engine);
    }
    const ready = this.held.filter(({ engine }) => !this.asleep.has(engine));
    if (ready.length === 0) return;
    const next = this.gen.pick(ready);
    this.held.splice(this.held.indexOf(next), 1);
    next.go();
  }

  private hold(engine: number): Promise<void> {
    return new Promise((go) => this.held.push({ engine, go }));
  }

  /** Nothing of it goes on; its clients ask another. */
  private kill({ id }: Engine): void {
    this.engines = this.engines.filter((engine) => engine.id !== id);
    this.held = this.held.filter(({ engine }) => engine !== id);
    for (const [request, engine] of this.underWay) if (engine === id) void this.send(request, true);
  }

  private platform(engine: number): Platform {
    const skew = this.gen.below(2_000) - 1_000;
    return { ...testPlatform(), now: () => (this.now += 10) + skew, later: () => this.hold(engine) };
  }

  /** A store whose calls wait before and after they take effect, and lose the line now and then. */
  private store(engine: number): LogStore {
    const store = memoryLogStore(this.shared);
    const append = store.append.bind(store);
    const counted: LogStore['append'] = async (after, plan) => {
      const appended = await append(after, plan);
      if (appended.kind === 'trimmed') this.met['appends to a log that was trimmed meanwhile']++;
      return appended;
    };
    return faulty(Object.assign(store, { append: counted }), (method) => {
      const error = method !== 'open' && this.gen.below(60) === 0 ? { error: LOST } : {};
      return { when: this.gen.bool() ? 'before' : 'after', until: this.hold(engine), ...error };
    });
  }

  private async open(): Promise<void> {
    const id = ++this.opened;
    const store = this.store(id);
    const platform = this.platform(id);
    const cache = new BlockCache(store, utf8, this.gen.bool() ? 0 : 1e6);
    const applied = new Applied(cache, utf8);
    const log = new CommitLog(store, platform, applied);
    const keeping = async (spared: Ts): Promise<{ spared: Ts; earliest: () => Ts }> => ({ spared, earliest: () => -Infinity });
    const builder = {
      refresh: async () => (await log.look(), log.reload()),
      slice: () => Promise.reject(new Error('nothing is built')),
      finish: () => Promise.reject(new Error('nothing is built')),
    };
    // Some are busy all their lives.
    const requests = { begun: 0, underWay: this.gen.below(4) === 0 ? 1 : 0 };
    const upkeep: Upkeep = new Upkeep(platform, applied, {
      flushAt: FLUSH_AT,
      exclusively: (work) => (this.gen.bool() ? work() : Promise.resolve()),
      load: async () => new UpkeepWork({ store, platform, applied, flushAt: FLUSH_AT, upkeep, requests, quiet: () => log.quiet(), keeping, builder }),
    });
    log.onCommit = () => upkeep.wake();
    for (;;) {
      try {
        await log.start(await store.open());
        log.onRestart = () => this.haveSlept.delete(id) && this.met['sleepers that lost the log']++;
        this.engines.push({ id, log, applied, upkeep });
        return;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    }
  }

  private newRequest(number: number): Request {
    const pair = this.gen.below(3) === 0 ? null : this.gen.below(PAIRS);
    if (pair !== null) this.sent[pair] = (this.sent[pair] ?? 0) + 1;
    return { id: `request ${number}`, pair, acknowledged: [...this.acknowledged], after: this.lastTs };
  }

  private async send(request: Request, resent: boolean): Promise<void> {
    const engine = this.gen.pick(this.engines);
    if (resent) this.met['sent again']++;
    this.underWay.set(request, engine.id);
    try {
      const answer = await (request.pair === null ? this.read(request, engine) : this.add(request, request.pair, engine, resent));
      // Sent again elsewhere meanwhile, nobody hears this one.
      if (this.underWay.get(request) !== engine.id) return;
      this.underWay.delete(request);
      this.hear(request, answer);
    } catch (error) {
      if (error instanceof StorageError) return this.underWay.get(request) === engine.id ? this.send(request, true) : undefined;
      this.failure = error;
    }
  }

  private hear({ pair, after, id }: Request, ts: Ts): void {
    this.met.answered++;
    if (pair === null) return;
    if (ts <= after) throw new Error(`${id} was committed at ${ts}, though others were told of ${after} before it was sent`);
    this.lastTs = Math.max(this.lastTs, ts);
    this.acknowledged[pair] = (this.acknowledged[pair] ?? 0) + 1;
  }

  /** @returns the time of the commit */
  private async add({ id, acknowledged }: Request, pair: number, { log, applied: state }: Engine, resent: boolean): Promise<Ts> {
    const hash: Key = id.padEnd(HASH_BYTES).slice(-HASH_BYTES);
    for (let attempt = 0; ; attempt++) {
      await log.refresh();
      try {
        const applied = resent || attempt > 0 ? await state.olderRequest(hash) : undefined;
        if (applied !== undefined) {
          this.met['found applied already']++;
          return applied.ts;
        }
        const txn = log.beginWrite(id);
        const found: number[] = [];
        try {
          for (const half of [0, 1] as const) {
            const count = await countOf(txn, counter(pair, half));
            found.push(count);
            stage(txn, counter(pair, half), count + 1);
          }
        } catch (error) {
          log.abandon(txn);
          throw error;
        }
        const outcome = await log.submit(txn, hash);
        if (outcome.kind !== 'committed') {
          this.met.conflicts++;
          continue;
        }
        // Until it is committed, a writer may have seen what is taken back.
        const [one = 0, other] = found;
        if (one !== other || one < (acknowledged[pair] ?? 0)) throw new Error(`${id} found ${found} after ${acknowledged[pair]} were acknowledged`);
        return outcome.ts;
      } catch (error) {
        if (!(error instanceof BlockGone)) throw error;
        await log.reload();
      }
    }
  }

  private async read({ id, acknowledged }: Request, { log }: Engine): Promise<Ts> {
    for (;;) {
      await log.refresh();
      try {
        const txn = log.beginRead(id);
        const counts = await countsIn(txn, this.gen.bool());
        counts.forEach(([one = 0, other], pair) => {
          const [least, most] = [acknowledged[pair] ?? 0, this.sent[pair] ?? 0];
          if (one !== other || one < least || one > most) throw new Error(`${id} read ${one} and ${other}, of ${least} acknowledged before and ${most} sent`);
        });
        return txn.snapshot;
      } catch (error) {
        if (!(error instanceof BlockGone)) throw error;
        await log.reload();
      }
    }
  }

  /** A new engine finds every request applied once. */
  private async check(): Promise<void> {
    const store = memoryLogStore(this.shared);
    const applied = new Applied(new BlockCache(store, utf8, 0), utf8);
    const log = new CommitLog(store, testPlatform(), applied);
    await log.start(await store.open());
    for (const reverse of [false, true]) {
      const counts = await countsIn(log.beginRead('at the end'), reverse);
      const expected = this.sent.map((count) => [count, count]);
      if (JSON.stringify(counts) !== JSON.stringify(expected)) throw new Error(`there are ${JSON.stringify(counts)} of ${JSON.stringify(expected)}`);
    }
  }
}

async function countOf(txn: Txn, ref: Ref): Promise<number> {
  return Number((await txn.version(ref, null))?.fields?.get('n') ?? 0n);
}

/** All counters, read in one go. */
async function countsIn(txn: Txn, reverse: boolean): Promise<number[][]> {
  const counts = Array.from({ length: PAIRS }, () => [0, 0]);
  const rows = txn.current(prefixSpan(documentPrefix(0n, COLLECTION, 0n).slice(0, -8)), reverse, null);
  for (let row = await rows.next(); row !== null; row = await rows.next()) {
    const at = Number(/\d+/.exec(row.text)?.[0]);
    const id = row.key.charCodeAt(row.key.length - 15);
    (counts[id >> 1] as number[])[id & 1] = at;
  }
  return counts;
}

function stage(txn: Txn, ref: Ref, count: number): void {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  txn.stage(ref.identity, [{ key: ({ ts }) => prefix + stamp(ts, ts), content: { text: () => `${LIVE}{"n":${count}}`, memo: undefined } }]);
}

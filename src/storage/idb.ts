// The log in IndexedDB: records in `log`, blocks in `blocks`, header and manifest in
// `meta`. Each call is one native transaction, and the browser's order of transactions is
// what all engines, tabs and workers agree by.
import { sameBytes } from '../engine/base/bytes.ts';
import type { BlockRange } from '../engine/kv/block-ids.ts';
import { type Appended, areSet, type Block, type Deletion, type Header, type Install, isFailure, type LogStore, type Plan, type Settings, type Tail } from '../engine/kv/log-store.ts';
import { Append } from './append.ts';
import { Connection, type Pass } from './connection.ts';
import { within } from './deadline.ts';
import type { Early } from './early.ts';
import { interrupted, isTaken, partMissing } from './failure.ts';
import { beginLog } from './fresh-log.ts';
import { fromParts, keysAfter, keysUpTo, lastRecord, numberAfter, VOID } from './parts.ts';
import { checkSettings, newBlock, newManifest, readBlock, readHeader, readManifest, type StoredHeader, type StoredManifest } from './stored.ts';
import type { Runner } from './transact.ts';

export interface IdbOptions {
  /** Milliseconds a call may take before it is refused with `timeout`; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Runs a change of log, header or manifest, as soon as all other engines know that this one makes changes. */
  readonly announced?: <T>(change: () => Promise<T>) => Promise<T>;
  /** Has a connection that was opened before; default: none. */
  readonly early?: Early;
}

export const idbLogStore = (name: string, options: IdbOptions = {}): LogStore => new IdbLogStore(name, options);

class IdbLogStore implements LogStore {
  readonly info = { backend: 'indexeddb', persistent: true } as const;
  private readonly connection: Connection;
  /** As last seen in the header. */
  private durability: Settings['durability'] = 'strict';
  /** The connection on which nobody else had added anything at our last append. */
  private uncontestedOn: number | null = null;
  private readonly timeoutMs: number;
  private readonly announced: NonNullable<IdbOptions['announced']>;
  onLost = (): void => {};

  constructor(name: string, { timeoutMs = 10_000, announced = (change) => change(), early }: IdbOptions) {
    this.timeoutMs = timeoutMs;
    this.announced = announced;
    this.connection = new Connection(name, () => this.onLost(), early);
  }

  open(settings: Partial<Settings> = {}): Promise<Header> {
    return this.connection.open(async (pass) => {
      const header = await this.header(pass);
      // Writing them would wait for the disk.
      if (areSet(settings, header.settings)) return header;
      await this.change(settings, pass);
      return this.header(pass);
    });
  }

  /** @param pass of whoever is opening the database */
  header(pass?: Pass): Promise<Header> {
    const work = (run: Runner): Promise<Header> =>
      run.read(['meta'], (transaction) => {
        const meta = transaction.objectStore('meta');
        const header = meta.get('header');
        const last = meta.get('manifest');
        return { last, result: () => this.opened(readHeader(header.result), readManifest(last.result)) };
      });
    return this.call(work, undefined, undefined, pass);
  }

  private change(settings: Partial<Settings>, pass: Pass): Promise<void> {
    const work = (run: Runner): Promise<void> =>
      run.write(['meta', 'log'], 'strict', (transaction, on) => {
        const meta = transaction.objectStore('meta');
        on(meta.get('header'), (value) => {
          const header = readHeader(value);
          meta.put({ ...header, settings: checkSettings({ ...header.settings, ...settings }) }, 'header');
          // A void record: whoever adds next does not get the number it has planned for, reads the header, and sees the change.
          transaction.objectStore('log').add(VOID);
        });
        return () => undefined;
      });
    return this.alter(work, undefined, pass);
  }

  private opened({ format, identity, floor, settings }: StoredHeader, { number, bytes }: StoredManifest): Header {
    this.durability = settings.durability;
    this.connection.identify(identity);
    return { format, identity, settings, floor, manifestNumber: number, manifest: bytes };
  }

  tail(after: number): Promise<Tail> {
    return this.call((run) =>
      run.read(['meta', 'log'], (transaction) => {
        const header = transaction.objectStore('meta').get('header');
        const last = transaction.objectStore('log').getAll(keysAfter(after));
        const result = (): Tail => {
          const { floor, settings } = readHeader(header.result);
          this.durability = settings.durability;
          return { floor, settings, records: after < floor ? [] : fromParts(last.result, after + 1) };
        };
        return { last, result };
      }),
    );
  }

  async append(after: number, plan: Plan): Promise<Appended> {
    const { connection, uncontestedOn } = this;
    this.uncontestedOn = null;
    let on = connection.number;
    const append = new Append(after, plan, () => uncontestedOn === on, this.durability);
    const result = await this.alter(
      (run) => {
        // That of the attempt: the next one may lead to another database.
        on = connection.number;
        return append.attempt(run);
      },
      (run) => append.settle(run),
    );
    this.durability = append.durability;
    if (result.kind === 'appended' && result.unseen.length === 0) this.uncontestedOn = on;
    return result;
  }

  readBlocks(ids: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.call((run) =>
      run.read(['blocks'], (transaction) => {
        const blocks = transaction.objectStore('blocks');
        const found = neighbours(ids).map((range) => ({ range, values: blocks.getAll(keysOf(range)) }));
        const result = (): (Uint8Array | undefined)[] => {
          const read = found.flatMap(({ range, values }) => values.result.map((value) => readBlock(value, range)));
          const bytes = new Map(read.map((block) => [block.id, block.bytes]));
          return ids.map((id) => bytes.get(id));
        };
        return { last: (found[found.length - 1] as (typeof found)[0]).values, result };
      }),
    );
  }

  async writeBlocks(blocks: readonly Block[]): Promise<boolean> {
    const stored = blocks.map(newBlock);
    let attempts = 0;
    try {
      await this.call((run) => {
        attempts++;
        return run.write(['blocks'], this.durability, (transaction) => {
          for (const block of stored) transaction.objectStore('blocks').add(block, block.id);
          return () => undefined;
        });
      });
      return true;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    // The same blocks may be another's, who may need them. But an earlier attempt of this call may have put ours there.
    if (attempts === 1) return false;
    const present = await this.readBlocks(blocks.map(({ id }) => id));
    return blocks.every(({ bytes }, at) => sameBytes(bytes, present[at]));
  }

  deleteBlocks({ from, to }: BlockRange, most: number): Promise<Deletion> {
    return this.call((run) =>
      // Should they come back after a power cut, they are deleted again.
      run.write(['blocks'], 'relaxed', (transaction, on) => {
        const blocks = transaction.objectStore('blocks');
        let deletion: Deletion;
        on(blocks.getAllKeys(IDBKeyRange.bound(from, to, false, true), most + 1) as IDBRequest<number[]>, (ids) => {
          for (const range of neighbours(ids.slice(0, most))) blocks.delete(keysOf(range));
          deletion = { deleted: Math.min(ids.length, most), next: ids[most] ?? null };
        });
        return () => deletion;
      }),
    );
  }

  install({ expected, manifest, floor, last = Infinity }: Install): Promise<boolean> {
    const next = newManifest(expected + 1, manifest);
    const attempt = (run: Runner): Promise<boolean> =>
      run.write(['meta', 'log'], this.durability, (transaction, on) => {
        const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
        const found = meta.get('header');
        const newest = log.openKeyCursor(null, 'prev');
        let isInstalled = false;
        on(meta.get('manifest'), (value) => {
          if (readManifest(value).number !== expected || lastRecord(newest.result) > last) return;
          const header = readHeader(found.result);
          const newFloor = Math.max(header.floor, floor);
          meta.put({ ...header, floor: newFloor }, 'header');
          meta.put(next, 'manifest');
          if (newFloor > lastRecord(newest.result)) numberAfter(log, newFloor);
          log.delete(keysUpTo(newFloor));
          isInstalled = true;
        });
        return () => isInstalled;
      });

    return this.alter(attempt, (run) => wasPut(run, next));
  }

  async reset(): Promise<void> {
    const { clear, remake } = await import('./emptying.ts').catch(partMissing);
    let put: StoredManifest | undefined;
    const attempt = (run: Runner): Promise<unknown> => clear(run, (manifest) => (put = manifest));
    // Done again, it would delete what others have written since.
    const settle = async (run: Runner): Promise<unknown> => (put && (await wasPut(run, put))) || undefined;
    await this.announced(() =>
      this.call(attempt, settle).catch((error: unknown) => {
        if (!isFailure(error, 'quota')) throw error;
        return remake(this.connection);
      }),
    );
  }

  readonly reclaim = beginLog;

  close(): void {
    this.connection.close();
  }

  private async alter<T>(work: (run: Runner) => Promise<T>, settle?: (run: Runner) => Promise<T | undefined>, pass?: Pass): Promise<T> {
    // Meant for the database of now, not for one that comes in its place while it waits.
    const meant = this.connection.losses;
    this.connection.check(pass);
    return this.announced(() => this.call(work, settle, meant, pass));
  }

  private call<T>(work: (run: Runner) => Promise<T>, settle?: (run: Runner) => Promise<T | undefined>, meant?: number, pass?: Pass): Promise<T> {
    return within(this.timeoutMs, (expired) => this.connection.use(expired, work, settle, meant, pass));
  }
}

/** Whether an attempt has put this manifest; `undefined` if it is still to be put. @throws StorageError `lost` where others have come since, so that nobody can tell */
async function wasPut(run: Runner, { number, attempt }: StoredManifest): Promise<boolean | undefined> {
  const present = await run.read(['meta'], (transaction) => {
    const last = transaction.objectStore('meta').get('manifest');
    return { last, result: () => readManifest(last.result) };
  });
  if (present.number > number) throw interrupted(true);
  return present.number < number ? undefined : present.attempt === attempt;
}

/** The ids in order, in runs without a gap: each of them takes one request. */
function neighbours(ids: readonly number[]): number[][] {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const firsts = sorted.flatMap((id, at) => (at === 0 || sorted[at - 1] !== id - 1 ? [at] : []));
  return firsts.map((first, at) => sorted.slice(first, firsts[at + 1]));
}

const keysOf = (range: readonly number[]): IDBKeyRange => IDBKeyRange.bound(range[0], range.at(-1));

// The log in IndexedDB: its bodies in `log`, its blocks in `blocks`, header and manifest in
// `meta`. Each call is one native transaction, and the browser's order of transactions is
// what all engines, tabs and workers agree by.
import type { Appended, Block, Header, Install, LogRecord, LogStore, Plan, Settings, Tail } from '../engine/kv/log-store.ts';
import { checkRecordSize } from '../engine/kv/log-store.ts';
import { Connection } from './connection.ts';
import { within } from './deadline.ts';
import { interrupted, isTaken } from './failure.ts';
import { fromParts, partKey, recordOfKey, type StoredPart, toParts } from './parts.ts';
import { newBlock, newManifest, randomMark, readBlock, readHeader, readManifest, type StoredHeader, type StoredManifest } from './stored.ts';
import type { Run } from './transact.ts';

export interface IdbOptions {
  /** Milliseconds a call may take before it is refused with `timeout`; 10,000 by default. */
  readonly timeoutMs?: number;
}

export function idbLogStore(name: string, options: IdbOptions = {}): LogStore {
  return new IdbLogStore(name, options.timeoutMs ?? 10_000);
}

/** A record on its way into the log. */
interface Written {
  readonly number: number;
  readonly parts: readonly StoredPart[];
  readonly unseen: readonly LogRecord[];
  readonly durability: Settings['durability'];
}

type Attempt = { readonly header: StoredHeader } & (
  | { readonly kind: 'written'; readonly written: Written }
  | { readonly kind: 'refused'; readonly unseen: readonly LogRecord[] }
  | { readonly kind: 'trimmed' }
);

class IdbLogStore implements LogStore {
  readonly info = { backend: 'indexeddb', persistent: true };
  private readonly connection: Connection;
  /** As last seen in the header; checked at each append against what it is by then. */
  private durability: Settings['durability'] = 'strict';

  constructor(
    name: string,
    private readonly timeoutMs: number,
  ) {
    this.connection = new Connection(name);
  }

  open(settings: Partial<Settings> = {}): Promise<Header> {
    this.connection.allow();
    const given = Object.entries(settings) as [keyof Settings, string][];
    const access = given.length === 0 ? 'read' : 'strict';
    return this.call((run) =>
      run(['meta'], access, (transaction, on) => {
        const meta = transaction.objectStore('meta');
        const found = meta.get('header');
        const manifest = meta.get('manifest');
        let header: StoredHeader;
        on(manifest, () => {
          const stored = readHeader(found.result);
          header = { ...stored, settings: { ...stored.settings, ...settings } };
          if (given.some(([key, value]) => stored.settings[key] !== value)) meta.put(header, 'header');
        });
        return () => this.opened(header, readManifest(manifest.result));
      }),
    );
  }

  private opened({ format, floor, settings }: StoredHeader, { number, bytes }: StoredManifest): Header {
    this.durability = settings.durability;
    return { format, settings, floor, manifestNumber: number, manifest: bytes };
  }

  tail(after: number): Promise<Tail> {
    return this.call((run) =>
      run(['meta', 'log'], 'read', (transaction) => {
        const header = transaction.objectStore('meta').get('header');
        const parts = transaction.objectStore('log').getAll(keysAfter(after));
        return () => {
          const { floor, settings } = readHeader(header.result);
          this.durability = settings.durability;
          return { floor, records: after < floor ? [] : fromParts(parts.result, after + 1) };
        };
      }),
    );
  }

  append(after: number, plan: Plan): Promise<Appended> {
    // What was last sent to the log, for the case that its end is not seen.
    let sent: Written | undefined;
    const send = (number: number, body: Uint8Array, unseen: readonly LogRecord[]): Written => {
      sent = { number, parts: toParts(number, body, randomMark()), unseen, durability: this.durability };
      return sent;
    };

    const attempt = async (run: Run): Promise<Appended> => {
      sent = undefined;
      const body = checkRecordSize(plan([]));
      if (body === null) return { kind: 'refused', unseen: [] };
      const next = await this.addNext(run, send(after + 1, body, []));
      sent = next === 'taken' ? undefined : sent;
      return this.conclude(run, next === 'taken' ? await this.addAfterTail(run, after, plan, send) : next);
    };

    const settle = async (run: Run): Promise<Appended | undefined> => {
      if (sent === undefined) return undefined;
      const found = await find(run, sent);
      return found && this.conclude(run, found);
    };

    return this.call(attempt, settle);
  }

  /** Adds under the next number without looking first, and commits without waiting. */
  private async addNext(run: Run, written: Written): Promise<Attempt | 'taken'> {
    try {
      return await run(['meta', 'log'], written.durability, (transaction) => {
        const found = transaction.objectStore('meta').get('header');
        addParts(transaction, written.parts);
        transaction.commit();
        return () => {
          const header = readHeader(found.result);
          // Under the floor the record is dead: no tail shows it, the next install deletes it.
          return written.number <= header.floor ? { kind: 'trimmed', header } : { kind: 'written', header, written };
        };
      });
    } catch (error) {
      if (isTaken(error)) return 'taken';
      throw error;
    }
  }

  /** Reads what came between, plans again and adds, in one transaction. */
  private addAfterTail(
    run: Run,
    after: number,
    plan: Plan,
    send: (number: number, body: Uint8Array, unseen: readonly LogRecord[]) => Written,
  ): Promise<Attempt> {
    return run(['meta', 'log'], this.durability, (transaction, on) => {
      const found = transaction.objectStore('meta').get('header');
      const tail = transaction.objectStore('log').getAll(keysAfter(after));
      let attempt: Attempt;
      on(tail, (values) => {
        const header = readHeader(found.result);
        attempt = { kind: 'trimmed', header };
        if (after < header.floor) return;
        const unseen = fromParts(values, after + 1);
        const body = checkRecordSize(plan(unseen));
        attempt = { kind: 'refused', header, unseen };
        if (body === null) return;
        const written = send(after + unseen.length + 1, body, unseen);
        attempt = { kind: 'written', header, written };
        addParts(transaction, written.parts);
        transaction.commit();
      });
      return () => attempt;
    });
  }

  private async conclude(run: Run, attempt: Attempt): Promise<Appended> {
    const { header } = attempt;
    this.durability = header.settings.durability;
    if (attempt.kind === 'trimmed') return { kind: 'trimmed', floor: header.floor };
    if (attempt.kind === 'refused') return { kind: 'refused', unseen: attempt.unseen };
    const { written } = attempt;
    // Another engine made the database strict since we last looked: the record is not yet on disk.
    if (written.durability !== 'strict' && header.settings.durability === 'strict') await rewrite(run, written);
    return { kind: 'appended', number: written.number, unseen: written.unseen };
  }

  readBlocks(ids: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    return this.call((run) =>
      run(['blocks'], 'read', (transaction) => {
        const blocks = transaction.objectStore('blocks');
        const found = ids.map((id) => blocks.get(id));
        return () => ids.map((id, at) => readBlock(id, found[at]?.result));
      }),
    );
  }

  writeBlocks(blocks: readonly Block[]): Promise<void> {
    return this.call((run) =>
      run(['blocks'], this.durability, (transaction) => {
        for (const block of blocks) transaction.objectStore('blocks').put(newBlock(block), block.id);
        transaction.commit();
        return () => undefined;
      }),
    );
  }

  install({ expected, manifest, dropBlocks, floor }: Install): Promise<boolean> {
    const next = newManifest(expected + 1, manifest);
    const attempt = (run: Run): Promise<boolean> =>
      run(['meta', 'log', 'blocks'], this.durability, (transaction, on) => {
        const meta = transaction.objectStore('meta');
        const found = meta.get('header');
        let isInstalled = false;
        on(meta.get('manifest'), (value) => {
          if (readManifest(value).number !== expected) return;
          const header = readHeader(found.result);
          const newFloor = Math.max(header.floor, floor);
          meta.put({ ...header, floor: newFloor }, 'header');
          meta.put(next, 'manifest');
          transaction.objectStore('log').delete(IDBKeyRange.upperBound(partKey(newFloor + 1), true));
          for (const id of dropBlocks) transaction.objectStore('blocks').delete(id);
          transaction.commit();
          isInstalled = true;
        });
        return () => isInstalled;
      });

    const settle = async (run: Run): Promise<boolean | undefined> => {
      const present = await run(['meta'], 'read', (transaction) => {
        const found = transaction.objectStore('meta').get('manifest');
        return () => readManifest(found.result);
      });
      if (present.number <= expected) return undefined;
      if (present.number === next.number) return present.attempt === next.attempt;
      throw interrupted(true);
    };

    return this.call(attempt, settle);
  }

  reset(): Promise<void> {
    return this.call((run) =>
      run(['meta', 'log', 'blocks'], 'strict', (transaction, on) => {
        const [meta, log] = [transaction.objectStore('meta'), transaction.objectStore('log')];
        const header = meta.get('header');
        const manifest = meta.get('manifest');
        on(log.openKeyCursor(null, 'prev'), (cursor) => {
          const stored = readHeader(header.result);
          const last = cursor === null ? 0 : recordOfKey(cursor.key as number);
          meta.put({ ...stored, floor: Math.max(stored.floor, last) + 1 }, 'header');
          meta.put(newManifest(readManifest(manifest.result).number + 1, null), 'manifest');
          log.clear();
          transaction.objectStore('blocks').clear();
          transaction.commit();
        });
        return () => undefined;
      }),
    );
  }

  close(): void {
    this.connection.close();
  }

  private call<T>(work: (run: Run) => Promise<T>, settle?: (run: Run) => Promise<T | undefined>): Promise<T> {
    return within(this.timeoutMs, (expired) => this.connection.use(expired, work, settle));
  }
}

function keysAfter(number: number): IDBKeyRange {
  return IDBKeyRange.lowerBound(partKey(number + 1));
}

function addParts(transaction: IDBTransaction, parts: readonly StoredPart[]): void {
  const log = transaction.objectStore('log');
  // The first one fails when another engine took the number, and with it the transaction.
  for (const part of parts) log.add(part, partKey(part.number, part.part));
}

/** What became of a record whose commit nobody saw; `undefined` if it never came to the log. */
async function find(run: Run, written: Written): Promise<Attempt | undefined> {
  const { number, parts } = written;
  const { header, isThere } = await run(['meta', 'log'], 'read', (transaction) => {
    const stored = transaction.objectStore('meta').get('header');
    const part = transaction.objectStore('log').get(partKey(number)) as IDBRequest<StoredPart | undefined>;
    return () => ({ header: readHeader(stored.result), isThere: part.result?.attempt === parts[0]?.attempt });
  });
  const isTrimmed = number <= header.floor;
  // Lifting the floor deletes what is under it: only a dead record can stand there.
  if (isThere) return isTrimmed ? { kind: 'trimmed', header } : { kind: 'written', header, written };
  // It was never there, or went into blocks: nobody can tell any more.
  if (isTrimmed) throw interrupted(true);
  return undefined;
}

/** Writes the record once more, this time to disk; unless it was trimmed, which went there too. */
function rewrite(run: Run, { number, parts }: Written): Promise<void> {
  return run(['meta', 'log'], 'strict', (transaction, on) => {
    on(transaction.objectStore('meta').get('header'), (value) => {
      if (number <= readHeader(value).floor) return;
      for (const part of parts) transaction.objectStore('log').put(part, partKey(number, part.part));
    });
    return () => undefined;
  });
}

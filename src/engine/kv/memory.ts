// The reference backend: the promises of the port in their plainest form, in memory.
// Several stores on one `MemoryLog` are several engines on one log. Every call takes effect
// in one go before anything else runs, which is all the serialising that is needed.
import type { BlockRange } from './block-ids.ts';
import {
  type Appended,
  type Block,
  checkRecordSize,
  type Deletion,
  evicted,
  FORMAT,
  type Header,
  type Install,
  type LogRecord,
  type LogStore,
  type Plan,
  type Settings,
  StorageError,
  type Tail,
} from './log-store.ts';

/** What the stores on one log share. */
export interface MemoryLog {
  header: Header;
  /** Those after the floor, ascending, without gaps. */
  records: LogRecord[];
  readonly blocks: Map<number, Uint8Array>;
}

let logs = 0;

export function memoryLog(identity = ++logs): MemoryLog {
  return {
    header: { format: FORMAT, identity, settings: { durability: 'strict' }, floor: 0, manifestNumber: 0, manifest: null },
    records: [],
    blocks: new Map(),
  };
}

const kept = new Map<string, MemoryLog>();

/** The log of this name, made when it is first asked for: it outlives its engine, which is closed while its page rests. @param identity of a new one */
export function keptLog(name: string, identity: number): MemoryLog {
  const log = kept.get(name) ?? memoryLog(identity);
  kept.set(name, log);
  return log;
}

export function memoryLogStore(shared: MemoryLog = memoryLog()): LogStore {
  return new MemoryLogStore(shared);
}

class MemoryLogStore implements LogStore {
  readonly info = { backend: 'memory', persistent: false } as const;
  onLost = (): void => {};
  private isOpen = false;

  constructor(private readonly log: MemoryLog) {}

  async open(settings?: Partial<Settings>): Promise<Header> {
    const { header } = this.log;
    this.log.header = { ...header, settings: { ...header.settings, ...settings } };
    this.isOpen = true;
    return this.log.header;
  }

  async header(): Promise<Header> {
    return this.opened().header;
  }

  async tail(after: number): Promise<Tail> {
    const { header, records } = this.opened();
    return { floor: header.floor, settings: header.settings, records: after < header.floor ? [] : records.slice(after - header.floor) };
  }

  async append(after: number, plan: Plan): Promise<Appended> {
    const log = this.opened();
    const { floor } = log.header;
    // First on an empty list, as on every backend, so that a plan cannot come to rely on less.
    const first = checkRecordSize(plan([]));
    if (first === null) return { kind: 'refused', unseen: [] };
    if (after < floor) return { kind: 'trimmed', floor };
    const unseen = log.records.slice(after - floor);
    if (after > floor + log.records.length) throw evicted();
    const body = unseen.length === 0 ? first : checkRecordSize(plan(unseen));
    if (body === null) return { kind: 'refused', unseen };
    const number = floor + log.records.length + 1;
    log.records.push({ number, body: body.slice() });
    return { kind: 'appended', number, unseen };
  }

  async readBlocks(ids: readonly number[]): Promise<(Uint8Array | undefined)[]> {
    const { blocks } = this.opened();
    return ids.map((id) => blocks.get(id));
  }

  async writeBlocks(written: readonly Block[]): Promise<boolean> {
    const { blocks } = this.opened();
    if (written.some(({ id }) => blocks.has(id))) return false;
    for (const { id, bytes } of written) blocks.set(id, bytes.slice());
    return true;
  }

  async deleteBlocks({ from, to }: BlockRange, most: number): Promise<Deletion> {
    const { blocks } = this.opened();
    const found = [...blocks.keys()].filter((id) => from <= id && id < to).sort((a, b) => a - b);
    for (const id of found.slice(0, most)) blocks.delete(id);
    return { deleted: Math.min(found.length, most), next: found[most] ?? null };
  }

  async install(change: Install): Promise<boolean> {
    const log = this.opened();
    const { header } = log;
    if (header.manifestNumber !== change.expected) return false;
    if (change.last !== undefined && header.floor + log.records.length > change.last) return false;
    const floor = Math.max(header.floor, change.floor);
    log.records = log.records.filter(({ number }) => number > floor);
    log.header = { ...header, floor, manifestNumber: header.manifestNumber + 1, manifest: change.manifest.slice() };
    return true;
  }

  async reset(): Promise<void> {
    const log = this.opened();
    const { header, records } = log;
    const floor = header.floor + records.length + 1;
    log.header = { ...header, floor, manifestNumber: header.manifestNumber + 1, manifest: null };
    log.records = [];
    log.blocks.clear();
  }

  close(): void {
    this.isOpen = false;
  }

  private opened(): MemoryLog {
    if (!this.isOpen) throw new StorageError('lost', 'the store is not open');
    return this.log;
  }
}

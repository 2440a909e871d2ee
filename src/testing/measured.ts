// What work takes besides time: memory, and blocks read.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryLogStore } from '../engine/kv/memory.ts';
import type { LogStore } from '../engine/kv/log-store.ts';
import { succeeded, type TestClient, testClient } from './client.ts';
import { faulty } from './faulty-store.ts';
import { testPlatform } from './platform.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The heap in use, MB. What a store in memory holds lies outside of it. */
export function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** A turn given to others so often is one look at the heap. */
const TURNS = 64;

export interface Measured extends TestClient {
  /** The most heap that was in use above what there was at the beginning, MB. */
  most(): number;
  /** The resource that a query answers, as text, and what reading it took. */
  cost(query: string): Promise<{ readonly answer: string; readonly blocks: number; readonly bytes: number }>;
  /** The resource that a query answers, as text. */
  ask(query: string): Promise<string>;
}

/** A client of an engine on a store of its own, that is looked at while it works. */
export async function measured(options: { readonly cacheBytes: number; readonly flushAt: number }): Promise<Measured> {
  const [began, platform, plain] = [heap(), testPlatform(), faulty(memoryLogStore(), () => undefined)];
  let [turns, most, blocks] = [0, 0, 0];
  const look = (): number => (most = Math.max(most, heap() - began));
  const later = (milliseconds: number): Promise<void> => {
    if (++turns % TURNS === 0) look();
    return platform.later(milliseconds);
  };
  const readBlocks: LogStore['readBlocks'] = (ids) => {
    blocks += ids.length;
    return plain.readBlocks(ids);
  };
  const client = await testClient({ ...plain, readBlocks }, { ...platform, later }, options);
  const cost: Measured['cost'] = async (query) => {
    const before = blocks;
    const { text, headers } = succeeded(await client.query(query), query);
    return { answer: text.slice('{"resource":'.length, -1), blocks: blocks - before, bytes: Number(headers['x-storage-bytes-read']) };
  };
  return { ...client, most: look, cost, ask: async (query) => (await cost(query)).answer };
}

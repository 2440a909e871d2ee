// A store that fails on demand: for testing what is built on the port.
import type { LogStore } from '../engine/kv/log-store.ts';

export type Method = Exclude<keyof LogStore, 'info' | 'close' | 'onLost'>;

export interface Fault {
  /** `before`: the call never reaches the store. `after`: it takes effect, but its end is not seen. */
  readonly when: 'before' | 'after';
  /** Thrown; without it the call is only held up. */
  readonly error?: Error;
  /** The call waits for this, before or after it takes effect. */
  readonly until?: Promise<unknown>;
}

/** @param nth counts the calls of this method, from 1 */
export type Schedule = (method: Method, nth: number) => Fault | undefined;

/** The fault at one call, and no other. */
export function faultAt(method: Method, nth: number, fault: Fault): Schedule {
  return (called, count) => (called === method && count === nth ? fault : undefined);
}

export function faulty(store: LogStore, schedule: Schedule): LogStore {
  const counts = new Map<Method, number>();

  const call = async <T>(method: Method, effect: () => Promise<T>): Promise<T> => {
    const nth = (counts.get(method) ?? 0) + 1;
    counts.set(method, nth);
    const fault = schedule(method, nth);
    const strike = async (): Promise<void> => {
      await fault?.until;
      if (fault?.error !== undefined) throw fault.error;
    };
    if (fault?.when === 'before') await strike();
    const result = await effect();
    if (fault?.when === 'after') await strike();
    return result;
  };

  return {
    info: store.info,
    open: (settings) => call('open', () => store.open(settings)),
    header: () => call('header', () => store.header()),
    tail: (after) => call('tail', () => store.tail(after)),
    append: (after, plan) => call('append', () => store.append(after, plan)),
    readBlocks: (ids) => call('readBlocks', () => store.readBlocks(ids)),
    writeBlocks: (blocks) => call('writeBlocks', () => store.writeBlocks(blocks)),
    deleteBlocks: (range, most) => call('deleteBlocks', () => store.deleteBlocks(range, most)),
    install: (change) => call('install', () => store.install(change)),
    reset: () => call('reset', () => store.reset()),
    reclaim: () => call('reclaim', async () => store.reclaim?.()),
    close: () => store.close(),
    get onLost() {
      return store.onLost;
    },
    set onLost(told) {
      store.onLost = told;
    },
  };
}

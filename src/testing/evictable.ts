// A store whose database can be removed underneath, as a browser does that is short of room.
import { evicted, type LogStore } from '../engine/kv/log-store.ts';
import { type MemoryLog, memoryLog, memoryLogStore } from '../engine/kv/memory.ts';

export interface Evictable {
  readonly store: LogStore;
  /** Removes the database; every call is refused until one opens, which makes another. */
  evict(): void;
  /** The one there is now. */
  log(): MemoryLog;
}

export function evictable(log: MemoryLog): Evictable {
  let present = log;
  let store = memoryLogStore(present);
  let isGone = false;
  let isTold = false;
  const call = async <T>(act: (store: LogStore) => Promise<T>): Promise<T> => {
    if (!isGone) return act(store);
    isTold = true;
    throw evicted();
  };
  return {
    log: () => present,
    evict() {
      isGone = true;
      isTold = false;
    },
    store: {
      info: store.info,
      onLost: () => {},
      async open(settings) {
        if (!isTold) return call((open) => open.open(settings));
        if (isGone) {
          present = memoryLog();
          store = memoryLogStore(present);
          isGone = false;
        }
        return store.open(settings);
      },
      header: () => call((open) => open.header()),
      tail: (after) => call((open) => open.tail(after)),
      append: (after, plan) => call((open) => open.append(after, plan)),
      readBlocks: (ids) => call((open) => open.readBlocks(ids)),
      writeBlocks: (blocks) => call((open) => open.writeBlocks(blocks)),
      deleteBlocks: (range, most) => call((open) => open.deleteBlocks(range, most)),
      install: (change) => call((open) => open.install(change)),
      reset: () => call((open) => open.reset()),
      close: () => store.close(),
    },
  };
}

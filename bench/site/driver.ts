// A database in a dedicated worker of its own, asked through comlink: where ours has its engine.
import { type Remote, wrap } from 'comlink';
import type { Candidate, Store } from './candidate.ts';

/** What such a worker exposes. */
export interface Driver extends Store {
  /** @param mode what the candidate's name says of it */
  open(mode: string): Promise<void>;
}

export function inWorker(name: string, start: () => Worker, mode = ''): Candidate {
  return {
    name,
    async open() {
      const worker = start();
      const driver = wrap<Driver>(worker);
      await driver.open(mode);
      return storeOf(driver, worker);
    },
  };
}

const storeOf = (driver: Remote<Driver>, worker: Worker): Store => ({
  make: () => driver.make(),
  create: (post) => driver.create(post),
  bulk: (posts) => driver.bulk(posts),
  get: (key) => driver.get(key),
  page: (author, from, size) => driver.page(author, from, size),
  update: (key, score) => driver.update(key, score),
  count: (below) => driver.count(below),
  async close() {
    await driver.close();
    worker.terminate();
  },
});

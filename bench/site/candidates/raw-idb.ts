// IndexedDB without a database on top, in a worker as ours is, asked through comlink.
import { wrap } from 'comlink';
import type { Candidate } from '../candidate.ts';
import type { RawApi } from './raw-idb.worker.ts';

const raw = (durability: 'relaxed' | 'strict'): Candidate => ({
  name: `IndexedDB, ${durability}`,
  durability,
  async open() {
    const worker = new Worker(new URL('./raw-idb.worker.ts', import.meta.url), { type: 'module' });
    const api = wrap<RawApi>(worker);
    await api.open(durability);
    return {
      create: (post) => api.create(post),
      bulk: (posts) => api.bulk(posts),
      get: (key) => api.get(key),
      page: (author, from, size) => api.page(author, from, size),
      update: (key, score) => api.update(key, score),
      count: (below) => api.count(below),
      async close() {
        await api.close();
        worker.terminate();
      },
    };
  },
});

export const rawRelaxed = raw('relaxed');
export const rawStrict = raw('strict');

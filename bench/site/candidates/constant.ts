import type { Candidate, Store } from '../candidate.ts';

/** What any intercepted `fetch` costs, whoever answers. */
export const constant: Candidate = {
  name: 'constant by fetch',
  durability: 'none',
  onlyGet: true,
  async open() {
    const { serviceWorker } = navigator;
    const controlled = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    await serviceWorker.register('constant-sw.js');
    if (serviceWorker.controller === null) await controlled;
    const none = (): never => {
      throw new Error('a constant only answers');
    };
    const get: Store['get'] = async () => {
      const response = await fetch('/', { method: 'POST', body: '{"get":{"@ref":{"id":"1","collection":{"@ref":{"id":"posts"}}}}}' });
      return (await response.json()) as never;
    };
    return { get, create: none, bulk: none, page: none, update: none, count: none, close: async () => undefined };
  },
};

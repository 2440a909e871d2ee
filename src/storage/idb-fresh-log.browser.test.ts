import { afterEach, expect, it, vi } from 'vitest';
import { freshLog } from './idb-fresh-log.ts';
import { freshLogLater } from './idb-fresh-log-later.ts';

const isChromium = 'dataLoss' in IDBVersionChangeEvent.prototype;
const scratch = async (): Promise<unknown[]> => (await indexedDB.databases()).filter(({ name }) => name?.includes('scratch'));

afterEach(() => void vi.restoreAllMocks());

it('makes and deletes a database once, however often it is asked for, and only where that is of use', async () => {
  const patience = { timeout: 10_000 };
  const opening = vi.spyOn(IDBFactory.prototype, 'open');
  const deleting = vi.spyOn(IDBFactory.prototype, 'deleteDatabase');
  // It holds its lock for as long as this thread lives.
  freshLogLater();
  if (isChromium) {
    await vi.waitUntil(() => deleting.mock.calls.length > 0, patience);
    await vi.waitUntil(async () => (await scratch()).length === 0, patience);
    await freshLog();
  } else {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const times = isChromium ? 1 : 0;
  expect([opening.mock.calls.length, deleting.mock.calls.length]).toEqual([times, times]);
});

// IndexedDB without a database on top.
import { inWorker } from '../driver.ts';

const raw = (durability: IDBTransactionDurability) =>
  inWorker(`IndexedDB, ${durability}`, () => new Worker(new URL('./raw-idb.worker.ts', import.meta.url), { type: 'module' }), durability);

export const rawRelaxed = raw('relaxed');
export const rawStrict = raw('strict');

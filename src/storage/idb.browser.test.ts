import { deleteDB } from 'idb';
import { logStoreLaws } from '../testing/laws/log-store.ts';
import { idbLogStore } from './idb.ts';

logStoreLaws('IndexedDB', async () => {
  const name = `laws ${crypto.randomUUID()}`;
  return { store: () => idbLogStore(name), dispose: () => deleteDB(name) };
});

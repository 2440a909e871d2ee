// What stands in the stores of a database, read past all engines.
import type { Page } from 'playwright/test';
import { baseOf } from '../../src/engine/kv/block-ids.ts';
import { basesOf, decodeManifest } from '../../src/engine/kv/manifest.ts';
import { testPlatform } from '../../src/testing/platform.ts';

export interface Stored {
  /** Number of the manifest: it grows with all that upkeep brings to its end. */
  readonly manifest: number;
  /** Bases of blocks that no segment has: of what upkeep has begun and not ended, or not cleared away yet. */
  readonly loose: readonly number[];
}

export async function stored(page: Page): Promise<Stored> {
  const { number, bytes, ids } = await page.evaluate(readStores);
  const manifest = decodeManifest({ manifest: bytes && Uint8Array.from(bytes), manifestNumber: number }, testPlatform().utf8);
  const named = new Set(basesOf({ ...manifest, begun: [], loading: null }));
  return { manifest: number, loose: [...new Set(ids.map(baseOf))].filter((base) => !named.has(base)) };
}

/** Runs in the page. */
async function readStores(): Promise<{ readonly number: number; readonly bytes: readonly number[] | null; readonly ids: readonly number[] }> {
  const ended = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await ended(indexedDB.open('vivarium'));
  const transaction = db.transaction(['meta', 'blocks']);
  const [manifest, ids] = await Promise.all([
    ended<{ readonly number: number; readonly bytes: Uint8Array | null } | undefined>(transaction.objectStore('meta').get('manifest')),
    ended(transaction.objectStore('blocks').getAllKeys()),
  ]);
  db.close();
  return { number: manifest?.number ?? 0, bytes: manifest?.bytes ? [...manifest.bytes] : null, ids: ids as number[] };
}

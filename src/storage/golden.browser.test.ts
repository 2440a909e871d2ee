// A database of every storage format there was, put into IndexedDB value by value: it opens, and answers as it did.
import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it } from 'vitest';
import { createEngine } from '../engine/index.ts';
import { webPlatform } from '../host/web-platform.ts';
import { fromJson, type Golden, STORES } from '../testing/golden/database.ts';
import { askAll } from '../testing/transfer.ts';
import { idbLogStore } from './idb.ts';

const goldens = Object.values(import.meta.glob<Golden>('../testing/golden/*.json', { eager: true, import: 'default' }));
const name = `golden ${crypto.randomUUID()}`;
afterEach(() => deleteDB(name));

describe.each(goldens)('a database of format $format', ({ format, now, questions, answers, stores }) => {
  it('answers as it did', async () => {
    const isNumbered = format > 2;
    const db = await openDB(name, isNumbered ? 2 : 1, {
      upgrade: (made) => STORES.forEach((store) => made.createObjectStore(store, { autoIncrement: isNumbered && store === 'log' })),
    });
    for (const store of STORES) for (const [key, value] of stores[store]) await db.put(store, fromJson(value), key);
    db.close();
    const store = idbLogStore(name);
    const engine = await createEngine({ store, platform: { ...webPlatform, now: () => now } });
    let requests = 0;
    const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<{ status: number; headers: Record<string, string>; text: string }> => {
      const bytes = body === undefined ? null : new TextEncoder().encode(body);
      const response = await engine.handle({ method, path, search: '', headers: { authorization: 'Bearer secret', ...headers }, body: bytes, id: `question ${++requests}` });
      return { status: response.status, headers: response.headers, text: new TextDecoder().decode(response.body as Uint8Array) };
    };
    const told = await askAll({ send, query: (json) => send('POST', '/', json) }, questions);
    await engine.close();
    expect(told).toEqual(answers);
  });
});

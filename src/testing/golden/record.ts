// Records the golden database of this build; runs in a browser (scripts/record-golden.mjs).
import { createEngine, type Engine, FORMAT } from '../../engine/index.ts';
import { webPlatform } from '../../host/web-platform.ts';
import { idbLogStore } from '../../storage/idb.ts';
import { askAll, type Client, makeWorld, questionsOf } from '../transfer.ts';
import { fileName, type Golden, STORES, toJson } from './database.ts';

const NAME = 'golden';

export async function record(): Promise<{ readonly fileName: string; readonly golden: Golden }> {
  let requests = 0;
  const open = async (flushAt?: number): Promise<{ readonly engine: Engine; readonly client: Client }> => {
    const store = idbLogStore(NAME);
    const engine = await createEngine({ store, platform: webPlatform, ...(flushAt === undefined ? {} : { flushAt }), report: (error) => console.error(error) });
    const send: Client['send'] = async (method, path, body, headers = {}) => {
      const response = await engine.handle({
        method, path, search: '', headers: { authorization: 'Bearer secret', ...headers },
        body: body === undefined ? null : new TextEncoder().encode(body), id: `golden ${++requests}`,
      });
      await engine.upkeep();
      return { status: response.status, headers: response.headers, text: await new Response(response.body as Uint8Array<ArrayBuffer>).text() };
    };
    return { engine, client: { send, query: (json) => send('POST', '/', json, { 'x-faunadb-api-version': '4' }) } };
  };
  // Most of it in blocks, of segments that were merged, and the last of it in the log.
  const { engine, client } = await open(12_000);
  const questions = questionsOf(await makeWorld(client, 20));
  // Over a lower floor: a record of several parts, and one that is void.
  const late = await open();
  await engine.close();
  for (const [id, notes] of [['1901', 'long'.repeat(20_000)], ['1902', 'short']]) {
    const { status, text } = await late.client.query(`{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"notes":"${notes}"}}}}}`);
    if (status !== 201) throw new Error(text);
  }
  const other = idbLogStore(NAME);
  await other.open({ durability: 'relaxed' });
  other.close();
  const now = webPlatform.now();
  const answers = await askAll(late.client, questions);
  await late.engine.close();
  return { fileName, golden: { format: FORMAT, now, questions, answers, stores: await dump() } };
}

/** What stands in the object stores. */
async function dump(): Promise<Golden['stores']> {
  const db = await asked(indexedDB.open(NAME));
  const entries = async (store: string): Promise<[string | number, unknown][]> => {
    const objects = db.transaction(store).objectStore(store);
    const [keys, values] = await Promise.all([asked(objects.getAllKeys()), asked(objects.getAll() as IDBRequest<unknown[]>)]);
    return keys.map((key, at) => [key as string | number, toJson(values[at])]);
  };
  const [meta, log, blocks] = await Promise.all(STORES.map(entries));
  db.close();
  return { meta: meta ?? [], log: log ?? [], blocks: blocks ?? [] };
}

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

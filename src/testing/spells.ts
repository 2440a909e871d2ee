// A collection of spells with an index, and streams of what happens to them.
import { succeeded, type TestClient, testClient } from './client.ts';
import { openStream, type StreamOptions, type TestStream } from './stream.ts';

export const ref = (id: number): string => `{"ref":{"collection":"spells"},"id":"${id}"}`;
const data = (fields: string): string => `{"object":{"data":{"object":{${fields}}}}}`;
export const create = (id: number, fields: string): string => `{"create":${ref(id)},"params":${data(fields)}}`;
export const update = (id: number, fields: string): string => `{"update":${ref(id)},"params":${data(fields)}}`;
export const insert = (id: number, ts: number, action: string, fields: string): string =>
  `{"insert":${ref(id)},"ts":${ts},"action":"${action}","params":${data(fields)}}`;
export const remove = (id: number, ts: number, action: string): string => `{"remove":${ref(id)},"ts":${ts},"action":"${action}"}`;
export const BY_LEVEL = '{"match":{"index":"by_level"},"terms":1}';

export const shownRef = (id: number): unknown => ({ '@ref': { id: String(id), collection: shownCollection } });
export const shownCollection = { '@ref': { id: 'spells', collection: { '@ref': { id: 'collections' } } } };

export interface Spells {
  readonly client: TestClient;
  /** Asks for something that has to succeed. Resolves to the time of the commit. */
  run(json: string): Promise<number>;
  open(json: string, options?: StreamOptions): Promise<TestStream>;
}

export async function spells(): Promise<Spells> {
  const client = await testClient();
  const run = async (json: string): Promise<number> => {
    const { headers } = succeeded(await client.query(json));
    return Number(headers['x-txn-time']);
  };
  await run('{"create_collection":{"object":{"name":"spells"}}}');
  await run(
    '{"create_index":{"object":{"name":"by_level","source":{"collection":"spells"},"terms":[{"object":{"field":["data","level"]}}],"values":[{"object":{"field":["data","name"]}}]}}}',
  );
  return { client, run, open: (json, options) => openStream(client, json, options) };
}

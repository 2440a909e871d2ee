// Files that somebody has made, with checksums that are right: what no export could have written is refused.
import { expect, it } from 'vitest';
import { documentPrefix, stamp } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { chunked, joined } from '../../testing/transfer.ts';
import { LIVE } from '../txn/version.ts';
import { writeFrames } from './frames.ts';

const row = (id: number, text = `${LIVE}{"data":{}}`): Row => ({ key: documentPrefix(0n, 1024, BigInt(id)) + stamp(5, 5), text });
const entry = (key: string): Row => ({ key, text: '' });

async function* oneByOne(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (const one of rows) yield [one];
}

it.each<[name: string, rows: readonly Row[], isGood?: boolean]>([
  ['documents', [row(1), row(2)], true],
  ['rows in the wrong order', [row(2), row(1)]],
  ['a row twice', [row(1), row(1)]],
  ['a document whose fields are none', [row(1, `${LIVE}{"data":`)]],
  ['a row of no table', [entry(`A${'x'.repeat(30)}`)]],
  ['a row without a time', [entry('Ix')]],
])('%s', async (_, rows, isGood = false) => {
  const platform = testPlatform();
  const file = await joined(writeFrames({ lastCommit: 5, builds: [] }, oneByOne(rows), platform));
  const client = await testClient();
  await client.query('{"create_collection":{"object":{"name":"spells"}}}');
  const ended = client.engine.importDatabase(chunked(file), { replace: true });
  if (isGood) await ended;
  else await expect(ended).rejects.toMatchObject({ code: 'damaged export', status: 400 });
  expect((await client.query('{"exists":{"collection":"spells"}}')).text).toBe(`{"resource":${!isGood}}`);
});

it('a time after which there is none left', async () => {
  const platform = testPlatform();
  const fileOf = (lastCommit: number) => joined(writeFrames({ lastCommit, builds: [] }, oneByOne([row(1)]), platform));
  const client = await testClient();
  const ended = client.engine.importDatabase(chunked(await fileOf(Number.MAX_SAFE_INTEGER)), { replace: true });
  await expect(ended).rejects.toMatchObject({ code: 'damaged export', status: 400 });
  // A clock may have been a century ahead.
  await client.engine.importDatabase(chunked(await fileOf(5e15)), { replace: true });
});

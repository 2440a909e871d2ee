// A database of every storage format there was, read record by record into memory: it answers as it did.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../engine/kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { testClient } from '../testing/client.ts';
import { fromJson, type Golden } from '../testing/golden/database.ts';
import { testPlatform } from '../testing/platform.ts';
import { askAll, chunked, exported } from '../testing/transfer.ts';
import { fromParts } from './parts.ts';
import { readBlock, readHeader, readManifest } from './stored.ts';

const folder = new URL('../testing/golden/', import.meta.url);
const goldens = readdirSync(fileURLToPath(folder))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden);

it('every format up to this one has its golden database', () => {
  expect(goldens.map(({ format }) => format).sort((a, b) => a - b)).toEqual(Array.from({ length: FORMAT }, (_, at) => at + 1));
});

describe.each(goldens)('a database of format $format', ({ now, questions, answers, stores }) => {
  const meta = new Map(stores.meta.map(([key, value]) => [key, fromJson(value)]));
  const { settings, floor, format } = readHeader(meta.get('header'));
  const { number, bytes } = readManifest(meta.get('manifest'));
  const open = (): ReturnType<typeof testClient> => {
    const log = memoryLog();
    log.header = { format, settings, floor, manifestNumber: number, manifest: bytes };
    log.records = fromParts(stores.log.map(([, value]) => fromJson(value)), floor + 1);
    for (const [key, value] of stores.blocks) {
      const block = readBlock(Number(key), fromJson(value));
      if (block !== undefined) log.blocks.set(Number(key), block);
    }
    const platform = testPlatform();
    platform.setNow(now);
    return testClient(memoryLogStore(log), platform, {});
  };

  it('lies in blocks and in the log', () => {
    expect(stores.blocks.length).toBeGreaterThan(1);
    expect(stores.log.length).toBeGreaterThan(0);
  });

  it('answers as it did', async () => {
    expect(await askAll(await open(), questions)).toEqual(answers);
  });

  it('takes writes, and goes into a file and out of it', async () => {
    const from = await open();
    expect((await from.query('{"create":{"ref":{"collection":"spells"},"id":"777"},"params":{"object":{"data":{"object":{"name":"renamed"}}}}}')).status).toBe(201);
    const into = await testClient(memoryLogStore(), from.platform, {});
    await into.engine.importDatabase(chunked(await exported(from.engine)));
    expect(await askAll(into, questions)).toEqual(await askAll(from, questions));
  });
});

// A database of every storage format there was, read record by record into memory: it answers as it did.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../engine/kv/log-store.ts';
import { decodeManifest } from '../engine/kv/manifest.ts';
import { memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { testClient } from '../testing/client.ts';
import { fromJson, type Golden } from '../testing/golden/database.ts';
import { testPlatform } from '../testing/platform.ts';
import { askAll, chunked, exported } from '../testing/transfer.ts';
import { fromParts } from './parts.ts';
import { readBlock, readHeader, readManifest } from './stored.ts';
import { lifted } from './upgrade.ts';

const folder = new URL('../testing/golden/', import.meta.url);
const goldens = readdirSync(fileURLToPath(folder))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden);

it('every format up to this one has its golden database', () => {
  expect(goldens.map(({ format }) => format).sort((a, b) => a - b)).toEqual(Array.from({ length: FORMAT }, (_, at) => at + 1));
});

describe.each(goldens)('a database of format $format', ({ now, questions, answers, stores }) => {
  const meta = new Map(stores.meta.map(([key, value]) => [key, fromJson(value)]));
  const header = readHeader(meta.get('header'));
  const contents = { ...lifted({ header, manifest: readManifest(meta.get('manifest')) }), records: fromParts(stores.log.map(([, value]) => fromJson(value)), header.floor + 1) };
  const open = (options: Parameters<typeof testClient>[2] = {}, log = memoryLog()): ReturnType<typeof testClient> => {
    const { number, bytes } = contents.manifest;
    log.header = { ...contents.header, manifestNumber: number, manifest: bytes };
    log.records = [...contents.records];
    for (const [key, value] of stores.blocks) {
      const { id, bytes } = readBlock(fromJson(value), [Number(key)]);
      log.blocks.set(id, bytes);
    }
    const platform = testPlatform();
    platform.setNow(now);
    return testClient(memoryLogStore(log), platform, options);
  };

  it('lies in blocks and in the log', () => {
    expect(stores.blocks.length).toBeGreaterThan(1);
    expect(stores.log.length).toBeGreaterThan(0);
  });

  it('answers as it did', async () => {
    expect(await askAll(await open(), questions)).toEqual(answers);
  });

  it('is written anew by upkeep, in segments of the last format, and answers as before', async () => {
    const log = memoryLog();
    const [untouched, kept] = [await open(), await open({ flushAt: 2_000 }, log)];
    // A writer that had to wait for it would be later than the other.
    await kept.engine.upkeep();
    for (let nth = 0; nth < 40; nth++) {
      const write = `{"create":{"ref":{"collection":"spells"},"id":"${900 + nth}"},"params":{"object":{"data":{"object":{"name":"${'new'.repeat(20)}"}}}}}`;
      for (const client of [untouched, kept]) {
        client.platform.setNow(now + nth * 1_000_000);
        expect((await client.query(write)).status).toBe(201);
      }
      await kept.engine.upkeep();
    }
    for (const client of [untouched, kept]) client.platform.setNow(now + 60_000_000);
    const { segments } = decodeManifest(log.header, kept.platform.utf8);
    expect(new Set(segments.map((segment) => segment.format))).toEqual(new Set([2]));
    expect(await askAll(kept, questions)).toEqual(await askAll(untouched, questions));
  });

  it('takes writes, and goes into a file and out of it', async () => {
    const from = await open();
    expect((await from.query('{"create":{"ref":{"collection":"spells"},"id":"777"},"params":{"object":{"data":{"object":{"name":"renamed"}}}}}')).status).toBe(201);
    const into = await testClient(memoryLogStore(), from.platform, {});
    await into.engine.importDatabase(chunked(await exported(from.engine)));
    expect(await askAll(into, questions)).toEqual(await askAll(from, questions));
  });
});

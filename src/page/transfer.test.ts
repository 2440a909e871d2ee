import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import { after } from '../protocol/steady.ts';
import { fakeTimers, realTimers } from '../testing/fake-timers.ts';
import type { EngineWorker } from './engine-worker.ts';
import { unavailableError } from './error.ts';
import { transfersOf } from './transfer.ts';

// Messages take the time they take; only limits follow this clock.
beforeEach(fakeTimers);
afterEach(realTimers);

it('a file that the worker refuses unread is given up, and no port stays open', async () => {
  const [cancel, closed] = [vi.fn(), vi.fn()];
  const refusal = new Error('refused by the test');
  const worker: Pick<EngineWorker, 'importFrom'> = {
    async importFrom(port) {
      readBytes(port, closed);
      throw refusal;
    },
  };
  const { import: importFile } = transfersOf(worker as EngineWorker, { after, readBytes, unavailableError });
  await expect(importFile(new ReadableStream({ cancel }))).rejects.toBe(refusal);
  expect(cancel).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
});

it('an export whose worker falls silent fails, and the worker is told that nobody reads on', async () => {
  const [asked, told] = [vi.fn(), vi.fn()];
  const silent: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(asked) }) };
  const worker: Pick<EngineWorker, 'exportTo'> = {
    exportTo: (port) => new Promise(() => writeBytes(silent, port, told)),
  };
  const { export: exportStream } = transfersOf(worker as EngineWorker, { after, readBytes, unavailableError });
  const exporting = expect(exportStream()).rejects.toThrow('longer than 120000 ms');
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  expect(told).not.toHaveBeenCalled();
  vi.advanceTimersByTime(120_000);
  await exporting;
  await vi.waitFor(() => expect(told).toHaveBeenCalled());
});

it('an export has its state when its call ends, and fails by its stream if the worker falls silent later', async () => {
  const chunks = [new Uint8Array([1])];
  const asked = vi.fn(() => {
    const value = chunks.shift();
    return value === undefined ? new Promise<never>(() => undefined) : Promise.resolve({ done: false as const, value });
  });
  const worker: Pick<EngineWorker, 'exportTo'> = {
    exportTo: (port) => new Promise(() => writeBytes({ [Symbol.asyncIterator]: () => ({ next: asked }) }, port)),
  };
  const { export: exportStream } = transfersOf(worker as EngineWorker, { after, readBytes, unavailableError });
  const reader = (await exportStream()).getReader();
  expect(asked).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(120_000);
  expect(await reader.read()).toEqual({ done: false, value: new Uint8Array([1]) });
  const reading = expect(reader.read()).rejects.toThrow('longer than 120000 ms');
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  vi.advanceTimersByTime(120_000);
  await reading;
});

it('no timer runs on after a file was refused while its next chunk was awaited', async () => {
  const refusal = new Error('refused by the test');
  let began = (): void => undefined;
  const asked = new Promise<void>((resolve) => (began = resolve));
  const worker: Pick<EngineWorker, 'importFrom'> = {
    async importFrom(port) {
      readBytes(port)[Symbol.asyncIterator]().next().catch(() => undefined);
      await asked;
      throw refusal;
    },
  };
  const { import: importFile } = transfersOf(worker as EngineWorker, { after, readBytes, unavailableError });
  const slow = new ReadableStream({ pull: () => (began(), new Promise(() => undefined)) }, { highWaterMark: 0 });
  await expect(importFile(slow)).rejects.toBe(refusal);
  await new Promise((resolve) => setImmediate(resolve));
  expect(vi.getTimerCount()).toBe(0);
});

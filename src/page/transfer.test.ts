import { expect, it, vi } from 'vitest';
import { readBytes } from '../protocol/byte-stream.ts';
import type { EngineWorker } from './engine-worker.ts';
import { unavailableError } from './error.ts';
import { transfersOf } from './transfer.ts';

it('a file that the worker refuses unread is given up, and no port stays open', async () => {
  const [cancel, closed] = [vi.fn(), vi.fn()];
  const refusal = new Error('refused by the test');
  const worker: Pick<EngineWorker, 'importFrom'> = {
    async importFrom(port) {
      readBytes(port, closed);
      throw refusal;
    },
  };
  const { import: importFile } = transfersOf(worker as EngineWorker, { readBytes, unavailableError });
  await expect(importFile(new ReadableStream({ cancel }))).rejects.toBe(refusal);
  expect(cancel).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
});

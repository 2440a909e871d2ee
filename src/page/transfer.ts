// Files of whole databases, between the page and its worker. The worker asks for each chunk, or
// is asked for it, so nothing piles up between them; and whoever falls silent is not waited for.
import type { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import type { unavailableError } from './error.ts';
import type { EngineWorker } from './engine-worker.ts';

export interface TransferProgress {
  readonly bytes: number;
  /** Of as many, about; `null` where nobody knows. */
  readonly of: number | null;
}

export interface ExportOptions {
  readonly onProgress?: (progress: TransferProgress) => void;
}

export interface ImportFileOptions extends ExportOptions {
  /** Puts the file in the place of what is there; default false: a database that holds anything is left alone. */
  readonly replace?: boolean;
}

export type ImportFile = Blob | ReadableStream<Uint8Array>;

/** What the page has loaded anyway: brought along, it would lie in a script of its own. */
export interface PageParts {
  readonly readBytes: typeof readBytes;
  readonly unavailableError: typeof unavailableError;
}

/** How long the worker may take for a chunk, or for the end after the last one. */
const SILENCE_MS = 120_000;

export function exportStream(worker: EngineWorker, { onProgress = () => undefined }: ExportOptions, parts: PageParts): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { port1, port2 } = new MessageChannel();
  const watch = new Watch(parts);
  const ended = worker.exportTo(port2, onProgress);
  // Told by the stream, to whoever reads it.
  ended.catch(() => undefined);
  const chunks = parts.readBytes(port1)[Symbol.asyncIterator]();
  const failed = Promise.race([watch.expired, ended.then(() => new Promise<never>(() => undefined))]);
  failed.catch(() => undefined);
  return new ReadableStream({
    async pull(controller) {
      watch.start();
      // The stream over the port only knows that it broke off; why comes by the other way.
      const next = await Promise.race([failed, chunks.next().catch(() => failed)]).finally(() => watch.rest());
      // Never backed by shared memory, which is all the type leaves open.
      if (next.done !== true) controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
      else controller.close();
    },
    async cancel() {
      await chunks.return?.();
    },
  }, { highWaterMark: 0 });
}

export async function importFile(worker: EngineWorker, file: ImportFile, { replace = false, onProgress = () => undefined }: ImportFileOptions, parts: PageParts): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const watch = new Watch(parts);
  const of = file instanceof Blob ? file.size : null;
  const stream = file instanceof Blob ? file.stream() : file;
  let broken: { readonly error: unknown } | null = null;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    const reader = stream.getReader();
    let bytes = 0;
    try {
      for (;;) {
        // The file may take its time; only the worker is watched.
        watch.rest();
        const { done, value } = await reader.read();
        watch.start();
        if (done) return;
        yield value;
        bytes += value.length;
        onProgress({ bytes, of });
      }
    } catch (error) {
      broken = { error };
      throw error;
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  watch.start();
  writeBytes(chunks(), port1);
  try {
    await Promise.race([watch.expired, worker.importFrom(port2, { replace })]);
  } catch (error) {
    // What the worker tells of a file that broke off here is only that.
    throw (broken as { readonly error: unknown } | null)?.error ?? error;
  } finally {
    watch.rest();
  }
}

/** Fails when it has been running for too long in one stretch. */
class Watch {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private expire: () => void = () => undefined;

  constructor(private readonly parts: PageParts) {}

  readonly expired = new Promise<never>((_, reject) => {
    this.expire = () => reject(this.parts.unavailableError('time out', `The database took longer than ${SILENCE_MS} ms.`));
  });

  start(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.expire, SILENCE_MS);
  }

  rest(): void {
    clearTimeout(this.timer);
  }
}

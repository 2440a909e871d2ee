// Files of whole databases, between the page and its worker. The worker asks for each chunk, or
// is asked for it, so nothing piles up between them; and whoever falls silent is not waited for.
import type { readBytes } from '../protocol/byte-stream.ts';
import { writeBytes } from '../protocol/byte-writer.ts';
import type { after } from '../protocol/steady.ts';
import type { unavailableError } from './error.ts';
import type { EngineWorker } from './engine-worker.ts';

export interface TransferProgress {
  /** Done so far: of the file when importing, of the database as it is stored when exporting, which is not the length of its file. */
  readonly bytes: number;
  /** How many it will be, about; `null` where that is not known, as with a stream that is imported. */
  readonly of: number | null;
}

export interface ExportOptions {
  /** Called again and again while it goes on. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

export interface ImportFileOptions extends ExportOptions {
  /** Puts the file in the place of what is there; default false: a database that holds anything is left alone. */
  readonly replace?: boolean | undefined;
}

export interface Transfers {
  /**
   * The whole database as one file, in lines of JSON: documents with all history, schema, indexes,
   * child databases, keys and tokens by their hashes. It is the state at the call: the promise
   * resolves when that stands fast, and writes go on.
   * @throws VivariumError also by the stream: `database changed` (409), 503 as `status`
   */
  export(options?: ExportOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** The same as a Blob. @throws VivariumError */
  exportBlob(options?: ExportOptions): Promise<Blob>;
  /**
   * Makes the database what a file says, as a whole at the end or not at all. Settings stay.
   * @throws TypeError for what is no file; VivariumError 400 `not an export`, `newer export`, `damaged export`,
   *   `truncated export`; 409 `database not empty` without `replace`, `database changed`; 503 as `status`
   */
  import(file: ImportFile, options?: ImportFileOptions): Promise<void>;
}

/** What an export has given, as it was kept: a text or bytes of UTF-8. */
export type ImportFile = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | string | ReadableStream<Uint8Array>;

/** Functions of the page's own script. An import would put them into one more script, to be loaded by every page. */
export interface PageParts {
  readonly after: typeof after;
  readonly readBytes: typeof readBytes;
  readonly unavailableError: typeof unavailableError;
}

/** How long the worker may take for a chunk, or for the end after the last one. */
const SILENCE_MS = 120_000;

export function transfersOf(worker: EngineWorker, parts: PageParts): Transfers {
  return {
    export: (options = {}) => exportStream(worker, options, parts),
    exportBlob: async (options = {}) => blobOf(await exportStream(worker, options, parts)),
    import: (file, options = {}) => importFile(worker, file, options, parts),
  };
}

async function exportStream(worker: EngineWorker, { onProgress = () => undefined }: ExportOptions, parts: PageParts): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { port1, port2 } = new MessageChannel();
  const watch = new Watch(parts);
  const ended = worker.exportTo(port2, onProgress);
  ended.catch(() => undefined);
  const chunks = parts.readBytes(port1)[Symbol.asyncIterator]();
  const failed = Promise.race([watch.expired, ended.then(() => new Promise<never>(() => undefined))]);
  failed.catch(() => undefined);
  const ask = (): Promise<IteratorResult<Uint8Array, undefined>> => {
    watch.start();
    // The stream over the port only knows that it broke off; the worker's answer says why.
    return Promise.race([failed, chunks.next().catch(() => failed)])
      .catch((error: unknown) => {
        // Nobody cancels a stream that has failed, and the worker would keep its end of it open.
        void chunks.return?.();
        throw error;
      })
      .finally(() => watch.rest());
  };
  // Of what state it is, is settled with the first chunk, and not when somebody reads it at last.
  let ahead: IteratorResult<Uint8Array, undefined> | null = await ask();
  return new ReadableStream({
    async pull(controller) {
      const next = ahead ?? (await ask());
      ahead = null;
      // Never backed by shared memory, which is all the type leaves open.
      if (next.done !== true) controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
      else controller.close();
    },
    async cancel() {
      await chunks.return?.();
    },
  }, { highWaterMark: 0 });
}

/** Not by a Response, which hides why a stream fails. */
async function blobOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const reader = stream.getReader();
  // Blobs, which the browser may keep on disk, and not their bytes.
  const pieces: Blob[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(new Blob([next.value]));
  return new Blob(pieces, { type: 'application/x-ndjson' });
}

async function importFile(worker: EngineWorker, file: ImportFile, { replace = false, onProgress = () => undefined }: ImportFileOptions, parts: PageParts): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const watch = new Watch(parts);
  const { stream, of } = sourceOf(file);
  const reader = stream.getReader();
  let broken: { readonly error: unknown } | null = null;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for (;;) {
        // The file may take as long as it likes; only the worker is watched.
        watch.rest();
        const { done, value } = await reader.read();
        watch.start();
        if (done) return;
        if (!(value instanceof Uint8Array)) throw noFile();
        yield value;
        bytes += value.length;
        onProgress({ bytes, of });
      }
    } catch (error) {
      // To the worker it looks as if the file were cut short.
      broken = { error };
    }
  }

  watch.start();
  const end = writeBytes(chunks(), port1);
  try {
    await Promise.race([watch.expired, worker.importFrom(port2, { replace })]);
  } catch (error) {
    // Where the file itself failed, that is the reason; the worker only knows that it was cut short.
    throw (broken as { readonly error: unknown } | null)?.error ?? error;
  } finally {
    // A worker that has not begun to read, or was ended, does not close its end of the stream.
    end();
    reader.cancel().catch(() => undefined);
    watch.end();
  }
}

/** @throws TypeError */
function sourceOf(file: ImportFile): { readonly stream: ReadableStream<Uint8Array>; readonly of: number | null } {
  if (file instanceof ReadableStream) return { stream: file, of: null };
  if (typeof file !== 'string' && !(file instanceof ArrayBuffer) && !ArrayBuffer.isView(file) && !(file instanceof Blob)) throw noFile();
  const blob = new Blob([file]);
  return { stream: blob.stream(), of: blob.size };
}

const noFile = (): TypeError => new TypeError('import() takes a Blob, a text, bytes, or a stream of bytes.');

/** A clock that is started and stopped; `expired` rejects when it has run for too long in one stretch. */
class Watch {
  private stop: (() => void) | undefined;
  private expire: () => void = () => undefined;
  private isOver = false;

  constructor(private readonly parts: PageParts) {}

  readonly expired = new Promise<never>((_, reject) => {
    this.expire = () => reject(this.parts.unavailableError('time out', `The database took longer than ${SILENCE_MS} ms.`));
  });

  start(): void {
    this.rest();
    if (!this.isOver) this.stop = this.parts.after(SILENCE_MS, this.expire);
  }

  rest(): void {
    this.stop?.();
  }

  /** Stops it for good: what is still under way does not start it again. */
  end(): void {
    this.isOver = true;
    this.rest();
  }
}

// The writer's end of a stream of bytes (see byte-stream.ts).
import type { ToReader, ToWriter } from './byte-stream.ts';

/**
 * Serves the chunks of `source` to whoever holds the other end.
 * @param onEnd nothing more will be sent; called more than once where the reader says that it lets go, or the browser does
 * @returns ends it, for when the other end is known to be gone
 */
export function writeBytes(source: AsyncIterable<Uint8Array>, port: MessagePort, onEnd: () => void = () => undefined): () => void {
  const chunks = source[Symbol.asyncIterator]();
  const cancel = (): void => {
    onEnd();
    // Where ports tell nothing of their closing, a reader that still waits would wait for ever.
    port.postMessage('failed' satisfies ToReader);
    port.close();
    // A source that fails while it is being given up has nobody left to tell.
    chunks.return?.().catch(() => undefined);
  };
  port.onmessage = async ({ data }: MessageEvent<ToWriter>) => {
    if (data === 'cancel') return cancel();
    const answer = await chunks.next().then(
      (next): ToReader => (next.done === true ? 'done' : { chunk: next.value }),
      (): ToReader => 'failed',
    );
    port.postMessage(answer);
    // A reader of an earlier build does not say that it lets go.
    if (typeof answer === 'string') onEnd();
  };
  port.addEventListener('close', cancel);
  return cancel;
}

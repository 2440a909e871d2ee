// The writer's end of a stream of bytes (see byte-stream.ts).
import type { ToReader, ToWriter } from './byte-stream.ts';

/**
 * Serves the chunks of `source` to whoever holds the other end.
 * @param onEnd called when nothing more will be sent, perhaps more than once
 * @returns a function that ends it, for when the other end is known to be gone
 */
export function writeBytes(source: AsyncIterable<Uint8Array>, port: MessagePort, onEnd: () => void = () => undefined): () => void {
  const chunks = source[Symbol.asyncIterator]();
  const cancel = (): void => {
    onEnd();
    // Not every browser tells a port that the other one has closed: its reader would wait for ever.
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
    // A reader of an earlier build does not send `cancel` at the end.
    if (typeof answer === 'string') onEnd();
  };
  port.addEventListener('close', cancel);
  return cancel;
}

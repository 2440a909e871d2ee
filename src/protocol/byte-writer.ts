// The writer's end of a stream of bytes (see byte-stream.ts).
import type { ToReader, ToWriter } from './byte-stream.ts';

/**
 * Serves the chunks of `source` to whoever holds the other end.
 * @param onEnd nobody reads on; called once or, where the browser tells twice, twice
 * @returns ends it, for when the other end is known to be gone
 */
export function writeBytes(source: AsyncIterable<Uint8Array>, port: MessagePort, onEnd: () => void = () => undefined): () => void {
  const chunks = source[Symbol.asyncIterator]();
  const cancel = (): void => {
    onEnd();
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
  };
  port.addEventListener('close', cancel);
  return cancel;
}

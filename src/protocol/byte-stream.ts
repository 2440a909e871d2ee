// A stream of bytes over a MessagePort. The reader asks for each chunk, so a slow reader
// holds the writer back and nothing piles up between them.

type ToWriter = 'next' | 'cancel';
type ToReader = { readonly chunk: Uint8Array } | 'done' | 'failed';

/** Serves the chunks of `source` to whoever holds the other end. */
export function writeBytes(source: AsyncIterable<Uint8Array>, port: MessagePort): void {
  const chunks = source[Symbol.asyncIterator]();
  const cancel = (): void => {
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
}

/** The chunks served by `writeBytes` at the other end. Fails when that end is gone. */
export function readBytes(port: MessagePort): AsyncIterable<Uint8Array> {
  type Next = IteratorResult<Uint8Array, undefined>;
  const end: Next = { done: true, value: undefined };
  let settle: { resolve(next: Next): void; reject(reason: Error): void } | null = null;
  let lost = false;

  const lose = (): void => {
    lost = true;
    settle?.reject(new Error('the stream was cut off'));
    settle = null;
  };
  port.onmessage = ({ data }: MessageEvent<ToReader>) => {
    if (data === 'failed') return lose();
    settle?.resolve(data === 'done' ? end : { done: false, value: data.chunk });
    settle = null;
  };
  port.addEventListener('close', lose);

  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (lost) return lose();
        port.postMessage('next' satisfies ToWriter);
      }),
    return: () => {
      settle?.resolve(end);
      settle = null;
      port.postMessage('cancel' satisfies ToWriter);
      port.close();
      return Promise.resolve(end);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

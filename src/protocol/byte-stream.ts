// A stream of bytes over a MessagePort. The reader asks for each chunk, so a slow reader
// holds the writer back and nothing piles up between them. The writer's end is in byte-writer.ts.

export type ToWriter = 'next' | 'cancel';
export type ToReader = { readonly chunk: Uint8Array } | 'done' | 'failed';

export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Makes it fail, as the other end is known to be gone. */
  cut(): void;
}

/**
 * The chunks served by `writeBytes` at the other end. Fails when that end is gone.
 * @param onEnd called once, when nothing more will come of it
 */
export function readBytes(port: MessagePort, onEnd: () => void = () => undefined): ByteStream {
  type Next = IteratorResult<Uint8Array, undefined>;
  const end: Next = { done: true, value: undefined };
  let settle: { resolve(next: Next): void; reject(reason: Error): void } | null = null;
  let state: 'open' | 'ended' | 'cut off' = 'open';

  /** Tells whoever waits for a chunk, or asks for one later. The writer's port is closed, too: open ports that know each other are never collected. */
  const finish = (how: 'ended' | 'cut off'): void => {
    if (state !== 'open') return;
    state = how;
    port.postMessage('cancel' satisfies ToWriter);
    port.close();
    answer();
    onEnd();
  };
  const answer = (): void => {
    if (state === 'ended') settle?.resolve(end);
    else settle?.reject(new Error('the stream was cut off'));
    settle = null;
  };
  port.onmessage = ({ data }: MessageEvent<ToReader>) => {
    if (data === 'failed') return finish('cut off');
    if (data === 'done') return finish('ended');
    settle?.resolve({ done: false, value: data.chunk });
    settle = null;
  };
  const cut = (): void => finish('cut off');
  port.addEventListener('close', cut);

  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (state !== 'open') return answer();
        port.postMessage('next' satisfies ToWriter);
      }),
    return: () => {
      finish('ended');
      return Promise.resolve(end);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator, cut };
}

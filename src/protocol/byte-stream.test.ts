import { expect, it, vi } from 'vitest';
import { readBytes } from './byte-stream.ts';
import type { ByteStream } from './byte-stream.ts';
import { writeBytes } from './byte-writer.ts';

async function readAll(stream: ByteStream): Promise<void> {
  for await (const _ of stream);
}

const readOne = async (stream: ByteStream): Promise<void> => void (await stream[Symbol.asyncIterator]().next());

const endings: [how: string, isFailing: boolean, end: (stream: ByteStream) => Promise<void>][] = [
  ['is read to its end', false, readAll],
  ['fails', true, (stream) => expect(readAll(stream)).rejects.toThrow('the stream was cut off')],
  ['is left', false, async (stream) => {
    for await (const _ of stream) break;
  }],
  ['is cut', false, async (stream) => {
    await readOne(stream);
    stream.cut();
  }],
];

it.each(endings)('when a stream %s its source ends, and both ports are closed: open ones hold on to each other', async (_, isFailing, end) => {
  const { port1, port2 } = new MessageChannel();
  const ended = vi.fn();
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array(1);
      if (isFailing) throw new Error('at line 7');
      yield new Uint8Array(1);
    } finally {
      ended();
    }
  }
  const closed = Promise.all([port1, port2].map((port) => new Promise((resolve) => port.addEventListener('close', resolve))));
  writeBytes(source(), port1);
  await end(readBytes(port2));
  await closed;
  expect(ended).toHaveBeenCalledOnce();
});

const lastWords: [word: string, next: () => Promise<IteratorResult<Uint8Array>>][] = [
  ['done', async () => ({ done: true, value: undefined })],
  ['failed', () => Promise.reject(new Error('at line 7'))],
];

it.each(lastWords)('a writer that has said "%s" lets go, also where its reader says nothing more', async (last, next) => {
  const { port1, port2 } = new MessageChannel();
  const onEnd = vi.fn();
  writeBytes({ [Symbol.asyncIterator]: () => ({ next }) }, port1, onEnd);
  const said = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)));
  port2.postMessage('next');
  expect(await said).toBe(last);
  expect(onEnd).toHaveBeenCalledOnce();
  port2.close();
});

it('a reader that waits hears that the writer ends, also where ports do not tell that they close', async () => {
  const { port1, port2 } = new MessageChannel();
  const end = writeBytes({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }, port1);
  const listen = port2.addEventListener.bind(port2);
  vi.spyOn(port2, 'addEventListener').mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => void (type !== 'close' && listen(type, listener)));
  const reading = readOne(readBytes(port2));
  await new Promise((resolve) => port1.addEventListener('message', resolve));
  end();
  await expect(reading).rejects.toThrow('the stream was cut off');
});

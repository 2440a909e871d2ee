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

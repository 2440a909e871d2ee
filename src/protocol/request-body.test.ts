import { expect, it, vi } from 'vitest';
import { MAX_BODY } from '../engine/http/body.ts';
import { ENOUGH_BYTES, readBody } from './request-body.ts';

function posted(body: BodyInit | null, signal: AbortSignal | null = null): Request {
  return new Request('https://app.example/', { method: 'POST', signal, body, duplex: 'half' } as RequestInit);
}

/** So many chunks of 1 MiB, the n-th filled with n; made as they are read. */
function megabytes(count: number) {
  const cancelled = vi.fn();
  let made = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made === count) return controller.close();
        controller.enqueue(new Uint8Array(1_048_576).fill(made++));
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  );
  return { stream, cancelled, made: () => made };
}

it('enough is one byte more than the engine takes', () => {
  expect(ENOUGH_BYTES).toBe(MAX_BODY + 1);
});

it('reads a body whole, in however many chunks it comes', async () => {
  expect(await readBody(posted('{"a":"ü"}'))).toEqual(new TextEncoder().encode('{"a":"ü"}'));
  const body = await readBody(posted(megabytes(8).stream));
  expect([body?.byteLength, body?.[0], body?.at(-1)]).toEqual([8_388_608, 0, 7]);
});

it('an empty body is none', async () => {
  expect(await readBody(posted(null))).toBeNull();
  expect(await readBody(posted(''))).toBeNull();
});

it('reads of a body without end no more than shows that it is too long', async () => {
  const { stream, cancelled, made } = megabytes(Infinity);
  expect((await readBody(posted(stream)))?.byteLength).toBe(ENOUGH_BYTES);
  expect(made()).toBeLessThan(12);
  expect(cancelled).toHaveBeenCalledOnce();
});

it('reads nothing of a body that says it is too long', async () => {
  const { stream, made } = megabytes(1);
  const request = posted(stream);
  vi.spyOn(request.headers, 'get').mockReturnValue('8388609');
  expect((await readBody(request))?.byteLength).toBe(ENOUGH_BYTES);
  expect(made()).toBe(0);
});

it.each(['before', 'while'])('of a request that is aborted %s its body is read, no more is read, and part of it is not taken for all', async (when) => {
  const reason = new Error('enough');
  const cancel = vi.fn();
  const controller = new AbortController();
  if (when === 'before') controller.abort(reason);
  const reading = readBody(posted(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)), cancel }), controller.signal));
  const rejected = expect(reading).rejects.toBe(reason);
  await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort(reason);
  await rejected;
  expect(cancel).toHaveBeenCalledExactlyOnceWith(reason);
});

it('takes its listener away from the signal of the request', async () => {
  const request = posted('{}');
  const [held, given] = [vi.spyOn(request.signal, 'addEventListener'), vi.spyOn(request.signal, 'removeEventListener')];
  await readBody(request);
  expect(held).toHaveBeenCalled();
  expect(given.mock.calls).toEqual(held.mock.calls);
});

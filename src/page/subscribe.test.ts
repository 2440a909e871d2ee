import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HttpResponse } from '../engine/http/message.ts';
import { errorOf } from './answer.ts';
import type { VivariumError } from './error.ts';
import { openSubscription } from './subscribe.ts';
import type { SubscribeOptions, Subscription } from './subscribe.ts';

beforeEach(() => void vi.stubGlobal('document', { hidden: false }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const subscribe = (ask: () => Promise<HttpResponse>, options: SubscribeOptions, isOver = () => false): Promise<Subscription> => openSubscription(ask, options, errorOf, isOver);

const encoder = new TextEncoder();
const message = (content: object): string => `${JSON.stringify(content)}\r\n`;
const result = (resource: unknown, txn = 1): string => message({ type: 'result', txn, resource });
const failure = (status: number): string => message({ type: 'failure', txn: 1, status, errors: [{ code: 'instance not found' }] });
const end = (status: number): string => message({ type: 'end', status, errors: [{ code: 'over' }] });

/** An engine that sends these chunks, one answer after the other, and then stays silent, or ends where `null` stands. */
function engine(...answers: (readonly (string | null)[])[]) {
  const left = vi.fn();
  let asked = 0;
  const ask = async (): Promise<HttpResponse> => {
    const chunks = [...(answers[asked++] ?? [])];
    let release = (): void => undefined;
    const iterator: AsyncIterator<Uint8Array, undefined> = {
      async next() {
        if (chunks.length === 0) await new Promise<void>((resolve) => (release = resolve));
        const chunk = chunks.shift();
        if (chunk === null) throw new Error('cut off');
        return chunk === undefined ? { done: true, value: undefined } : { done: false, value: encoder.encode(chunk) };
      },
      async return() {
        left();
        release();
        return { done: true, value: undefined };
      },
    };
    return { status: 200, headers: {}, body: { [Symbol.asyncIterator]: () => iterator } };
  };
  return { ask, left, asked: () => asked };
}

const told = async (calls: readonly unknown[], count: number): Promise<void> => vi.waitFor(() => expect(calls.length).toBe(count));

it.each(['onResult', 'onError'])('%s is a function', async (name) => {
  const { ask, asked } = engine([result(1)]);
  await expect(subscribe(ask, { [name]: 5 })).rejects.toEqual(new TypeError(`subscribe(): ${name} must be a function.`));
  expect(asked()).toBe(0);
});

it('calls back with each result, however the messages are cut', async () => {
  const { ask, left } = engine([result({ a: 'ä' }).slice(0, 20), result({ a: 'ä' }).slice(20) + result(2), result(3)]);
  const results: unknown[] = [];
  const subscription = await subscribe(ask, { onResult: (value) => results.push(value) });
  await told(results, 3);
  expect(results).toEqual([{ a: 'ä' }, 2, 3]);
  subscription.unsubscribe();
  await vi.waitFor(() => expect(left).toHaveBeenCalled());
});

it('waits for a callback that is slow', async () => {
  const { ask } = engine([result(1) + result(2)]);
  const results: unknown[] = [];
  let finish = (): void => undefined;
  const subscription = await subscribe(ask, {
    onResult: (value) => {
      results.push(value);
      return new Promise<void>((resolve) => (finish = resolve));
    },
  });
  await told(results, 1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(results).toEqual([1]);
  finish();
  await told(results, 2);
  subscription.unsubscribe();
});

it('reports what a callback throws, or its promise is rejected with, and goes on', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const { ask } = engine([result(1) + failure(404) + result(2) + result(3)]);
  const results: unknown[] = [];
  await subscribe(ask, {
    onResult: (value) => {
      results.push(value);
      if (value === 1) throw new Error('thrown');
      return value === 2 ? Promise.reject(new Error('rejected')) : undefined;
    },
    onError: ({ status }) => {
      throw new Error(`of ${status}`);
    },
  });
  await told(results, 3);
  expect(results).toEqual([1, 2, 3]);
  expect(reported).toEqual([new Error('thrown'), new Error('of 404'), new Error('rejected')]);
});

it('tells a failure and goes on; the end of it all is the last', async () => {
  const { ask, asked } = engine([failure(404), result(1), end(401)]);
  const seen: unknown[] = [];
  await subscribe(ask, { onResult: (value) => seen.push(value), onError: ({ status }: VivariumError) => seen.push(status) });
  await told(seen, 3);
  expect(seen).toEqual([404, 1, 401]);
  expect(asked()).toBe(1);
});

it('asks again where an engine ends, and tells no result twice', async () => {
  vi.useFakeTimers();
  const { ask, asked } = engine([result(1), end(503)], [result(1, 2), null], [result(1, 3), result(2)]);
  const results: unknown[] = [];
  const subscription = await subscribe(ask, { onResult: (value) => results.push(value) });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(results).toEqual([1, 2]);
  expect(asked()).toBe(3);
  subscription.unsubscribe();
});

it('asks again where the disk is full as it is opened once more', async () => {
  vi.useFakeTimers();
  const { ask } = engine([result(1), end(503)], [end(507)], [result(2)]);
  const results: unknown[] = [];
  const subscription = await subscribe(ask, { onResult: (value) => results.push(value) });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(results).toEqual([1, 2]);
  subscription.unsubscribe();
});

it('asks again at once where an engine ends that had answered, be the clock of the page at rest', async () => {
  vi.useFakeTimers();
  const { ask } = engine([result(1), end(503)], [result(2)]);
  const results: unknown[] = [];
  const subscription = await subscribe(ask, { onResult: (value) => results.push(value) });
  await vi.advanceTimersByTimeAsync(0);
  expect(results).toEqual([1, 2]);
  subscription.unsubscribe();
});

it('leaves the engine of a page that goes out of use at rest', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: true });
  const { ask, asked } = engine([result(1), end(503)], [result(2)]);
  const subscription = await subscribe(ask, { onResult: () => undefined });
  await vi.advanceTimersByTimeAsync(400);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked()).toBe(2);
  subscription.unsubscribe();
});

it('gives up on an engine that cannot be reached', async () => {
  vi.useFakeTimers();
  const errors: VivariumError[] = [];
  const ask = vi.fn(async (): Promise<HttpResponse> => ({ status: 503, headers: {}, body: encoder.encode('{"errors":[{"code":"unavailable"}]}') }));
  await subscribe(ask, { onResult: () => undefined, onError: (error) => errors.push(error) });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(errors.map(({ status, errors }) => [status, errors[0]?.code])).toEqual([[503, 'unavailable']]);
  expect(ask).toHaveBeenCalledTimes(5);
});

it.each([['cut off', null], ['ended by the engine', end(503)]])('asks no more where nothing will be answered: what has begun hears of it at once, and nothing begins (%s)', async (_, last) => {
  let isOver = false;
  const refusal: HttpResponse = { status: 503, headers: {}, body: encoder.encode('{"errors":[{"code":"unavailable","description":"The database was closed."}]}') };
  const { ask, asked } = engine([result(1), last]);
  const told: string[] = [];
  const asking = async (): Promise<HttpResponse> => (isOver ? refusal : ask());
  const onResult = (): void => void (isOver = true);
  await subscribe(asking, { onResult, onError: ({ message }) => told.push(message) }, () => isOver);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(told).toEqual(['unavailable: The database was closed.']);
  await expect(subscribe(asking, { onResult }, () => isOver)).rejects.toMatchObject({ name: 'VivariumError', status: 503, message: told[0] });
  expect(asked()).toBe(1);
});

it('is iterated: results until it is left', async () => {
  const { ask, left } = engine([result(1), result(2), result(3)]);
  const results: unknown[] = [];
  for await (const value of await subscribe(ask, {})) {
    results.push(value);
    if (value === 2) break;
  }
  expect(results).toEqual([1, 2]);
  expect(left).toHaveBeenCalled();
});

it('is iterated: an error ends it', async () => {
  const { ask, left } = engine([result(1), failure(404), result(2)]);
  const results: unknown[] = [];
  const reading = (async () => {
    for await (const value of await subscribe(ask, {})) results.push(value);
  })();
  await expect(reading).rejects.toMatchObject({ status: 404 });
  expect(results).toEqual([1]);
  expect(left).toHaveBeenCalled();
});

it('ends while a result is awaited', async () => {
  const { ask } = engine([result(1)]);
  const subscription = await subscribe(ask, {});
  const results = subscription[Symbol.asyncIterator]();
  await results.next();
  const next = results.next();
  subscription.unsubscribe();
  expect(await next).toEqual({ done: true, value: undefined });
});

it('calls back no more once it is unsubscribed, neither with what has come already nor with a refusal that comes late', async () => {
  const calls: unknown[] = [];
  const { ask } = engine([result(1) + result(2)]);
  const subscription = await subscribe(ask, {
    onResult: (value) => {
      calls.push(value);
      subscription.unsubscribe();
    },
  });
  const refuse = async (): Promise<HttpResponse> => ({ status: 401, headers: {}, body: '{"errors":[{"code":"unauthorized"}]}' });
  (await subscribe(refuse, { onResult: () => undefined, onError: (error) => calls.push(error) })).unsubscribe();
  const iterated = await subscribe(refuse, {});
  const next = iterated[Symbol.asyncIterator]().next();
  iterated.unsubscribe();
  expect(await next).toEqual({ done: true, value: undefined });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(calls).toEqual([1]);
});

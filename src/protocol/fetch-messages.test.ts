import { describe, expect, it, vi } from 'vitest';
import { fromPage, fromRequest, toPage, toResponse } from './fetch-messages.ts';

const origin = 'https://app.example';
const route = { path: '/', search: '' };

describe('a request', () => {
  it('becomes plain data with lower-case names, the bytes of its body and a fresh id', async () => {
    const request = new Request('https://app.example/?x=1', {
      method: 'POST',
      headers: { Authorization: 'Bearer secret', 'X-FaunaDB-API-Version': '4' },
      body: '{"a":"ü"}',
    });
    const { id, sentAt, ...plain } = await fromPage(request, { path: '/', search: 'x=1' }, origin);
    expect(plain).toEqual({
      method: 'POST',
      path: '/',
      search: 'x=1',
      headers: {
        authorization: 'Bearer secret',
        'content-type': 'text/plain;charset=UTF-8',
        origin: 'https://app.example',
        'x-faunadb-api-version': '4',
      },
      body: new TextEncoder().encode('{"a":"ü"}'),
    });
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(sentAt).toBeGreaterThan(Date.parse('2020-01-01') * 1000);
  });

  it('keeps the id and the time its page has given it', async () => {
    const given = { 'X-Vivarium-Request-Id': 'an id', 'X-Vivarium-Sent-At': '7000000', Authorization: 'Bearer secret' };
    const named = new Request(`${origin}/`, { method: 'POST', headers: given });
    const { id, sentAt, resent, headers } = await fromRequest(named, route, origin, 9_000_000);
    expect({ id, sentAt, resent }).toEqual({ id: 'an id', sentAt: 7_000_000, resent: true });
    expect(headers).toEqual({ authorization: 'Bearer secret', origin });
  });

  it('without a body has none', async () => {
    expect((await fromPage(new Request(`${origin}/ping`), route, origin)).body).toBeNull();
  });

  it.each([
    ['GET', 'https://app.example/ping', undefined],
    ['POST', 'https://app.example/', origin],
    ['GET', 'https://db.fauna.com/ping', origin],
  ])('%s %s carries the origin a browser would send', async (method, url, expected) => {
    expect((await fromPage(new Request(url, { method }), route, origin)).headers['origin']).toBe(expected);
  });
});

describe('a response', () => {
  it('has the status, headers and bytes of the answer', async () => {
    const body = new TextEncoder().encode('{"resource":1}');
    const response = toResponse({ status: 201, headers: { 'x-txn-time': '5' }, body }, 'POST');
    expect([response.status, response.headers.get('x-txn-time'), await response.json()]).toEqual([201, '5', { resource: 1 }]);
  });

  it.each([
    ['{"resource":"ü"}', new TextEncoder().encode('{"resource":"ü"}')],
    ['', new Uint8Array(0)],
  ])('says %s, given as text or as bytes, from a service worker and from the page', async (text, bytes) => {
    const { signal } = new AbortController();
    for (const body of [text, bytes]) {
      const answer = { status: 200, headers: { 'x-byte-write-ops': '0' }, body };
      expect([await toResponse(answer, 'POST').text(), await toPage(answer, 'POST', signal).text()]).toEqual([text, text]);
    }
  });

  it.each([
    ['0', true],
    ['1', false],
    // What tells nothing of it, as `/import`, may have written.
    [undefined, false],
  ])('from a service worker comes as a stream only where nothing was written: %s', async (writes, isStreamed) => {
    const made = vi.fn();
    const construct = (Native: typeof ReadableStream, [source]: [UnderlyingDefaultSource | UnderlyingByteSource]): object => {
      // Node makes one of bytes of anything else.
      if (source.type === undefined) made();
      return Reflect.construct(Native, [source]) as object;
    };
    vi.stubGlobal('ReadableStream', new Proxy(ReadableStream, { construct }));
    try {
      const headers = writes === undefined ? {} : { 'x-byte-write-ops': writes };
      expect(await toResponse({ status: 200, headers, body: 'ü' }, 'POST').text()).toBe('ü');
    } finally {
      vi.unstubAllGlobals();
    }
    expect(made).toHaveBeenCalledTimes(isStreamed ? 1 : 0);
  });

  it('to HEAD has no body', () => {
    expect(toResponse({ status: 200, headers: {}, body: new Uint8Array(3) }, 'HEAD').body).toBeNull();
  });

  const streamed = (next: () => Promise<IteratorResult<Uint8Array>>, signal: AbortSignal) => {
    const ended = vi.fn(async () => ({ done: true, value: undefined }) as const);
    const body = { [Symbol.asyncIterator]: () => ({ next, return: ended }) };
    return { response: toPage({ status: 200, headers: {}, body }, 'POST', signal), ended };
  };

  it('whose signal is aborted before its body is made fails, and its source ends', async () => {
    const reason = new Error('enough');
    const { response, ended } = streamed(() => new Promise(() => undefined), AbortSignal.abort(reason));
    await expect(response.text()).rejects.toBe(reason);
    expect(ended).toHaveBeenCalledOnce();
  });

  it('that fails takes its listener away from its signal', async () => {
    const { signal } = new AbortController();
    const [held, given] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const { response } = streamed(() => Promise.reject(new Error('cut off')), signal);
    await expect(response.text()).rejects.toThrow('cut off');
    expect(given.mock.calls).toEqual(held.mock.calls.map(([type, listener]) => [type, listener]));
  });
});

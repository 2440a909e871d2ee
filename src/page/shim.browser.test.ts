import { describe, expect, it, vi } from 'vitest';
import { behindShim, endless, host, install, never, threeParts } from '../testing/shim-host.ts';

behindShim();

/** Firefox takes a stream for a text, with or without us. */
const streamsAreBodies = !new Request('', { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit).headers.has('content-type');

describe('fetch', () => {
  it('is answered with status, headers, body and address', async () => {
    const response = await fetch('/db/?x=1#part', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '{"a":1}' });
    expect(response.status).toBe(201);
    expect(response.ok).toBe(true);
    for (const { url } of [response, response.clone(), response.clone().clone()]) expect(url).toBe(`${location.origin}/db/?x=1`);
    expect(response.headers.get('x-txn-time')).toBe('5');
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/',
      search: 'x=1',
      authorization: 'Bearer secret',
      body: '{"a":1}',
    });
  });

  it('gives a response whose methods tools may replace, and that is cloned by its own class when another is put in its place', async () => {
    const response = await fetch('https://db.fauna.com/');
    vi.stubGlobal('Response', class {});
    try {
      expect(response.clone().url).toBe('https://db.fauna.com/');
    } finally {
      vi.unstubAllGlobals();
    }
    const theirs = (): Response => response;
    response.clone = theirs;
    expect(response.clone).toBe(theirs);
  });

  it('takes bodies of every kind', async () => {
    const form = new FormData();
    form.set('a', '1');
    const bodies: [BodyInit, string][] = [
      ['text', 'text'],
      [new Blob(['blob']), 'blob'],
      [new Uint8Array([0x62, 0x79]), 'by'],
      [new Uint8Array([0x62, 0x79]).buffer, 'by'],
      [new URLSearchParams({ a: '1' }), 'a=1'],
      [new Blob(['stream']).stream(), streamsAreBodies ? 'stream' : '[object ReadableStream]'],
    ];
    for (const [body, text] of bodies) {
      // `duplex` is what the platform demands for a stream, and is not in the type yet.
      const init = { method: 'POST', body, duplex: 'half' };
      expect((await (await fetch('https://db.fauna.com/', init)).json()).body).toBe(text);
    }
    const sent = await (await fetch('https://db.fauna.com/', { method: 'POST', body: form })).json();
    expect(sent.body).toContain('name="a"');
  });

  it('takes a Request, and what init changes in it', async () => {
    const request = new Request('https://graphql.fauna.com/import?mode=merge', { method: 'POST', body: 'type A' });
    expect(await (await fetch(request)).json()).toMatchObject({ method: 'POST', path: '/import', search: 'mode=merge', body: 'type A' });
    const changed = await fetch(new Request('https://db.fauna.com/x'), { method: 'DELETE' });
    expect(await changed.json()).toMatchObject({ method: 'DELETE', path: '/x' });
  });

  it('takes a Request of a frame, and one made before its class was replaced', async () => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const theirs = new (frame.contentWindow as unknown as typeof globalThis).Request(new URL('/db/import', document.baseURI), { method: 'POST', body: 'type A' });
    const ours = new Request('/db/import', { method: 'POST', body: 'type A' });
    vi.stubGlobal('Request', class extends Request {});
    for (const request of [theirs, ours]) expect(await (await fetch(request)).json()).toMatchObject({ method: 'POST', path: '/import' });
    vi.unstubAllGlobals();
    frame.remove();
  });

  it('reads a stream as it comes', async () => {
    host.handle = async () => ({ status: 200, headers: {}, body: threeParts() });
    const response = await fetch('https://db.fauna.com/stream', { method: 'POST', body: '1' });
    const parts: string[] = [];
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) parts.push(new TextDecoder().decode(part.value));
    expect(parts).toEqual(['one', 'two', 'three']);
  });

  it('rejects with the reason of its signal', async () => {
    host.handle = never;
    const reason = new Error('enough');
    await expect(fetch('/db/', { method: 'POST', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = expect(fetch('/db/', { method: 'POST', signal: controller.signal })).rejects.toBe(reason);
    controller.abort(reason);
    await waiting;
  });

  it('rejects at once while a body is still coming that it would send', async () => {
    const controller = new AbortController();
    const cancel = vi.fn();
    const init = { method: 'POST', body: streamsAreBodies ? new ReadableStream({ cancel }) : '', signal: controller.signal, duplex: 'half' };
    const waiting = expect(fetch('/db/', init)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    controller.abort();
    await waiting;
    // And the body ends, as over the network.
    if (streamsAreBodies) await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it('ends the source of a stream that is aborted, read or not, and fails its body as the platform does', async () => {
    for (const chunks of [0, 1]) {
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      host.handle = async () => ({ status: 200, headers: {}, body: endless(end) });
      const controller = new AbortController();
      const { body } = await fetch('https://db.fauna.com/stream', { method: 'POST', body: '1', signal: controller.signal });
      const reader = body?.getReader();
      for (let read = 0; read < chunks; read++) await reader?.read();
      // More is made than is read.
      await new Promise((resolve) => setTimeout(resolve, 10));
      controller.abort();
      await ended;
      await expect(reader?.read()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    }
  });

  it('holds on to no stream that has ended, however long its signal goes on', async () => {
    const { signal } = new AbortController();
    const held = vi.spyOn(AbortSignal.prototype, 'addEventListener');
    const given = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
    const listeners = (): number => held.mock.calls.length - given.mock.calls.length;
    host.handle = async () => ({ status: 200, headers: {}, body: threeParts() });
    const send = () => fetch('https://db.fauna.com/stream', { method: 'POST', body: '1', signal });
    await (await send()).text();
    const left = await send();
    expect(listeners()).toBe(1);
    await left.body?.cancel();
    expect(listeners()).toBe(0);
    vi.restoreAllMocks();
  });

  it('rejects what the platform rejects', async () => {
    await expect(fetch('https://db.fauna.com/', { method: 'GET', body: 'x' })).rejects.toThrow(TypeError);
    await expect(fetch('https://user:pass@db.fauna.com/')).rejects.toThrow(TypeError);
    await expect(fetch({ toString: () => { throw new RangeError('no text'); } } as unknown as string)).rejects.toThrow(RangeError);
    await expect(fetch(undefined as unknown as string, null as unknown as RequestInit)).resolves.toBeInstanceOf(Response);
  });

  it('leaves other requests to the network', async () => {
    host.handle = () => Promise.reject(new Error('not ours'));
    expect((await fetch(location.href)).headers.get('content-type')).toContain('text/html');
    await expect(fetch('http://[')).rejects.toThrow(TypeError);
    expect(await (await fetch('data:text/plain,hello')).text()).toBe('hello');
  });

  it('leaves all but streams to a service worker that is in control', async () => {
    host.controlled = true;
    const missing = await fetch('/db/ping');
    expect(missing.headers.get('x-txn-time')).toBeNull();
    const stream = await fetch('/db/stream', { method: 'POST' });
    expect(stream.headers.get('x-txn-time')).toBe('5');
  });

  it('waits until it is known whether the service worker answers, but not with the probe that finds out', async () => {
    let settle = (): void => undefined;
    host.settling = new Promise((resolve) => (settle = resolve));
    host.controlled = true;
    const waiting = fetch('/db/', { method: 'POST' });
    expect((await fetch('/db/ping')).headers.get('x-txn-time')).toBeNull();
    // It does not, as turns out.
    host.controlled = false;
    settle();
    expect((await waiting).headers.get('x-txn-time')).toBe('5');
  });

  it('lets one that outlives its page go at once', async () => {
    host.settling = new Promise(() => undefined);
    host.controlled = true;
    const sent = await fetch('/db/', { method: 'POST', keepalive: true });
    expect(sent.headers.get('x-txn-time')).toBeNull();
  });

  it('then sends the request as it was at the call, which may be aborted meanwhile', async () => {
    let settle = (): void => undefined;
    host.settling = new Promise((resolve) => (settle = resolve));
    const headers = new Headers({ authorization: 'Bearer one' });
    const waiting = fetch('/db/', { method: 'POST', headers });
    const given = new AbortController();
    const givenUp = fetch('/db/', { method: 'POST', signal: given.signal });
    headers.set('authorization', 'Bearer two');
    given.abort();
    await expect(givenUp).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    settle();
    expect(await (await waiting).json()).toMatchObject({ authorization: 'Bearer one' });
  });

  it('gives what it leaves to the service worker an id, each time another, and its time, and other requests neither', async () => {
    const sent: Request[] = [];
    host.shim.uninstall();
    const native = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      sent.push(new Request(input, init));
      return new Response();
    };
    try {
      host.controlled = true;
      host.shim = install();
      const request = new Request('/db/', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '1' });
      await fetch(request.clone());
      await fetch(request);
      await fetch('/elsewhere');
      host.shim.uninstall();
    } finally {
      globalThis.fetch = native;
    }
    const ids = sent.map(({ headers }) => headers.get('x-vivarium-request-id'));
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/), null]);
    expect(ids[0]).not.toBe(ids[1]);
    const times = sent.map(({ headers }) => headers.get('x-vivarium-sent-at'));
    expect(times).toEqual([expect.stringMatching(/^\d{16}$/), expect.stringMatching(/^\d{16}$/), null]);
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(await sent[0]?.text()).toBe('1');
  });
});

it('a wrapper that was put around it leads to the network when it is gone', async () => {
  const { fetch: shimmed, XMLHttpRequest: Shimmed } = globalThis;
  const request = new Shimmed();
  globalThis.fetch = (input, init) => shimmed(input, init);
  host.shim.uninstall();
  expect((await fetch('/db/ping')).headers.get('x-txn-time')).toBeNull();
  const ended = new Promise((resolve) => (request.onloadend = resolve));
  request.open('GET', '/db/ping');
  request.send();
  await ended;
  expect(request.getResponseHeader('x-txn-time')).toBeNull();
  // For it to be taken away.
  globalThis.fetch = shimmed;
});

it('what it puts in their place has their names', () => {
  expect([fetch.name, XMLHttpRequest.name]).toEqual(['fetch', 'XMLHttpRequest']);
});

it('nothing is left of it when it is gone', async () => {
  host.shim.uninstall();
  for (const native of [fetch, XMLHttpRequest]) expect(String(native)).toContain('[native code]');
});

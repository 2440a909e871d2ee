import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { DEFAULT_ALIASES } from '../protocol/routes.ts';
import { installShim } from './shim.ts';
import type { Shim } from './shim.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (body: HttpRequest['body']): string | null => (body instanceof Uint8Array ? new TextDecoder().decode(body) : body);

/** Answers with what it was asked. */
async function echo(request: HttpRequest): Promise<HttpResponse> {
  const { method, path, search, headers } = request;
  const body = JSON.stringify({ method, path, search, authorization: headers['authorization'], body: textOf(request.body) });
  return { status: 201, headers: { 'content-type': 'application/json;charset=utf-8', 'x-txn-time': '5' }, body: bytes(body) };
}

let handle = echo;
let controlled = false;
let settling: Promise<void> | null = null;
let shim: Shim;
const config = { origin: location.origin, base: '/db/', aliases: DEFAULT_ALIASES, rest: false };
const install = (): Shim => installShim(config, () => controlled, () => settling, (request) => handle(request));
beforeEach(() => {
  handle = echo;
  controlled = false;
  settling = null;
  shim = install();
});
afterEach(() => shim.uninstall());

/** Firefox takes a stream for a text, with or without us. */
const streamsAreBodies = !new Request('', { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit).headers.has('content-type');

const never = (): Promise<HttpResponse> => new Promise(() => undefined);

async function* threeParts(): AsyncGenerator<Uint8Array> {
  for (const part of ['one', 'two', 'three']) yield bytes(part);
}

async function* endless(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield bytes('more');
  } finally {
    onEnd();
  }
}

describe('fetch', () => {
  it('is answered with status, headers, body and address', async () => {
    const response = await fetch('/db/?x=1#part', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '{"a":1}' });
    expect(response.status).toBe(201);
    expect(response.ok).toBe(true);
    expect(response.url).toBe(`${location.origin}/db/?x=1`);
    expect(response.headers.get('x-txn-time')).toBe('5');
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/',
      search: 'x=1',
      authorization: 'Bearer secret',
      body: '{"a":1}',
    });
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

  it('reads a stream as it comes', async () => {
    handle = async () => ({ status: 200, headers: {}, body: threeParts() });
    const response = await fetch('https://db.fauna.com/stream', { method: 'POST', body: '1' });
    const parts: string[] = [];
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) parts.push(new TextDecoder().decode(part.value));
    expect(parts).toEqual(['one', 'two', 'three']);
  });

  it('rejects with the reason of its signal', async () => {
    handle = never;
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
      handle = async () => ({ status: 200, headers: {}, body: endless(end) });
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
    handle = async () => ({ status: 200, headers: {}, body: threeParts() });
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
  });

  it('leaves other requests to the network', async () => {
    handle = () => Promise.reject(new Error('not ours'));
    expect((await fetch(location.href)).headers.get('content-type')).toContain('text/html');
    await expect(fetch('http://[')).rejects.toThrow(TypeError);
    expect(await (await fetch('data:text/plain,hello')).text()).toBe('hello');
  });

  it('leaves all but streams to a service worker that is in control', async () => {
    controlled = true;
    const missing = await fetch('/db/ping');
    expect(missing.headers.get('x-txn-time')).toBeNull();
    const stream = await fetch('/db/stream', { method: 'POST' });
    expect(stream.headers.get('x-txn-time')).toBe('5');
  });

  it('waits until it is known whether the service worker answers, but not with the probe that finds out', async () => {
    let settle = (): void => undefined;
    settling = new Promise((resolve) => (settle = resolve));
    controlled = true;
    const waiting = fetch('/db/', { method: 'POST' });
    expect((await fetch('/db/ping')).headers.get('x-txn-time')).toBeNull();
    // It does not, as turns out.
    controlled = false;
    settle();
    expect((await waiting).headers.get('x-txn-time')).toBe('5');
  });

  it('then sends the request as it was at the call, which may be aborted meanwhile', async () => {
    let settle = (): void => undefined;
    settling = new Promise((resolve) => (settle = resolve));
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
    shim.uninstall();
    const native = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      sent.push(new Request(input, init));
      return new Response();
    };
    try {
      controlled = true;
      shim = install();
      const request = new Request('/db/', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '1' });
      await fetch(request.clone());
      await fetch(request);
      await fetch('/elsewhere');
      shim.uninstall();
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

interface Seen {
  readonly xhr: XMLHttpRequest;
  /** Names of the events in order; `readystatechange` as its state. */
  readonly events: readonly (string | number)[];
}

function send(method: string, url: string, body: XMLHttpRequestBodyInit | null, set: (xhr: XMLHttpRequest) => void = () => undefined) {
  const xhr = new XMLHttpRequest();
  const events: (string | number)[] = [];
  xhr.onreadystatechange = () => events.push(xhr.readyState);
  for (const type of ['loadstart', 'progress', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    xhr.addEventListener(type, () => events.push(type));
  }
  xhr.upload.addEventListener('load', () => events.push('uploaded'));
  return new Promise<Seen>((resolve) => {
    xhr.addEventListener('loadend', () => resolve({ xhr, events }));
    xhr.open(method, url);
    set(xhr);
    xhr.send(body);
  });
}

describe('XMLHttpRequest', () => {
  it('goes through the states and events of the platform', async () => {
    const { xhr, events } = await send('post', 'https://db.fauna.com/', '{"a":1}', (xhr) => {
      xhr.setRequestHeader('Authorization', 'Basic c2VjcmV0Og==');
    });
    expect(events).toEqual([1, 'loadstart', 'uploaded', 2, 3, 'progress', 4, 'load', 'loadend']);
    expect(xhr).toBeInstanceOf(XMLHttpRequest);
    expect([xhr.status, xhr.readyState, xhr.responseURL]).toEqual([201, 4, 'https://db.fauna.com/']);
    expect(JSON.parse(xhr.responseText)).toEqual({
      method: 'POST',
      path: '/',
      search: '',
      authorization: 'Basic c2VjcmV0Og==',
      body: '{"a":1}',
    });
    expect(xhr.response).toBe(xhr.responseText);
    expect(xhr.getResponseHeader('X-Txn-Time')).toBe('5');
    expect(xhr.getResponseHeader('absent')).toBeNull();
    expect(xhr.getAllResponseHeaders()).toBe('content-type: application/json;charset=utf-8\r\nx-txn-time: 5\r\n');
  });

  it('gives the response in the type asked for, the same object each time', async () => {
    const ask = (type: XMLHttpRequestResponseType) =>
      send('GET', 'https://db.fauna.com/ping', null, (xhr) => (xhr.responseType = type)).then(({ xhr }) => xhr);
    const json = await ask('json');
    expect(json.response).toMatchObject({ method: 'GET', path: '/ping', body: null });
    expect(json.response).toBe(json.response);
    expect(() => json.responseText).toThrow(DOMException);
    expect((await ask('arraybuffer')).response).toBeInstanceOf(ArrayBuffer);
    const blob: Blob = (await ask('blob')).response;
    expect(blob.type).toBe('application/json;charset=utf-8');
    expect(JSON.parse(await blob.text())).toMatchObject({ path: '/ping' });
  });

  it('shows a stream growing', async () => {
    handle = async () => ({ status: 200, headers: {}, body: threeParts() });
    const grown: string[] = [];
    await send('POST', 'https://db.fauna.com/stream', '1', (xhr) => (xhr.onprogress = () => grown.push(xhr.responseText)));
    expect(grown).toEqual(['one', 'onetwo', 'onetwothree']);
  });

  it('can be aborted', async () => {
    handle = never;
    const { xhr, events } = await send('POST', '/db/', null, (xhr) => setTimeout(() => xhr.abort(), 10));
    expect(events).toEqual([1, 'loadstart', 4, 'abort', 'loadend']);
    expect([xhr.status, xhr.responseText]).toEqual([0, '']);
  });

  it('has a time limit', async () => {
    handle = never;
    const { events } = await send('POST', '/db/', null, (xhr) => (xhr.timeout = 20));
    expect(events).toEqual([1, 'loadstart', 4, 'timeout', 'loadend']);
  });

  it('can be used again', async () => {
    const { xhr } = await send('POST', '/db/', 'first');
    const again = new Promise((resolve) => (xhr.onload = resolve));
    xhr.open('POST', '/db/graphql');
    expect([xhr.readyState, xhr.status, xhr.responseText]).toEqual([1, 0, '']);
    xhr.send('second');
    await again;
    expect(JSON.parse(xhr.responseText)).toMatchObject({ path: '/graphql', body: 'second' });
  });

  it('refuses what cannot be', () => {
    const xhr = new XMLHttpRequest();
    expect(() => xhr.send()).toThrow(DOMException);
    expect(() => xhr.open('POST', '/db/', false)).toThrow('synchronous');
    xhr.open('POST', '/db/');
    xhr.send('1');
    expect(() => xhr.send('2')).toThrow(DOMException);
    expect(() => xhr.setRequestHeader('a', 'b')).toThrow(DOMException);
    xhr.abort();
  });

  it('leaves other requests to the network', async () => {
    handle = () => Promise.reject(new Error('not ours'));
    const { xhr, events } = await send('GET', location.href, null);
    expect(xhr.status).toBe(200);
    expect(xhr.responseText).toContain('<html');
    expect(events.at(0)).toBe(1);
    expect(events.slice(-3)).toEqual([4, 'load', 'loadend']);
  });
});

it('a wrapper that was put around it leads to the network when it is gone', async () => {
  const { fetch: shimmed, XMLHttpRequest: Shimmed } = globalThis;
  const request = new Shimmed();
  globalThis.fetch = (input, init) => shimmed(input, init);
  shim.uninstall();
  expect((await fetch('/db/ping')).headers.get('x-txn-time')).toBeNull();
  const ended = new Promise((resolve) => (request.onloadend = resolve));
  request.open('GET', '/db/ping');
  request.send();
  await ended;
  expect(request.getResponseHeader('x-txn-time')).toBeNull();
  // For it to be taken away.
  globalThis.fetch = shimmed;
});

it('nothing is left of it when it is gone', async () => {
  shim.uninstall();
  for (const native of [fetch, XMLHttpRequest]) expect(String(native)).toContain('[native code]');
});

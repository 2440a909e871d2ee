import { describe, expect, it } from 'vitest';
import { behindShim, host, never, threeParts } from '../testing/shim-host.ts';

behindShim();

interface Seen {
  readonly xhr: XMLHttpRequest;
  /** Names of the events in order; `readystatechange` as its state. */
  readonly events: readonly (string | number)[];
}

function listen(xhr: XMLHttpRequest) {
  const events: (string | number)[] = [];
  xhr.addEventListener('readystatechange', () => events.push(xhr.readyState));
  for (const type of ['loadstart', 'progress', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    xhr.addEventListener(type, () => events.push(type));
  }
  xhr.upload.addEventListener('loadstart', () => events.push('uploads'));
  xhr.upload.addEventListener('load', () => events.push('uploaded'));
  return { events, ended: new Promise((resolve) => xhr.addEventListener('loadend', resolve)) };
}

async function send(method: string, url: string, body: XMLHttpRequestBodyInit | null, set: (xhr: XMLHttpRequest) => void = () => undefined): Promise<Seen> {
  const xhr = new XMLHttpRequest();
  const { events, ended } = listen(xhr);
  xhr.open(method, url);
  set(xhr);
  xhr.send(body);
  await ended;
  return { xhr, events };
}

describe('XMLHttpRequest', () => {
  it('goes through the states and events of the platform', async () => {
    const { xhr, events } = await send('post', 'https://db.fauna.com/', '{"a":1}', (xhr) => {
      xhr.setRequestHeader('Authorization', 'Basic c2VjcmV0Og==');
    });
    expect(events).toEqual([1, 'loadstart', 'uploads', 'uploaded', 2, 3, 'progress', 4, 'load', 'loadend']);
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

  it.each(['GET', 'HEAD'])('sends nothing with %s, whatever it is given, and tells of no upload', async (method) => {
    const { xhr, events } = await send(method, '/db/ping', 'body');
    expect(events.slice(0, 3)).toEqual([1, 'loadstart', 2]);
    if (method === 'GET') expect(JSON.parse(xhr.responseText)).toMatchObject({ method, body: null });
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
    host.handle = async () => ({ status: 200, headers: {}, body: threeParts() });
    const grown: string[] = [];
    await send('POST', 'https://db.fauna.com/stream', '1', (xhr) => (xhr.onprogress = () => grown.push(xhr.responseText)));
    expect(grown).toEqual(['one', 'onetwo', 'onetwothree']);
  });

  it('can be aborted', async () => {
    host.handle = never;
    const { xhr, events } = await send('POST', '/db/', null, (xhr) => setTimeout(() => xhr.abort(), 10));
    expect(events).toEqual([1, 'loadstart', 4, 'abort', 'loadend']);
    expect([xhr.status, xhr.responseText]).toEqual([0, '']);
  });

  it('has a time limit', async () => {
    host.handle = never;
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

  it.each([
    ['opens again', 'DONE', (xhr: XMLHttpRequest) => xhr.open('GET', '/db/ping'), [1]],
    ['aborts', 'DONE', (xhr: XMLHttpRequest) => xhr.abort(), []],
    // That one is still told, as browsers do: whoever waits for the end would wait for ever.
    ['opens again', 'load', (xhr: XMLHttpRequest) => xhr.open('GET', '/db/ping'), [1, 'loadend']],
    ['aborts', 'load', (xhr: XMLHttpRequest) => xhr.abort(), ['loadend']],
  ])('a handler that %s at %s hears no more than with the platform', async (_, at, act, heard) => {
    const xhr = new XMLHttpRequest();
    const { events, ended } = listen(xhr);
    let acted = (): void => undefined;
    const acting = new Promise<void>((resolve) => (acted = resolve));
    const begin = (): void => {
      events.push('acts');
      act(xhr);
      acted();
    };
    if (at === 'load') xhr.addEventListener('load', begin, { once: true });
    else xhr.addEventListener('readystatechange', () => void (xhr.readyState === 4 && begin()));
    xhr.open('GET', '/db/ping');
    xhr.send();
    await acting;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(events.slice(events.indexOf('acts') + 1)).toEqual(heard);
    expect([xhr.readyState, xhr.status, xhr.responseText]).toEqual([heard.includes(1) ? 1 : 0, 0, '']);
  });

  it('sent again at DONE gives the second answer alone', async () => {
    const xhr = new XMLHttpRequest();
    const { events, ended } = listen(xhr);
    xhr.onreadystatechange = () => {
      if (xhr.readyState !== 4) return;
      xhr.onreadystatechange = null;
      xhr.open('GET', '/db/ping?second');
      xhr.send();
    };
    xhr.open('GET', '/db/ping');
    xhr.send();
    await ended;
    expect(events.filter((event) => event === 'load' || event === 'loadend')).toEqual(['load', 'loadend']);
    expect(JSON.parse(xhr.responseText)).toMatchObject({ search: 'second' });
  });

  it('opened twice tells so once', () => {
    const xhr = new XMLHttpRequest();
    const { events } = listen(xhr);
    for (let time = 0; time < 2; time++) xhr.open('GET', '/db/ping');
    expect(events).toEqual([1]);
  });

  it('shows nothing of an answer of the network that it held before, and takes settings as a new one does', async () => {
    const { xhr } = await send('GET', 'data:application/xml,<a/>', null);
    expect(xhr.responseXML).not.toBeNull();
    xhr.open('GET', '/db/ping');
    expect([xhr.responseXML, xhr.responseText, xhr.status]).toEqual([null, '', 0]);
    xhr.responseType = 'json';
    expect(() => xhr.responseXML).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
    const ended = new Promise((resolve) => (xhr.onload = resolve));
    xhr.send();
    await ended;
    expect(xhr.response).toMatchObject({ path: '/ping' });
    expect(() => xhr.responseXML).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
    expect((await send('GET', '/db/ping', null)).xhr.responseXML).toBeNull();
  });

  it('hears nothing more of a request to the network that it has left for one of ours', async () => {
    const xhr = new XMLHttpRequest();
    const { events, ended } = listen(xhr);
    xhr.open('GET', location.href);
    xhr.send();
    xhr.open('GET', '/db/ping');
    xhr.send();
    await ended;
    // That of the network would have ended by now.
    await (await fetch(location.href)).text();
    expect(events.slice(1)).toEqual(['loadstart', 'loadstart', 2, 3, 'progress', 4, 'load', 'loadend']);
  });

  it('goes through its states anew when the service worker has taken over', async () => {
    const { xhr, events } = await send('GET', '/db/ping', null);
    host.controlled = true;
    const before = events.length;
    const ended = new Promise((resolve) => (xhr.onload = resolve));
    xhr.open('GET', '/db/ping');
    xhr.send();
    await ended;
    expect(events.slice(before, before + 3)).toEqual([1, 'loadstart', 2]);
    expect(xhr.getResponseHeader('x-txn-time')).toBeNull();
  });

  it.each([[false], [true]])('is never synchronous: that would go to the network, service worker or not (%s)', (isControlled) => {
    host.controlled = isControlled;
    const xhr = new XMLHttpRequest();
    for (const url of ['/db/', 'https://db.fauna.com/']) {
      expect(() => xhr.open('POST', url, false)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }));
    }
    expect(xhr.readyState).toBe(0);
    expect(() => xhr.open('POST', '/db/', undefined as never)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }));
    xhr.open('GET', location.href, false);
    expect(xhr.readyState).toBe(1);
    // To give it and to leave it out are two things.
    xhr.open('GET', location.href, undefined as never);
    xhr.send();
    expect(xhr.readyState).toBe(4);
  });

  it('refuses what cannot be', () => {
    const xhr = new XMLHttpRequest();
    expect(() => xhr.send()).toThrow(DOMException);
    xhr.open('POST', '/db/');
    xhr.send('1');
    expect(() => xhr.send('2')).toThrow(DOMException);
    expect(() => xhr.setRequestHeader('a', 'b')).toThrow(DOMException);
    xhr.abort();
  });

  it('leaves other requests to the network', async () => {
    host.handle = () => Promise.reject(new Error('not ours'));
    const { xhr, events } = await send('GET', location.href, null);
    expect(xhr.status).toBe(200);
    expect(xhr.responseText).toContain('<html');
    expect(events.at(0)).toBe(1);
    expect(events.slice(-3)).toEqual([4, 'load', 'loadend']);
  });

  const ANSWERED = [2, 3, 'progress', 4, 'load', 'loadend'];

  it.each([
    ['a method that is refused', 'TRACE', 'https://db.fauna.com/', 'SecurityError'],
    ['what is no method', 'A B', 'https://db.fauna.com/', 'SyntaxError'],
    ['what is no address', 'POST', 'http://[', 'SyntaxError'],
    ['a synchronous request', 'POST', 'https://db.fauna.com/', 'InvalidAccessError'],
  ])('opened with %s throws, and is what it was', async (what, method, address, name) => {
    const refused = expect.objectContaining({ name }) as unknown;
    const open = (xhr: XMLHttpRequest): unknown => {
      try {
        return xhr.open(method, address, !what.includes('synchronous'));
      } catch (error) {
        return error;
      }
    };
    const xhr = new XMLHttpRequest();
    expect([open(xhr), xhr.readyState]).toEqual([refused, 0]);
    expect(() => xhr.send()).toThrow(DOMException);

    const { events, ended } = listen(xhr);
    xhr.open('POST', 'https://db.fauna.com/');
    xhr.send('1');
    expect([open(xhr), xhr.readyState]).toEqual([refused, 1]);
    await ended;
    expect(events).toEqual([1, 'loadstart', 'uploads', 'uploaded', ...ANSWERED]);
    expect([open(xhr), xhr.status]).toEqual([refused, 201]);
  });

  it('a request that goes its usual way is marked only where it is one of ours', async () => {
    const data = 'data:text/plain,theirs';
    const xhr = new XMLHttpRequest();
    const { ended } = listen(xhr);
    xhr.open('GET', data);
    host.controlled = true;
    expect(() => xhr.open('TRACE', 'https://db.fauna.com/')).toThrow(DOMException);
    const set: string[] = [];
    const native = Object.getPrototypeOf(XMLHttpRequest.prototype) as XMLHttpRequest;
    const { setRequestHeader } = native;
    native.setRequestHeader = function (name, value) {
      set.push(name);
      setRequestHeader.call(this, name, value);
    };
    xhr.send();
    native.setRequestHeader = setRequestHeader;
    await ended;
    expect([xhr.responseText, set]).toEqual(['theirs', []]);
  });

  it('refuses what is no header as the platform does', () => {
    const xhr = new XMLHttpRequest();
    xhr.open('POST', 'https://db.fauna.com/');
    expect(() => xhr.setRequestHeader('a b', 'c')).toThrow(expect.objectContaining({ name: 'SyntaxError' }));
  });
});

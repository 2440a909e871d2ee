import { expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { serveLane } from '../protocol/lane-server.ts';
import { answer, by, clientsOf, type FakePage, type Handle, inOwnTime, page, ports, request } from '../testing/fake-pages.ts';
import { findEngines } from './engines.ts';

inOwnTime();

/** An engine that cannot open its database, on a full disk for one. */
const shut: Handle = async () => ({ ...answer('nobody'), status: 503 });
const full: Handle = async () => ({ ...answer('nobody'), status: 507 });

function engines(pages: readonly FakePage[], own: Handle | null = by('own')) {
  const opened = vi.fn(async () => {
    if (own === null) throw new Error('the script is gone');
    return { handle: own, status: async () => ({ ok: own !== shut && own !== full }) } as EngineHost;
  });
  const loaded = vi.fn(async () => undefined);
  const found = findEngines('db', clientsOf(pages), { load: loaded, open: opened });
  const answerTo = async (asked: HttpRequest | Promise<HttpRequest>, clientId: string, isMarked: boolean) => found.answer(Promise.resolve(asked), clientId, isMarked);
  const ask = async (clientId: string, isMarked = true) => (await answerTo(request, clientId, isMarked)).headers['who'];
  /** Asks, and lets the time pass in which a page would have had to answer. */
  const askInVain = async (clientId: string): Promise<string | undefined> => {
    const asking = ask(clientId);
    await vi.advanceTimersByTimeAsync(1_000);
    return asking;
  };
  /** Asks, and lets the requesting page's head start pass. */
  const askOthers = async (clientId: string): Promise<string | undefined> => {
    const asking = ask(clientId);
    await vi.advanceTimersByTimeAsync(50);
    return asking;
  };
  return { here: found.here, answer: answerTo, ask, askInVain, askOthers, opened, loaded };
}

it('the requesting page’s own engine answers', async () => {
  const { ask, opened } = engines([page('b', by('b')), page('a', by('a'))]);
  expect(await ask('a')).toBe('a');
  expect(await ask('b')).toBe('b');
  expect(opened).not.toHaveBeenCalled();
});

it('another page answers for one that does not, and for a worker', async () => {
  const { ask, askOthers } = engines([page('frozen', null), page('b', by('b'))]);
  expect(await askOthers('frozen')).toBe('b');
  expect(await ask('some worker')).toBe('b');
});

it('other pages are left in peace while the requester answers', async () => {
  const other = page('b', by('b'));
  const { ask } = engines([page('a', by('a')), other]);
  await ask('a');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(other.asked).not.toHaveBeenCalled();
});

it('its own engine answers when no page does, and is opened once', async () => {
  const { ask, askInVain, opened } = engines([page('frozen', null)]);
  expect(await askInVain('frozen')).toBe('own');
  expect(await ask('frozen')).toBe('own');
  expect(opened).toHaveBeenCalledOnce();
});

it('a page that was silent once is asked again later, and nobody waits for it', async () => {
  const late = page('a', null);
  const { ask, askInVain } = engines([late]);
  await askInVain('a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ask('a')).toBe('own');
  expect(late.asked).toHaveBeenCalledTimes(2);
  expect(await ask('a')).toBe('own');
  expect(late.asked).toHaveBeenCalledTimes(2);
});

it('a page that answers when it is asked again later is asked from then on', async () => {
  const late = page('a', null);
  const { ask, askInVain } = engines([late]);
  await askInVain('a');
  late.handle = by('a');
  await vi.advanceTimersByTimeAsync(10_000);
  await ask('a');
  await vi.waitFor(async () => expect(await ask('a')).toBe('a'));
  expect(await ask('some worker')).toBe('a');
});

it('requests without a mark wait a moment for a page, and together no longer', async () => {
  const { ask, opened } = engines([page('a', null)]);
  const asking = ask('a', false);
  await vi.advanceTimersByTimeAsync(140);
  expect(opened).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10);
  expect(await asking).toBe('own');
  const next = ask('a', false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await next).toBe('own');
});

it('its own engine’s script is loaded while a request without a mark waits for all pages in vain', async () => {
  const { ask, opened, loaded } = engines([page('a', null), page('b', null)]);
  const asking = ask('a', false);
  await vi.advanceTimersByTimeAsync(100);
  expect(loaded).toHaveBeenCalledOnce();
  expect(opened).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(50);
  expect(await asking).toBe('own');
});

it('and neither where another page answers, nor for a request with a mark', async () => {
  const { ask, askOthers, loaded } = engines([page('a', null), page('b', by('b')), page('c', null)]);
  const asking = ask('a', false);
  await vi.advanceTimersByTimeAsync(50);
  expect(await asking).toBe('b');
  expect(await askOthers('c')).toBe('b');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(loaded).not.toHaveBeenCalled();
});

it('an own engine that could not be opened is opened anew', async () => {
  const { ask, opened } = engines([]);
  opened.mockRejectedValueOnce(new Error('the script is not to be had'));
  expect(await ask('a')).toBe(undefined);
  expect(await ask('a')).toBe('own');
  expect(await ask('a')).toBe('own');
  expect(opened).toHaveBeenCalledTimes(2);
});

it('pages are looked for while a request is read, and one that cannot be read has no answer', async () => {
  const a = page('a', by('a'));
  const { answer } = engines([a]);
  let fail = (_: Error): void => undefined;
  const answering = answer(new Promise((_, reject) => (fail = reject)), 'a', true);
  await vi.waitFor(() => expect(a.asked).toHaveBeenCalledOnce());
  fail(new TypeError('the body ended early'));
  await expect(answering).rejects.toThrow('the body ended early');
});

it('another page answers them, however long their own has been silent', async () => {
  const { ask, askOthers, opened } = engines([page('a', null), page('b', by('b'))]);
  expect(await askOthers('a')).toBe('b');
  for (const later of [100, 100, 100, 100, 1_000]) {
    await vi.advanceTimersByTimeAsync(later);
    const asking = ask('a', false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asking).toBe('b');
  }
  expect(opened).not.toHaveBeenCalled();
});

it.each([
  ['that is late', async (ask: (id: string, isMarked: boolean) => Promise<unknown>, late: { handle: Handle | null }) => {
    const asking = ask('a', false);
    await vi.advanceTimersByTimeAsync(150);
    late.handle = by('a');
    serveLane(ports[0] as MessagePort, by('a'));
    return asking;
  }],
  ['that was silent', async (ask: (id: string, isMarked: boolean) => Promise<unknown>, late: { handle: Handle | null }) => {
    const first = ask('a', true);
    await vi.advanceTimersByTimeAsync(1_000);
    await first;
    late.handle = by('a');
    return ask('a', true);
  }],
])('where its own engine cannot be opened, a page answers %s', async (_, act) => {
  const late = page('a', null);
  const { ask } = engines([late], shut);
  expect(await act(ask, late)).toBe('a');
});

it('so it does where there is no room left to open it', async () => {
  const silent = page('a', null);
  const { ask } = engines([silent], full);
  const first = ask('a', true);
  await vi.advanceTimersByTimeAsync(1_000);
  await first;
  silent.handle = by('a');
  expect(await ask('a', true)).toBe('a');
});

it('an own engine that is open says itself that a query took too long', async () => {
  const slow: Handle = async () => ({ ...answer('own'), status: 503 });
  const silent = page('a', null);
  const { ask, askInVain } = engines([silent], slow);
  await askInVain('a');
  expect(await ask('a')).toBe('own');
  expect(silent.asked).toHaveBeenCalledOnce();
});

it('its own engine answers when pages cannot be listed, or not be written to', async () => {
  const refuse = (): never => {
    throw new DOMException('refused by the test', 'InvalidStateError');
  };
  const gone = { ...page('a', null), postMessage: refuse };
  expect(await engines([gone]).askOthers('a')).toBe('own');
  const clients = { matchAll: async () => refuse() } as unknown as Clients;
  const found = findEngines('db', clients, { load: async () => undefined, open: async () => ({ handle: by('own') }) as EngineHost });
  expect((await found.answer(Promise.resolve(request), 'a', true)).headers['who']).toBe('own');
});

it('a page that has an engine answers requests without a mark', async () => {
  const { ask, opened } = engines([page('a', by('a'))]);
  expect(await ask('a', false)).toBe('a');
  expect(opened).not.toHaveBeenCalled();
});

it('a request whose engine ends halfway is sent on under the same id, and says that it was sent before', async () => {
  const seen: unknown[] = [];
  const a = page('a', ({ id, resent = false }) => {
    seen.push({ id, resent });
    queueMicrotask(a.close);
    return new Promise(() => undefined);
  });
  const { ask } = engines([a], async ({ id, resent }) => {
    seen.push({ id, resent });
    return answer('own');
  });
  expect(await ask('a')).toBe('own');
  expect(seen).toEqual([
    { id: 'the id', resent: false },
    { id: 'the id', resent: true },
  ]);
});

it('a request that goes from a dead port to a new one says that it was sent before', async () => {
  const seen: unknown[] = [];
  const a = page('a', async ({ resent = false }) => {
    seen.push(resent);
    return answer('a');
  });
  const { ask } = engines([a]);
  await ask('a');
  a.close();
  await ask('a');
  expect(seen).toEqual([false, true]);
});

it('a page that says it has another engine is asked for a new port, and nothing waits for the old one', async () => {
  const never = vi.fn<Handle>(() => new Promise(() => undefined));
  let handle: Handle = never;
  const { ask, here } = engines([page('a', (asked) => handle(asked))]);
  const waiting = ask('a');
  await vi.waitFor(() => expect(never).toHaveBeenCalledOnce());
  handle = by('its next');
  here('a');
  expect(await waiting).toBe('own');
  expect(await ask('a')).toBe('its next');
});

it('an engine busy in one stretch for two seconds keeps its calls', async () => {
  const a = page('a', by('a'));
  const { ask, opened } = engines([a]);
  await ask('a');
  // Its worker hears of nothing, so it does not even say that it is alive.
  const port = ports[0] as MessagePort;
  const { onmessage } = port;
  port.onmessage = null;
  const asking = ask('a');
  await vi.advanceTimersByTimeAsync(2_000);
  port.onmessage = onmessage;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asking).toBe('a');
  expect(a.asked).toHaveBeenCalledOnce();
  expect(opened).not.toHaveBeenCalled();
});

it('a page that is gone is forgotten, and what waited for it is answered elsewhere', async () => {
  const never = vi.fn(() => new Promise<HttpResponse>(() => undefined));
  const gone = page('gone', never);
  const pages = [gone];
  const { ask } = engines(pages);
  const waiting = ask('gone');
  await vi.waitFor(() => expect(never).toHaveBeenCalledOnce());
  pages.splice(0, 1, page('b', by('b')));
  expect(await ask('some worker')).toBe('b');
  expect(await waiting).toBe('own');
});

it('an answer comes even when nothing can be opened', async () => {
  const response = await engines([], null).answer(request, 'a', true);
  expect(response.status).toBe(503);
  const text = new TextDecoder().decode(response.body as Uint8Array);
  expect(JSON.parse(text)).toEqual({ errors: [{ code: 'unavailable', description: 'No engine could answer: the script is gone.' }] });
  expect(response.headers['content-length']).toBe(String(text.length));
});

it('an answer comes even when the engine never does', async () => {
  const never = engines([], () => new Promise(() => undefined)).answer(
    { ...request, headers: { 'x-query-timeout': '1000' } },
    'a',
    true,
  );
  await vi.advanceTimersByTimeAsync(12_000);
  expect((await never).status).toBe(503);
});

import { afterEach, expect, it, vi } from 'vitest';
import { linkServiceWorker } from './service-worker.ts';

const script = new URL('https://app.example/sw.js?name=db');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const nothing = (): void => undefined;
const opened = Promise.resolve();
/** No service worker is ever there. */
const ready = new Promise(nothing);

it.each([
  ['a bad HTTP response code (404)', () => Promise.reject(new TypeError('a bad HTTP response code (404)'))],
  // As Playwright does where it is told to block them.
  ['service workers are blocked', async () => undefined],
])('why it could not be registered is in the status, and on the console: %s', async (why, register) => {
  const container = Object.assign(new EventTarget(), { controller: null, startMessages: nothing, ready, register });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const link = linkServiceWorker(script, 'db', nothing, nothing, opened, Promise.resolve());
  expect(link.registration).toEqual({ state: 'pending' });
  await vi.waitFor(() => expect(link.registration.state).toBe('failed'));
  expect(link.registration.reason).toContain('/sw.js could not be registered');
  expect(link.registration.reason).toContain(why);
  expect(warn).toHaveBeenCalledWith(link.registration.reason);
});

it.each([
  ['the first one', null, ['redundant'], 'failed'],
  ['the first one, which another has replaced since', null, ['installed', 'activating', 'activated', 'redundant'], 'registered'],
  ['the first one, in the end', null, ['installed', 'activating', 'activated'], 'registered'],
  ['one that would have followed another', { scriptURL: script.href, postMessage: nothing }, ['redundant'], 'registered'],
])('what becomes of %s is in the status', async (_, active, states, expected) => {
  const installing = Object.assign(new EventTarget(), { state: 'installing' });
  const register = async () => ({ installing, active });
  vi.stubGlobal('navigator', { serviceWorker: Object.assign(new EventTarget(), { controller: null, startMessages: nothing, ready, register }) });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const link = linkServiceWorker(script, 'db', nothing, nothing, opened, Promise.resolve());
  await vi.waitFor(() => expect(link.registration).toEqual({ state: 'registered' }));
  for (const state of states) {
    installing.state = state;
    installing.dispatchEvent(new Event('statechange'));
  }
  expect(link.registration.state).toBe(expected);
  const reason = "The service worker /sw.js could not be registered, so only this page's own requests are answered: it could not be installed";
  expect(warn.mock.calls).toEqual(expected === 'failed' ? [[reason]] : []);
});

it.each([
  ['another script in its place', 'https://app.example/mock.js', 1],
  ['the same script with other options in its place', 'https://app.example/sw.js?name=other', 0],
  ['a script of a wider scope beside it', null, 0],
])('%s is told of if it takes its place', async (_, instead, times) => {
  const own = { active: null as { readonly scriptURL: string } | null };
  const controller = { scriptURL: instead ?? 'https://app.example/wide.js', postMessage: () => undefined };
  const container = Object.assign(new EventTarget(), { controller, startMessages: nothing, ready, register: async () => own });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const onControlled = vi.fn();
  const link = linkServiceWorker(script, 'db', nothing, onControlled, opened, Promise.resolve());
  await vi.waitFor(() => expect(link.registration.state).toBe('registered'));
  expect(warn).not.toHaveBeenCalled();
  expect(onControlled).not.toHaveBeenCalled();
  own.active = { scriptURL: instead ?? script.href };
  container.dispatchEvent(new Event('controllerchange'));
  expect(onControlled).toHaveBeenCalledOnce();
  expect(warn.mock.calls.map(([text]) => text as unknown)).toEqual(Array.from({ length: times }, () => "The service worker /sw.js and https://app.example/mock.js take each other's place: give one another scope, or open({ serviceWorker: false })."));
});

it.each([
  ['a page that started without it', null, 1],
  ['a page that started under it', { scriptURL: script.href, postMessage: nothing }, 0],
])('one that is there hears of %s, once that has its engine', async (_, controller, times) => {
  const active = { scriptURL: script.href, postMessage: vi.fn() };
  const container = Object.assign(new EventTarget(), { controller, startMessages: nothing, ready: Promise.resolve({ active }), register: vi.fn() });
  vi.stubGlobal('navigator', { serviceWorker: container });
  let open = nothing;
  const opening = new Promise<void>((resolve) => (open = resolve));
  linkServiceWorker(script, 'db', nothing, nothing, opening, new Promise(nothing));
  const heard = async (): Promise<unknown[]> => {
    await new Promise((resolve) => setTimeout(resolve));
    return active.postMessage.mock.calls;
  };
  expect(await heard()).toEqual([]);
  open();
  expect(await heard()).toEqual(Array.from({ length: times }, () => [{ vivarium: 'here' }]));
});

it('is registered when the page has time for it, or is done with it', async () => {
  const registered: string[] = [];
  const container = Object.assign(new EventTarget(), { controller: null, startMessages: nothing, ready, register: async (url: URL) => void registered.push(url.search) });
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.spyOn(console, 'warn').mockReturnValue();
  const linked = (name: string, hasTime: Promise<void>) => linkServiceWorker(new URL(`https://app.example/sw.js?${name}`), name, nothing, nothing, opened, hasTime);
  let give = (): void => undefined;
  linked('later', new Promise((resolve) => (give = resolve)));
  const closed = linked('closed', new Promise(() => undefined));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(registered).toEqual([]);
  closed.close();
  await vi.waitFor(() => expect(registered).toEqual(['?closed']));
  give();
  await vi.waitFor(() => expect(registered).toEqual(['?closed', '?later']));
});

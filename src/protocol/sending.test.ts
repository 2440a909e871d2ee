import { afterEach, expect, it, vi } from 'vitest';
import { clock, firstSending, isMarked, sendingHeaders, sentAgain, takeSending } from './sending.ts';

const second = 1_000_000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const told = (sentAt: number | string) => ({ accept: '*/*', 'x-vivarium-request-id': 'an id', 'x-vivarium-sent-at': String(sentAt) });

it('a first sending has a random id and the time, in microseconds', () => {
  const before = Date.now() * 1000;
  const { id, sentAt } = firstSending();
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(id).not.toBe(firstSending().id);
  expect(sentAt).toBeGreaterThanOrEqual(before);
  expect(sentAt).toBeLessThanOrEqual(Date.now() * 1000);
});

it('no id comes twice where this thread’s random source repeats itself, nor in a page that is loaded later', async () => {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
  const ids = Array.from({ length: 3000 }, () => firstSending().id);
  await new Promise((resolve) => setTimeout(resolve, 2));
  vi.resetModules();
  const reloaded = (await import('./sending.ts')).firstSending().id;
  expect(new Set([...ids, reloaded])).toHaveProperty('size', 3001);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
});

it('its time is the system’s, whatever this thread’s clock is set to', () => {
  const before = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const time of ['2020-01-01', '2040-01-01']) {
    vi.setSystemTime(time);
    for (const sentAt of [clock(), firstSending().sentAt, Number(sendingHeaders()[1]?.[1])]) expect(Math.abs(sentAt - before * 1000)).toBeLessThan(10 * second);
  }
});

it('its time is the system’s at once where that clock goes in small steps, or rests', () => {
  const before = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let step = 0; step < 300; step++) {
    vi.setSystemTime(before + step * 9_000);
    expect(clock() - before * 1000).toBeLessThan(10 * second);
  }
});

it('only where that clock is not the platform’s own is another asked for', () => {
  const made = vi.fn();
  vi.stubGlobal('File', class { readonly lastModified = (made(), 7); });
  expect(Math.abs(clock() - Date.now() * 1000)).toBeLessThan(second);
  expect(made).not.toHaveBeenCalled();
  vi.useFakeTimers({ toFake: ['Date'] });
  expect(clock()).toBe(7_000);
  vi.useRealTimers();
  const now = (): number => 5;
  // Its source is the platform's, but for the name.
  const asWebKitBinds = Object.defineProperty(now.bind(null), 'toString', { value: () => 'function now() {\n    [native code]\n}' });
  for (const replaced of [now.bind(null), new Proxy(Date.now, { apply: now }), asWebKitBinds]) {
    const own = Date.now;
    Date.now = replaced;
    expect(clock()).toBe(7_000);
    Date.now = own;
  }
  expect(clock()).toBeGreaterThan(7_000);
});

it('a request with its headers is marked, and no other', () => {
  expect(isMarked(new Headers(sendingHeaders().map(([name, value]): [string, string] => [name, value])))).toBe(true);
  expect(isMarked(new Headers({ authorization: 'Bearer secret' }))).toBe(false);
});

it('its headers tell both to the service worker, which hands neither on', () => {
  const { sending, headers } = takeSending({ accept: '*/*', ...Object.fromEntries(sendingHeaders()) }, clock() - 60 * second);
  expect(sending).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/), sentAt: expect.closeTo(clock(), -8) });
  expect(headers).toEqual({ accept: '*/*' });
});

it('a request sent well after the service worker started is new', () => {
  expect(takeSending(told(105 * second), 100 * second).sending).toEqual({ id: 'an id', sentAt: 105 * second });
});

it('one sent before may have reached its predecessor; clocks may differ by a second', () => {
  expect(takeSending(told(99 * second), 100 * second).sending).toEqual({ id: 'an id', sentAt: 99 * second, resent: true });
  expect(takeSending(told(100.5 * second), 100 * second).sending.resent).toBe(true);
});

it('one sent at a time still to come may have reached its predecessor, before the clock was set back', () => {
  const now = clock();
  const sentAfter = (time: number): boolean | undefined => takeSending(told(now + time), now - 100 * second).sending.resent;
  expect([sentAfter(-second), sentAfter(0), sentAfter(60 * second)]).toEqual([undefined, undefined, true]);
});

it('one that tells its id but no time may have been sent at any time', () => {
  const { 'x-vivarium-sent-at': _, ...idOnly } = told(0);
  expect(takeSending(idOnly, 0).sending).toMatchObject({ id: 'an id', resent: true });
  expect(takeSending(told('soon'), 0).sending).toMatchObject({ id: 'an id', resent: true });
});

it('sent again it keeps its id and its time', () => {
  const request = { method: 'POST', path: '/', search: '', headers: {}, body: null, id: 'an id', sentAt: 5 };
  expect(sentAgain(request)).toEqual({ ...request, resent: true });
});

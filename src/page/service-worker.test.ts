import { afterEach, expect, it, vi } from 'vitest';
import { linkServiceWorker } from './service-worker.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each([
  ['a bad HTTP response code (404)', () => Promise.reject(new TypeError('a bad HTTP response code (404)'))],
  // As Playwright does where it is told to block them.
  ['service workers are blocked', async () => undefined],
])('why it could not be registered is in the status, and on the console: %s', async (why, register) => {
  const container = Object.assign(new EventTarget(), { controller: null, startMessages: () => undefined, register });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const link = linkServiceWorker(new URL('https://app.example/sw.js?name=db'), 'db', () => undefined);
  expect(link.registration).toEqual({ state: 'pending' });
  await vi.waitFor(() => expect(link.registration.state).toBe('failed'));
  expect(link.registration.reason).toContain('/sw.js could not be registered');
  expect(link.registration.reason).toContain(why);
  expect(warn).toHaveBeenCalledWith(link.registration.reason);
});

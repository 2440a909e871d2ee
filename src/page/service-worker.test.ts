import { afterEach, expect, it, vi } from 'vitest';
import { linkServiceWorker } from './service-worker.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('why it could not be registered is in the status, and on the console', async () => {
  const container = Object.assign(new EventTarget(), { controller: null, startMessages: () => undefined, register: () => Promise.reject(new TypeError('a bad HTTP response code (404)')) });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const link = linkServiceWorker(new URL('https://app.example/sw.js?name=db'), 'db', () => undefined);
  expect(link.registration).toEqual({ state: 'pending' });
  await vi.waitFor(() => expect(link.registration.state).toBe('failed'));
  expect(link.registration.reason).toContain('/sw.js could not be registered');
  expect(warn).toHaveBeenCalledWith(link.registration.reason);
});

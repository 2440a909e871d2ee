import { expect, it, vi } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

it('a signal that is aborted already is not listened to, and what comes of the promise is ignored', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const held = vi.spyOn(signal, 'addEventListener');
  await expect(unlessAborted(Promise.reject(new Error('too late')), signal)).rejects.toBe(signal.reason);
  expect(held).not.toHaveBeenCalled();
});

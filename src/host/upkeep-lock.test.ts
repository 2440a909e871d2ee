import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { upkeepLock } from './upkeep-lock.ts';

/** What of the browser's locks is used: those asked for only if they are free. */
function fakeLocks() {
  const held = new Set<string>();
  const request = async (name: string, _: { ifAvailable: true }, use: (lock: object | null) => unknown): Promise<unknown> => {
    if (held.has(name)) return use(null);
    held.add(name);
    try {
      return await use({ name });
    } finally {
      held.delete(name);
    }
  };
  return { held, request };
}

let locks: ReturnType<typeof fakeLocks>;
beforeEach(() => {
  locks = fakeLocks();
  vi.stubGlobal('navigator', { locks });
});
afterEach(() => void vi.unstubAllGlobals());

it('runs the work under the lock of its database', async () => {
  const work = vi.fn(async () => expect([...locks.held]).toEqual(['vivarium:upkeep:db']));
  await upkeepLock('db')(work);
  expect(work).toHaveBeenCalledOnce();
  expect(locks.held.size).toBe(0);
});

it('leaves the work while another engine of the database does it', async () => {
  let finish = (): void => undefined;
  const first = upkeepLock('db')(() => new Promise<void>((resolve) => (finish = resolve)));
  const work = vi.fn(async () => undefined);
  await upkeepLock('db')(work);
  expect(work).not.toHaveBeenCalled();
  await upkeepLock('another')(work);
  expect(work).toHaveBeenCalledTimes(1);
  finish();
  await first;
  await upkeepLock('db')(work);
  expect(work).toHaveBeenCalledTimes(2);
});

it('hands on the failure of the work, and gives the lock back', async () => {
  await expect(upkeepLock('db')(() => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  expect(locks.held.size).toBe(0);
});

it('runs the work where there are no locks', async () => {
  vi.stubGlobal('navigator', {});
  const work = vi.fn(async () => undefined);
  await upkeepLock('db')(work);
  expect(work).toHaveBeenCalledOnce();
});

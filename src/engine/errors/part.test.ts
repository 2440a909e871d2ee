import { expect, it } from 'vitest';
import { partInTime } from './part.ts';

it('what only makes things faster is waited for by nobody, loaded once, and asked for again where that failed', async () => {
  const loads: ((here: string | undefined) => void)[] = [];
  const failures: (() => void)[] = [];
  const part = partInTime(() => new Promise<string | undefined>((resolve, reject) => (loads.push(resolve), failures.push(() => reject(new Error('offline'))))));
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  expect([part(), part(), loads.length]).toEqual([null, null, 1]);
  failures[0]?.();
  await later();
  expect([part(), loads.length]).toEqual([null, 2]);
  loads[1]?.('here');
  await later();
  expect([part(), part(), loads.length]).toEqual(['here', 'here', 2]);
});

it('where there is none it is not looked for again', async () => {
  let loads = 0;
  const part = partInTime(() => (loads++, Promise.resolve(undefined)));
  for (let again = 0; again < 3; again++) {
    expect(part()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(loads).toBe(1);
});

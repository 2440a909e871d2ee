import { expect, it } from 'vitest';
import { leisure } from './leisure.ts';

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether there is leisure yet. */
function watched(traffic: { made: number; awaited: number }): () => boolean {
  let isThere = false;
  void leisure(() => traffic).then(() => (isThere = true));
  return () => isThere;
}

it('is there once nothing was asked for a moment', async () => {
  const hasTime = watched({ made: 3, awaited: 0 });
  await wait(50);
  expect(hasTime()).toBe(false);
  await expect.poll(hasTime).toBe(true);
});

it('is not there while an answer is awaited, nor while request follows request', async () => {
  const traffic = { made: 1, awaited: 1 };
  const hasTime = watched(traffic);
  await wait(350);
  expect(hasTime()).toBe(false);
  traffic.awaited = 0;
  for (let n = 0; n < 20; n++) {
    traffic.made++;
    await wait(20);
  }
  expect(hasTime()).toBe(false);
  await expect.poll(hasTime).toBe(true);
});

it('is there after some seconds in any case', async () => {
  const hasTime = watched({ made: 1, awaited: 1 });
  await wait(2500);
  expect(hasTime()).toBe(false);
  await expect.poll(hasTime, { timeout: 3000 }).toBe(true);
});

import { expect, it } from 'vitest';
import { Provisional } from './provisional.ts';

it('knows the latest of two hundred thousand commits: whoever sends so many writes at once waits for all of them', () => {
  const provisional = new Provisional();
  for (let ts = 1; ts <= 200_000; ts++) provisional.add({ ts, requestHash: '', now: ts, rows: [] });
  expect([provisional.latest(5), provisional.latest(300_000)]).toEqual([200_000, 300_000]);
});

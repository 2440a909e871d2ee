import { expect, it } from 'vitest';
import { Connection } from './connection.ts';

it('an opening that fails leaves alone what another has opened', async () => {
  const connection = new Connection('db', () => undefined, undefined);
  let fail = (_: Error): void => undefined;
  const failing = connection.open(() => new Promise<void>((_, reject) => (fail = reject))).catch(() => undefined);
  await connection.open(async () => connection.identify(1));
  fail(new Error('timeout'));
  await failing;
  await expect(connection.checked(null, 1)).rejects.toMatchObject({ code: 'evicted' });
  expect(connection.losses).toBe(1);
});

it('a connection that was given up, and finds its database removed, says nothing of the one that was opened since', async () => {
  const connection = new Connection('db', () => undefined, undefined);
  await connection.open(async () => connection.identify(1));
  await expect(connection.checked(null, 1)).rejects.toMatchObject({ code: 'evicted' });
  expect(connection.losses).toBe(1);
  await connection.open(async () => connection.identify(2));
  await expect(connection.checked(null, 1)).rejects.toMatchObject({ code: 'evicted' });
  expect(connection.losses).toBe(1);
  await expect(connection.checked(null, 2)).rejects.toMatchObject({ code: 'evicted' });
  expect(connection.losses).toBe(2);
});

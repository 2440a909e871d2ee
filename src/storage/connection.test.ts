import { expect, it } from 'vitest';
import { Connection } from './connection.ts';

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

import { expect, it } from 'vitest';
import { Inbox } from './inbox.ts';

it('gives what was put in, in order, and what comes while one waits', async () => {
  const inbox = new Inbox<number>(10);
  inbox.put(1);
  inbox.put(2);
  expect([await inbox.next(), await inbox.next()]).toEqual([1, 2]);
  const next = inbox.next();
  inbox.put(3);
  expect(await next).toBe(3);
});

it('is narrowed for what waits and what is to come', async () => {
  const inbox = new Inbox<number>(10);
  [1, 2, 3].forEach((item) => inbox.put(item));
  inbox.narrow((item) => (item % 2 === 0 ? item * 10 : null));
  [4, 5].forEach((item) => inbox.put(item));
  expect([await inbox.next(), await inbox.next()]).toEqual([20, 40]);
});

it('lets go of who waits when it is closed', async () => {
  const inbox = new Inbox<number>(10);
  const next = inbox.next();
  inbox.close();
  inbox.put(1);
  expect([await next, await inbox.next()]).toEqual([null, null]);
  expect(inbox.overflowed).toBe(false);
});

it('that would grow beyond its limit holds nothing more, and says so', async () => {
  const inbox = new Inbox<number>(2);
  [1, 2, 3, 4].forEach((item) => inbox.put(item));
  expect(inbox.overflowed).toBe(true);
  expect(await inbox.next()).toBeNull();
});

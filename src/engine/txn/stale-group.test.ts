import { expect, it } from 'vitest';
import type { Engine } from '../index.ts';
import { queryRequest, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';

const counter = '{"collection":"counters"},"id":"1"';
const increment = `{"update":{"ref":${counter}},"params":{"object":{"data":{"object":{"n":{"add":[{"select":["data","n"],"from":{"get":{"ref":${counter}}}},1]}}}}}}`;
const create = (id: number): string => `{"create":{"ref":{"collection":"counters"},"id":"${id}"},"params":{"object":{"data":{"object":{"n":0}}}}}`;

/** Two engines on one log. The first has a request and a create on their way as one group, whose append waits for `fail`, and then finds no room. */
async function full(send: (engine: Engine) => unknown) {
  const log = memoryLog();
  const store = memoryLogStore(log);
  const append = store.append.bind(store);
  const first = await testClient(store, testPlatform());
  const second = await testClient(memoryLogStore(log), testPlatform());
  await first.query('{"create_collection":{"object":{"name":"counters"}}}');
  await first.query(create(1));
  let go = (): void => undefined;
  let fail = (): void => undefined;
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  // While one is on its way, the others gather behind it.
  store.append = async (...args) => {
    store.append = () => {
      store.append = append;
      hasBegun();
      return new Promise((_, reject) => (fail = () => reject(new StorageError('quota', 'there is no room left for more data'))));
    };
    await new Promise<void>((resolve) => (go = resolve));
    return append(...args);
  };
  const before = first.query(create(3));
  const group = [send(first.engine), first.query(create(2))];
  await new Promise((resolve) => setTimeout(resolve, 20));
  go();
  await Promise.all([before, begun]);
  return { first, store, second, group, fail: () => fail() };
}

const count = `{"select":["data","n"],"from":{"get":{"ref":${counter}}}}`;

it('of a group that found no room, what has read something that another engine has changed meanwhile runs again', async () => {
  const { first, second, group, fail } = await full((engine) => engine.handle(queryRequest(increment, { id: 'one' })));
  await second.query(increment);
  // A reader learns of it while the group is still on its way.
  expect((await first.query(count)).text).toBe('{"resource":1}');
  fail();
  expect(await Promise.all(group)).toMatchObject([{ status: 200 }, { status: 201 }]);
  expect((await second.query(count)).text).toBe('{"resource":2}');
});

it('and what the other has applied itself is not applied twice', async () => {
  const same = queryRequest(increment, { id: 'the same' });
  const { first, second, group, fail } = await full((engine) => engine.handle(same));
  await second.engine.handle(same);
  expect((await first.query(count)).text).toBe('{"resource":1}');
  fail();
  expect(await Promise.all(group)).toMatchObject([{ status: 200 }, { status: 201 }]);
  // Applied twice it would have set the same number again.
  expect((await second.query(`{"count":{"events":{"ref":${counter}}}}`)).text).toBe('{"resource":2}');
});

it.each([0, 1, 2, 3, 4])('nor is it taken for somebody else before it where this is learned of %i turns after it found no room', async (turns) => {
  const { first, store, second, group, fail } = await full((engine) => engine.handle(queryRequest(increment, { id: 'one' })));
  await second.query(increment.replace(',1]', ',10]'));
  const tail = store.tail.bind(store);
  let go = (): void => undefined;
  let hasRead = (): void => undefined;
  const read = new Promise<void>((resolve) => (hasRead = resolve));
  store.tail = async (after) => {
    store.tail = tail;
    const found = await tail(after);
    hasRead();
    await new Promise<void>((resolve) => (go = resolve));
    return found;
  };
  const counted = first.query(count);
  await read;
  fail();
  for (let left = turns; left > 0; left--) await null;
  go();
  expect((await counted).text).toBe('{"resource":10}');
  expect(await Promise.all(group)).toMatchObject([{ status: 200 }, { status: 201 }]);
  expect((await second.query(count)).text).toBe('{"resource":11}');
});

it('nobody builds on a group of a database that was emptied before its end was reported', async () => {
  const log = memoryLog();
  const other = await testClient(memoryLogStore(log), testPlatform());
  const make = '{"create_collection":{"object":{"name":"counters"}}}';
  await other.query(make);
  const store = memoryLogStore(log);
  const append = store.append.bind(store);
  let report = (): void => undefined;
  const held = new Promise<void>((resolve) => (report = resolve));
  store.append = (...args) => {
    store.append = append;
    return append(...args).finally(() => held);
  };
  const client = await testClient(store, testPlatform());
  const first = client.query(create(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await other.engine.reset();
  await other.query(make);
  const exists = `{"exists":{"ref":${counter}}}`;
  expect((await client.query(exists)).text).toBe('{"resource":false}');
  const second = client.query(create(2).replace('"n":0', `"n":${exists}`));
  await new Promise((resolve) => setTimeout(resolve, 20));
  report();
  // It was there, before it was deleted with all the rest.
  expect((await first).status).toBe(201);
  expect((await second).text).toContain('"data":{"n":false}');
});

// In WebKit a connection has one transaction at a time; in other browsers several.
import { expect, it, vi } from 'vitest';
import { ownDatabase } from '../testing/native-database.ts';
import { bytes, write } from '../testing/records.ts';

const own = ownDatabase('turns');
const isWebKit = !/Chrome\/|Firefox\//.test(navigator.userAgent);

/** How many transactions there were each time that one was opened. */
function watched(): readonly number[] {
  let open = 0;
  const together: number[] = [];
  const { transaction } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    const begun = transaction.apply(this, args);
    together.push(++open);
    for (const event of ['complete', 'abort']) begun.addEventListener(event, () => open--);
    return begun;
  });
  return together;
}

it('what is asked at once is answered, each in a transaction of its own', async () => {
  const store = await own.openEngine();
  await write(store, 'one');
  const together = watched();
  const blocks = [{ id: 1, bytes: bytes('block') }];
  const answers = await Promise.all([store.tail(0), store.writeBlocks(blocks), store.append(1, () => bytes('two')), store.header(), store.tail(1)]);
  expect(answers).toMatchObject([{ floor: 0 }, true, { kind: 'appended', number: 2 }, { floor: 0 }, { floor: 0 }]);
  expect(together).toHaveLength(5);
  if (isWebKit) expect(together).toEqual([1, 1, 1, 1, 1]);
  else expect(Math.max(...together)).toBeGreaterThan(1);
});

it('one that is called off ends before the next begins', async () => {
  const store = await own.openEngine();
  await own.outside((db) => db.put('meta', 'damaged', 'manifest'));
  const together = watched();
  const install = store.install({ expected: 0, manifest: bytes('next'), floor: 0 });
  const tail = store.tail(0);
  await expect(install).rejects.toMatchObject({ code: 'corrupt' });
  expect(await tail).toMatchObject({ floor: 0, records: [] });
  expect(together).toEqual([1, isWebKit ? 1 : 2]);
});

it('one that fails gives its turn to the next', async () => {
  const store = await own.openEngine();
  const block = { id: 1, bytes: bytes('block') };
  await store.writeBlocks([block]);
  const taken = store.writeBlocks([{ id: 1, bytes: bytes('other') }]);
  const tail = store.tail(0);
  expect(await taken).toBe(false);
  expect(await tail).toMatchObject({ floor: 0, records: [] });
  expect(await store.readBlocks([1])).toEqual([block.bytes]);
});

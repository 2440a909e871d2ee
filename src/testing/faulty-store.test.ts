import { describe, expect, it } from 'vitest';
import { type LogStore, StorageError } from '../engine/kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { faultAt, faulty, type Schedule } from './faulty-store.ts';
import { logStoreLaws } from './laws/log-store.ts';
import { bytes, record } from './records.ts';

const lost = new StorageError('lost', 'by the test', { uncertain: true });

const openFaulty = async (schedule: Schedule): Promise<LogStore> => {
  const store = faulty(memoryLogStore(), schedule);
  await store.open();
  return store;
};

describe('a faulty store', () => {
  it('can fail before a call takes effect', async () => {
    const store = await openFaulty(faultAt('append', 1, { when: 'before', error: lost }));
    await expect(store.append(0, () => bytes('one'))).rejects.toBe(lost);
    expect((await store.tail(0)).records).toEqual([]);
  });

  it('can fail after a call took effect', async () => {
    const store = await openFaulty(faultAt('append', 1, { when: 'after', error: lost }));
    await expect(store.append(0, () => bytes('one'))).rejects.toBe(lost);
    expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
  });

  it('fails at the call it was told, and no other', async () => {
    const store = await openFaulty(faultAt('tail', 2, { when: 'before', error: lost }));
    await store.tail(0);
    await expect(store.tail(0)).rejects.toBe(lost);
    await expect(store.tail(0)).resolves.toMatchObject({ floor: 0, records: [] });
  });

  it('can hold up a call, so that a later one overtakes it', async () => {
    const { promise, resolve } = gate();
    const store = await openFaulty(faultAt('append', 1, { when: 'before', until: promise }));
    const held = store.append(0, () => bytes('held up'));
    await store.append(0, () => bytes('overtaking'));
    resolve();
    expect(await held).toEqual({ kind: 'appended', number: 2, unseen: [record(1, 'overtaking')] });
  });
});

logStoreLaws('a faulty store without faults', async () => {
  const log = memoryLog();
  return { store: () => faulty(memoryLogStore(log), () => undefined), dispose: async () => {} };
});

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((open) => (resolve = open));
  return { promise, resolve };
}

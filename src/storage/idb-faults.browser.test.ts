// Every native transaction of a small life of a database goes wrong once, in each way.
import { afterEach, describe, expect, it } from 'vitest';
import type { Appended, LogStore, Tail } from '../engine/kv/log-store.ts';
import { bytes, record, texts } from '../testing/records.ts';
import { ownDatabase } from '../testing/native-database.ts';
import { type NativeFault, type NativeFaults, nativeFaults } from '../testing/native-faults.ts';

const FAULTS: readonly NativeFault[] = ['refused', 'cut off', 'unseen'];

let faults: NativeFaults | undefined;
const { engine } = ownDatabase('faults');
const inject = (schedule: (nth: number) => NativeFault | undefined): void => {
  faults = nativeFaults(schedule);
};

afterEach(() => {
  faults?.restore();
  faults = undefined;
});

/** Numbers depend on how many void records were left on the way: what else a call has told. */
function told(result: Appended | Tail): unknown {
  if ('records' in result) return { settings: result.settings, records: texts(result.records) };
  return result.kind === 'trimmed' ? result : { kind: result.kind, unseen: texts(result.unseen) };
}

/** Two engines, appends that are alone and overtaken, blocks, an install, a trimmed log. */
async function life(a: LogStore, b: LogStore): Promise<unknown[]> {
  const results: unknown[] = [];
  const append = async (store: LogStore, after: number, plan: (seen: readonly string[]) => string | null): Promise<number> => {
    const result = await store.append(after, (unseen) => {
      const body = plan(texts(unseen));
      return body === null ? null : bytes(body);
    });
    results.push(told(result));
    return result.kind === 'appended' ? result.number : after;
  };
  results.push((await a.open({ durability: 'relaxed' })).settings);
  const one = await append(a, 0, () => 'one');
  const two = await append(a, one, () => 'two');
  results.push((await b.open()).settings);
  await append(b, 0, (seen) => `three after ${seen.length}`);
  await append(a, two, (seen) => (seen.length === 1 ? null : 'not refused'));
  await append(a, two, (seen) => (seen.length === 1 ? 'four' : 'not yet'));
  results.push(
    told(await a.tail(0)),
    await b.writeBlocks([{ id: 1, bytes: bytes('block') }]),
    await b.install({ expected: 0, manifest: bytes('manifest'), floor: one }),
    await a.install({ expected: 0, manifest: bytes('late'), floor: two }),
    await b.readBlocks([1, 2]),
    await a.deleteBlocks({ from: 1, to: 2 }, 1),
    await b.readBlocks([1, 2]),
    told(await b.tail(one)),
  );
  return results;
}

const EXPECTED = [
  { durability: 'relaxed' },
  { kind: 'appended', unseen: [] },
  { kind: 'appended', unseen: [] },
  { durability: 'relaxed' },
  { kind: 'appended', unseen: ['one', 'two'] },
  { kind: 'refused', unseen: ['three after 2'] },
  { kind: 'appended', unseen: ['three after 2'] },
  { settings: { durability: 'relaxed' }, records: ['one', 'two', 'three after 2', 'four'] },
  true,
  true,
  false,
  [bytes('block'), undefined],
  // Run again where its end was not seen, it finds none to delete.
  { deleted: expect.toBeOneOf([0, 1]) as number, next: null },
  [undefined, undefined],
  { settings: { durability: 'relaxed' }, records: ['two', 'three after 2', 'four'] },
];
const TRANSACTIONS = 18;

describe('when a native transaction goes wrong, every call still does what it says, once', () => {
  it(`(a life without faults takes ${TRANSACTIONS} transactions)`, async () => {
    inject(() => undefined);
    expect(await life(engine(), engine())).toEqual(EXPECTED);
    expect(faults?.count()).toBe(TRANSACTIONS);
  });

  const cases = FAULTS.flatMap((fault) => Array.from({ length: TRANSACTIONS }, (_, at) => [fault, at + 1] as const));
  it.each(cases)('%s, transaction %i', async (fault, at) => {
    inject((nth) => (nth === at ? fault : undefined));
    expect(await life(engine(), engine())).toEqual(EXPECTED);
  });

  it.each(FAULTS)('%s while the database is emptied', async (fault) => {
    const store = engine();
    await store.open();
    await store.append(0, () => bytes('one'));
    inject((nth) => (nth === 1 ? fault : undefined));
    await store.reset();
    const { floor, manifest } = await store.open();
    expect(manifest).toBeNull();
    expect(floor).toBeGreaterThan(1);
    expect(await store.tail(floor)).toMatchObject({ floor, records: [] });
  });

  it('a reset whose end was not seen is not done again: it would delete what others have written since', async () => {
    const [store, other] = [engine(), engine()];
    await store.open();
    await other.open();
    await store.append(0, () => bytes('one'));
    let writing: Promise<unknown> | undefined;
    inject((nth) => {
      if (nth > 1) return undefined;
      // In the browser's line it stands behind the reset, whose floor is 2.
      writing = other.append(2, () => bytes('two'));
      return 'unseen';
    });
    await store.reset();
    expect(await writing).toMatchObject({ kind: 'appended', number: 3 });
    expect((await store.tail(2)).records).toEqual([{ number: 3, body: bytes('two') }]);
  });
});

describe('when the transaction of an engine goes wrong that slept while the log was trimmed', () => {
  const appendAsleep = async (fault: NativeFault): Promise<unknown> => {
    const [awake, asleep] = [engine(), engine()];
    await awake.open();
    await asleep.open();
    await asleep.append(0, () => bytes('one'));
    await awake.append(1, () => bytes('two'));
    await awake.install({ expected: 0, manifest: bytes('manifest'), floor: 2 });
    inject((nth) => (nth === 1 ? fault : undefined));
    return asleep.append(1, () => bytes('late'));
  };

  it.each(['refused', 'unseen'] as const)('%s, it learns that it was trimmed', async (fault) => {
    expect(await appendAsleep(fault)).toEqual({ kind: 'trimmed', floor: 2 });
  });

  it('cut off, it cannot tell whether its record was trimmed or never came', async () => {
    await expect(appendAsleep('cut off')).rejects.toMatchObject({ code: 'lost', uncertain: true });
  });
});

describe('when the connection stays lost', () => {
  /** The append itself, then all that would find out what became of it. */
  const openWith = async (first: NativeFault): Promise<LogStore> => {
    const store = engine();
    await store.open();
    inject((nth) => (nth === 1 ? first : 'refused'));
    return store;
  };

  it('an append that nobody saw the end of says so, and is found later', async () => {
    const store = await openWith('unseen');
    await expect(store.append(0, () => bytes('one'))).rejects.toMatchObject({ code: 'lost', uncertain: true });
    faults?.restore();
    expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
  });

  it('an append that was never sent is known to have failed', async () => {
    const store = await openWith('refused');
    await expect(store.append(0, () => bytes('one'))).rejects.toMatchObject({ code: 'lost', uncertain: false });
    faults?.restore();
    expect((await store.tail(0)).records).toEqual([]);
  });

  it('an append that is trimmed before anybody can look is uncertain', async () => {
    const [a, b] = [engine(), engine()];
    await a.open();
    await b.open();
    let trimming: Promise<unknown> = Promise.resolve();
    inject((nth) => {
      // Transaction 2 is the first of the new connection; the install goes in before the look at the log.
      if (nth === 2) trimming = b.install({ expected: 0, manifest: bytes('manifest'), floor: 1 });
      return nth === 1 ? 'unseen' : undefined;
    });
    await expect(a.append(0, () => bytes('one'))).rejects.toMatchObject({ code: 'lost', uncertain: true });
    await trimming;
  });
});

describe('two engines that append the same bytes', () => {
  it('are told apart: what another one wrote is not taken for the own record', async () => {
    const [a, b] = [engine(), engine()];
    await a.open();
    await b.open();
    let racing: Promise<unknown> = Promise.resolve();
    inject((nth) => {
      // Ours is cut off, and before we look again, the other one takes the number.
      if (nth === 2) racing = b.append(0, () => bytes('same'));
      return nth === 1 ? 'cut off' : undefined;
    });
    expect(await a.append(0, () => bytes('same'))).toEqual({ kind: 'appended', number: 2, unseen: [record(1, 'same')] });
    expect(await racing).toEqual({ kind: 'appended', number: 1, unseen: [] });
  });
});

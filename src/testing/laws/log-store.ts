// The promises of the storage port, as tests that run on every backend.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORMAT, type Install, type LogStore, MAX_RECORD_BYTES, StorageError } from '../../engine/kv/log-store.ts';
import { blockLaws } from './blocks.ts';
import { solitaryLaws } from './solitary.ts';
import { appended, bytes, counting, follow, isSame, noise, record, spy, texts, write } from '../records.ts';

/** One log, and as many engines on it as a law wants. */
export interface LogUnderTest {
  /** A further store on the same log, not yet open. */
  readonly store: () => LogStore;
  readonly dispose: () => Promise<void>;
}

export function logStoreLaws(name: string, make: () => Promise<LogUnderTest>): void {
  describe(`${name} keeps the promises of the log store`, () => {
    let log: LogUnderTest;
    let stores: LogStore[] = [];
    const closedStore = (): LogStore => {
      const store = log.store();
      stores.push(store);
      return store;
    };
    const openStore = async (): Promise<LogStore> => {
      const store = closedStore();
      await store.open();
      return store;
    };
    beforeEach(async () => {
      log = await make();
    });
    afterEach(async () => {
      for (const store of stores) store.close();
      stores = [];
      await log.dispose();
    });

    describe('opening', () => {
      it('makes an empty, strict database of this format', async () => {
        expect(await closedStore().open()).toEqual({
          format: FORMAT,
          identity: expect.any(Number),
          settings: { durability: 'strict' },
          floor: 0,
          manifestNumber: 0,
          manifest: null,
        });
      });

      it('writes the settings it is given and keeps the others', async () => {
        await closedStore().open({ durability: 'relaxed' });
        await closedStore().open({ rootSecret: '1:c2FsdA==:aGFzaA==' });
        expect((await closedStore().open()).settings).toEqual({ durability: 'relaxed', rootSecret: '1:c2FsdA==:aGFzaA==' });
      });

      it('tells one database from another, and not one engine from another', async () => {
        const other = await make();
        const store = other.store();
        const [a, b, c] = [await closedStore().open(), await closedStore().open(), await store.open()];
        expect(a.identity).toBe(b.identity);
        expect(a.identity).not.toBe(c.identity);
        store.close();
        await other.dispose();
      });

      it('again shows the manifest and floor as they are now', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(b, 'one', 'two');
        await b.install({ ...change, manifest: bytes('manifest'), floor: 1 });
        expect(await a.open()).toMatchObject({ floor: 1, manifestNumber: 1, manifest: bytes('manifest') });
        expect(await a.header()).toEqual(await b.open());
      });

      it('comes before everything else', async () => {
        await expectRefused(closedStore());
      });
    });

    describe('appending', () => {
      it('numbers records from 1 without gaps', async () => {
        const store = await openStore();
        expect(await store.append(0, () => bytes('a'))).toEqual({ kind: 'appended', number: 1, unseen: [] });
        expect(await store.append(1, () => bytes('b'))).toEqual({ kind: 'appended', number: 2, unseen: [] });
        expect(await store.append(2, () => bytes('c'))).toEqual({ kind: 'appended', number: 3, unseen: [] });
      });

      it.each([
        ['0 bytes', 0],
        ['1 byte', 1],
        ['59 KB', 59 * 1024],
        ['60 KB', 60 * 1024],
        ['60 KB and a byte', 60 * 1024 + 1],
        ['61 KB', 61 * 1024],
        ['120 KB', 120 * 1024],
        ['1 MB', 1024 * 1024],
        ['5 MB', 5 * 1024 * 1024],
      ])('gives back records of %s, also as neighbours', async (_, size) => {
        const store = await openStore();
        const bodies = [noise(size, 1), bytes('between'), noise(size, 2)];
        for (const [number, body] of bodies.entries()) await store.append(number, () => body);
        const { records } = await (await openStore()).tail(0);
        expect(records.map(({ number }) => number)).toEqual([1, 2, 3]);
        expect(records.map(({ body }, at) => isSame(body, bodies[at]))).toEqual([true, true, true]);
      });

      it('keeps bytes as they were when their buffer is used again', async () => {
        const store = await openStore();
        const buffer = bytes('before-after');
        await store.append(0, () => buffer.subarray(0, 6));
        buffer.fill(0);
        expect(await store.tail(0)).toMatchObject({ floor: 0, records: [record(1, 'before')] });
      });

      it('refuses a record that is too large, and writes nothing', async () => {
        const store = await openStore();
        await expect(store.append(0, () => new Uint8Array(MAX_RECORD_BYTES + 1))).rejects.toMatchObject({ code: 'quota' });
        expect(await store.tail(0)).toMatchObject({ floor: 0, records: [] });
      });

      it('first runs the plan on an empty list, then on exactly the unseen records', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one', 'two', 'three');
        const { plan, shown } = spy('four');
        const appended = await b.append(1, plan);
        expect(appended).toEqual({ kind: 'appended', number: 4, unseen: [record(2, 'two'), record(3, 'three')] });
        expect(shown[0]).toEqual([]);
        expect(shown.at(-1)).toEqual([record(2, 'two'), record(3, 'three')]);
      });

      it('writes what the plan made of the unseen records', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one');
        await b.append(0, (unseen) => bytes(`after ${unseen.length}`));
        expect((await a.tail(1)).records).toEqual([record(2, 'after 1')]);
      });

      it('writes nothing when the plan refuses at once', async () => {
        const store = await openStore();
        expect(await store.append(0, () => null)).toEqual({ kind: 'refused', unseen: [] });
        expect(await store.tail(0)).toMatchObject({ floor: 0, records: [] });
      });

      it('writes nothing when the plan refuses the unseen records, and hands them over', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one');
        const refusal = await b.append(0, (unseen) => (unseen.length > 0 ? null : bytes('never')));
        expect(refusal).toEqual({ kind: 'refused', unseen: [record(1, 'one')] });
        expect((await a.tail(0)).records).toEqual([record(1, 'one')]);
      });

      it('rejects with what the plan threw, writes nothing, and goes on', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await expect(a.append(0, fail)).rejects.toThrow('plan failed');
        await write(a, 'one');
        await expect(b.append(0, (unseen) => (unseen.length > 0 ? fail() : bytes('never')))).rejects.toThrow('plan failed');
        expect(await b.append(1, () => bytes('two'))).toEqual({ kind: 'appended', number: 2, unseen: [] });
        expect((await a.tail(0)).records).toEqual([record(1, 'one'), record(2, 'two')]);
      });

      it('never gives two racing appends one number, and shows one of them to the other', async () => {
        const [a, b] = [await openStore(), await openStore()];
        const both = await Promise.all([a.append(0, () => bytes('a')), b.append(0, () => bytes('b'))]);
        const [first, second] = both.map(appended).sort((x, y) => x.number - y.number);
        expect([first?.number, second?.number]).toEqual([1, 2]);
        expect(first?.unseen).toEqual([]);
        expect(second?.unseen).toEqual((await a.tail(0)).records.slice(0, 1));
      });

      it('orders racing appends of one and the same store too', async () => {
        const store = await openStore();
        const all = await Promise.all(['a', 'b', 'c'].map((text) => store.append(0, () => bytes(text))));
        expect(all.map((one) => appended(one).number).sort()).toEqual([1, 2, 3]);
      });

      it('keeps six engines in agreement while they race', async () => {
        const engines = await Promise.all(Array.from({ length: 6 }, openStore));
        const seen = await Promise.all(engines.map((store, engine) => follow(store, `engine ${engine}`, 15)));
        const { records } = await (await openStore()).tail(0);
        expect(records.map(({ number }) => number)).toEqual(records.map((_, at) => at + 1));
        expect(counting(records)).toHaveLength(90);
        expect(new Set(texts(records)).size).toBe(90);
        // What an engine saw, own and foreign, is the log up to its last append.
        for (const history of seen) expect(history).toEqual(records.slice(0, history.length));
      });
    });

    describe('the tail', () => {
      it('is what comes after a number, in order', async () => {
        const store = await openStore();
        await write(store, 'one', 'two', 'three');
        expect(await store.tail(0)).toMatchObject({ floor: 0, records: [record(1, 'one'), record(2, 'two'), record(3, 'three')] });
        expect(await store.tail(2)).toMatchObject({ floor: 0, records: [record(3, 'three')] });
        expect(await store.tail(3)).toMatchObject({ floor: 0, records: [] });
      });

      it('shows every engine what was acknowledged before it was asked for', async () => {
        const [a, b] = [await openStore(), await openStore()];
        for (let number = 0; number < 10; number++) {
          await a.append(number, () => bytes(`record ${number + 1}`));
          expect((await b.tail(number)).records).toEqual([record(number + 1, `record ${number + 1}`)]);
        }
      });

      it('is empty under the floor, and says where the floor is', async () => {
        const store = await openStore();
        await write(store, 'one', 'two', 'three');
        await store.install({ ...change, floor: 2 });
        expect(await store.tail(1)).toMatchObject({ floor: 2, records: [] });
        expect(await store.tail(2)).toMatchObject({ floor: 2, records: [record(3, 'three')] });
      });
    });

    describe('installing', () => {
      it('swaps the manifest and counts its number up', async () => {
        const store = await openStore();
        expect(await store.install({ ...change, manifest: bytes('first') })).toBe(true);
        expect(await store.install({ ...change, expected: 1, manifest: bytes('second') })).toBe(true);
        expect(await (await openStore()).open()).toMatchObject({ manifestNumber: 2, manifest: bytes('second') });
      });

      it('is fenced: a change computed from another manifest does nothing at all', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one', 'two');
        await a.writeBlocks([{ id: 1, bytes: bytes('block') }]);
        await a.install({ ...change, manifest: bytes('kept') });
        expect(await b.install({ ...change, manifest: bytes('late'), floor: 2 })).toBe(false);
        expect(await b.open()).toMatchObject({ floor: 0, manifestNumber: 1, manifest: bytes('kept') });
        expect(await b.readBlocks([1])).toEqual([bytes('block')]);
        expect((await b.tail(0)).records).toHaveLength(2);
      });

      it('lets one of two racing changes through', async () => {
        const [a, b] = [await openStore(), await openStore()];
        const both = await Promise.all([a.install({ ...change, manifest: bytes('a') }), b.install({ ...change, manifest: bytes('b') })]);
        expect([...both].sort()).toEqual([false, true]);
        expect((await a.open()).manifest).toEqual(bytes(both[0] ? 'a' : 'b'));
      });

      it('refuses a change that was meant for a log without later records', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one', 'two');
        expect(await b.install({ ...change, floor: 3, last: 1 })).toBe(false);
        expect((await b.tail(0)).records).toHaveLength(2);
        expect(await b.install({ ...change, floor: 3, last: 2 })).toBe(true);
        expect(await a.install({ ...change, expected: 1, floor: 4, last: 3 })).toBe(true);
      });

      it('never lowers the floor', async () => {
        const store = await openStore();
        await write(store, 'one', 'two', 'three');
        await store.install({ ...change, floor: 2 });
        expect(await store.install({ ...change, expected: 1, floor: 1 })).toBe(true);
        expect(await store.tail(2)).toMatchObject({ floor: 2, records: [record(3, 'three')] });
      });

      it('keeps the numbers growing after all records were trimmed', async () => {
        const store = await openStore();
        await write(store, 'one', 'two');
        await store.install({ ...change, floor: 2 });
        expect(await store.append(2, () => bytes('three'))).toEqual({ kind: 'appended', number: 3, unseen: [] });
      });

      it('can lift the floor above the last record; numbers go on from there', async () => {
        const store = await openStore();
        await write(store, 'one');
        await store.install({ ...change, floor: 100 });
        expect(await store.append(1, () => bytes('late'))).toEqual({ kind: 'trimmed', floor: 100 });
        const { number } = appended(await store.append(100, () => bytes('next')));
        expect(number).toBeGreaterThan(100);
        const { floor, records } = await store.tail(100);
        expect({ floor, records: counting(records) }).toEqual({ floor: 100, records: [record(number, 'next')] });
      });

      it('turns away an engine that slept through it, and nobody ever sees its record', async () => {
        const [awake, asleep] = [await openStore(), await openStore()];
        await write(awake, 'one', 'two', 'three');
        await awake.install({ ...change, floor: 2 });
        for (const after of [0, 1]) {
          expect(await asleep.append(after, () => bytes('late'))).toEqual({ kind: 'trimmed', floor: 2 });
        }
        expect(await awake.tail(2)).toMatchObject({ floor: 2, records: [record(3, 'three')] });
        await awake.install({ ...change, expected: 1, floor: 3 });
        expect(await asleep.append(2, () => bytes('late'))).toEqual({ kind: 'trimmed', floor: 3 });
        expect(await awake.tail(3)).toMatchObject({ floor: 3, records: [] });
        expect(await awake.append(3, () => bytes('four'))).toEqual({ kind: 'appended', number: 4, unseen: [] });
      });
    });

    describe('an engine that has been alone', () => solitaryLaws(openStore));

    describe('blocks', () => blockLaws(openStore));

    describe('a reset', () => {
      it('empties log, blocks and manifest, and keeps the settings', async () => {
        const store = await openStore();
        await store.open({ durability: 'relaxed' });
        await write(store, 'one', 'two');
        await store.writeBlocks([{ id: 1, bytes: bytes('block') }]);
        await store.install({ ...change, manifest: bytes('manifest'), floor: 1 });
        const { records } = await store.tail(1);
        await store.reset();
        const { floor, ...header } = await store.open();
        expect(header).toMatchObject({ settings: { durability: 'relaxed' }, manifest: null });
        expect(floor).toBe((records.at(-1)?.number ?? 0) + 1);
        expect(await store.tail(floor)).toMatchObject({ floor, records: [] });
        expect(await store.readBlocks([1])).toEqual([undefined]);
        expect(await store.append(floor, () => bytes('anew'))).toEqual({ kind: 'appended', number: floor + 1, unseen: [] });
      });

      it('shows itself to every engine, even to one that had seen the last record', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one', 'two');
        await a.reset();
        expect(await b.tail(2)).toMatchObject({ floor: 3, records: [] });
        expect(await b.append(2, () => bytes('late'))).toEqual({ kind: 'trimmed', floor: 3 });
      });

      it('fences off changes that were computed before it', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await a.install(change);
        await a.reset();
        const { manifestNumber } = await a.open();
        expect(await b.install({ ...change, expected: 0 })).toBe(false);
        expect(await b.install({ ...change, expected: 1 })).toBe(false);
        expect(await b.install({ ...change, expected: manifestNumber })).toBe(true);
      });
    });

    it('gives back room where it is of use, at any time, and changes nothing by it', async () => {
      await closedStore().reclaim?.();
      const store = await openStore();
      await write(store, 'one', 'two');
      await store.writeBlocks([{ id: 1, bytes: bytes('block') }]);
      await store.install({ ...change, manifest: bytes('manifest'), floor: 1 });
      const state = async (): Promise<unknown> => [await store.header(), (await store.tail(1)).records[0], await store.readBlocks([1])];
      const before = await state();
      await Promise.all([store.reclaim?.(), write(await openStore(), 'three'), store.reclaim?.()]);
      expect(await state()).toEqual(before);
      expect(texts((await store.tail(2)).records)).toEqual(['three']);
    });

    describe('closing', () => {
      it('refuses what comes later', async () => {
        const store = await openStore();
        store.close();
        await expectRefused(store);
      });

      it('leaves other stores open, and what it wrote in place', async () => {
        const [a, b] = [await openStore(), await openStore()];
        await write(a, 'one');
        a.close();
        expect((await b.tail(0)).records).toEqual([record(1, 'one')]);
      });

      it('can be followed by opening again', async () => {
        const store = await openStore();
        await write(store, 'one');
        store.close();
        await store.open();
        expect((await store.tail(0)).records).toEqual([record(1, 'one')]);
      });
    });
  });
}

/** An install that changes only the manifest; laws name what else they want. */
const change: Install = { expected: 0, manifest: new Uint8Array(0), floor: 0 };

function fail(): never {
  throw new Error('plan failed');
}

async function expectRefused(store: LogStore): Promise<void> {
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.header(),
    () => store.tail(0),
    () => store.append(0, () => bytes('never')),
    () => store.readBlocks([1]),
    () => store.writeBlocks([{ id: 1, bytes: bytes('never') }]),
    () => store.deleteBlocks({ from: 1, to: 2 }, 1),
    () => store.install(change),
    () => store.reset(),
  ];
  for (const call of calls) {
    const refusal = await call().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageError);
    expect(refusal).toMatchObject({ code: 'lost', uncertain: false });
  }
}

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import { decodeBlock } from '../kv/block.ts';
import { encodeBlock } from '../kv/block-writer.ts';
import { documentPrefix, stamp } from '../kv/keyspace.ts';
import { type Row, rowOf } from '../kv/rows.ts';
import type { Room } from '../kv/room.ts';
import { Weight } from '../kv/weight.ts';
import { FieldPath, type Told } from '../value/field-path.ts';
import { Obj } from '../value/obj.ts';
import { Doc, Ref, Time } from '../value/value.ts';
import { render } from '../wire/encode.ts';
import { WIRE_VERSIONS } from '../wire/version.ts';
import { decodeStored, encodeStored } from './stored.ts';
import { DELETED, fieldAt, isLive, LIVE, readVersion, type Version } from './version.ts';

const { utf8 } = testPlatform();
const REF = new Ref(1024, 7n, 0n);
const names = { scope: 0n, name: ({ id }: Ref) => `named ${id}`, databasePath: () => null };

const rowWith = (text: string): Row => rowOf(documentPrefix(0n, 1024, 7n) + stamp(1000, 1000), text);
afterEach(() => {
  vi.restoreAllMocks();
});

const storedAs = (fields: Obj): Row => rowWith(LIVE + encodeStored(fields, 1000));

describe('a document that is shown as it is stored', () => {
  it.each(Array.from({ length: 60 }, (_, at) => at + 1))('looks like one that is made and written anew, in every version: seed %i', (seed) => {
    const gen = new Gen(seed);
    for (let round = 0; round < 20; round++) {
      const any = gen.list(2, () => gen.value()).map((value, at) => [`${at}${gen.string()}`, value] as const);
      const data = Obj.of(['plain', gen.string()], ['list', gen.list(4, () => (gen.bool() ? gen.long() : gen.string()))], ...any);
      const text = encodeStored(gen.below(9) === 0 ? Obj.empty : Obj.of(['data', data]), 1000);
      const made = decodeStored(text) as Obj;
      for (const wire of Object.values(WIRE_VERSIONS)) {
        const context = { wire, names, commitTs: null };
        expect(render(new Doc(REF, 1000, readVersion(rowWith(LIVE + text))), context)).toBe(render(new Doc(REF, 1000, made), context));
      }
    }
  });

  it('has nothing in it that is stored in a form of its own, and is made only when somebody asks for its fields', () => {
    const shownAs = (fields: Obj): string | null | undefined => readVersion(storedAs(fields)).plain;
    expect(shownAs(Obj.of(['a', 1n], ['b', ['x@y', 1.5, null, true, Obj.empty]]))).toBe('{"a":1,"b":["x@y",1.5,null,true,{}]}');
    for (const value of [new Time(1n), REF, Obj.of(['@x', 1n]), Number.NaN, '@ at its beginning']) expect(shownAs(Obj.of(['a', value]))).toBeNull();
    expect(readVersion(rowWith(DELETED)).plain).toBeNull();

    const row = storedAs(Obj.of(['a', 1n]));
    const version = readVersion(row);
    expect([isLive(version, 5), row.memo]).toEqual([true, undefined]);
    expect([version.fields?.get('a'), row.memo, readVersion(row)]).toEqual([1n, version, version]);
  });

  it('is asked for a field or two without being made, and kept with what was found; made for those who ask for many', () => {
    const names = Array.from({ length: 12 }, (_, at) => `f${at}`);
    const paths = names.map((name) => new FieldPath(['data', name]));
    const row = storedAs(Obj.of(['data', Obj.from({ ...Object.fromEntries(names.map((name, at) => [name, BigInt(at)])), f1: [1n], f3: undefined })]));
    const at = (nth: number): Told => fieldAt(readVersion(row), paths[nth] as FieldPath);
    const asked = vi.spyOn(FieldPath.prototype, 'in');
    const made = (): boolean => (row.memo as { made?: unknown }).made !== undefined;

    expect([at(2), at(3), at(2), at(3)]).toEqual([2n, undefined, 2n, undefined]);
    expect([asked.mock.calls.length, made()]).toEqual([2, false]);
    expect([4, 5, 6, 7, 8, 9].map(at)).toEqual([4n, 5n, 6n, 7n, 8n, 9n]);
    expect([asked.mock.calls.length, made()]).toEqual([8, false]);
    expect([at(10), at(2), at(1), at(3)]).toEqual([10n, 2n, [1n], undefined]);
    expect([asked.mock.calls.length, made()]).toEqual([8, true]);

    const nested = storedAs(Obj.of(['data', Obj.of(['f1', [1n]])]));
    expect(fieldAt(readVersion(nested), paths[1] as FieldPath)).toEqual([1n]);
    const times = storedAs(Obj.of(['data', Obj.of(['f1', new Time(1n)])]));
    expect(fieldAt(readVersion(times), paths[1] as FieldPath)).toEqual(new Time(1n));
    expect(fieldAt(readVersion(rowWith(DELETED)), paths[1] as FieldPath)).toBeUndefined();
    expect(fieldAt({ time: 1, fields: Obj.of(['data', Obj.of(['f1', 'new'])]) }, paths[1] as FieldPath)).toBe('new');
  });

  it('takes what it weighs of the room, and gives all of it back', () => {
    const fields = Obj.of(['data', Obj.of(['a', 'x'.repeat(50)], ['b', 'y'.repeat(50)])]);
    const rows = Array.from({ length: 100 }, (_, id) => ({ key: documentPrefix(0n, 1024, BigInt(id)) + stamp(1000, 1000), text: LIVE + encodeStored(fields, 1000) }));
    const inRoom = (limit: number): { readonly room: Room; readonly weight: Weight; readonly stored: readonly Row[]; readonly kept: () => number } => {
      const room: Room = { used: 0, limit };
      const weight = new Weight();
      const stored = decodeBlock(encodeBlock(rows, utf8), utf8, weight);
      weight.enter(room, stored);
      return { room, weight, stored, kept: () => stored.filter(({ memo }) => memo !== undefined).length };
    };
    const [a, b] = [new FieldPath(['data', 'a']), new FieldPath(['data', 'b'])];
    const ample = inRoom(10 ** 6);
    const bare = ample.room.used;
    const grown = (act: (version: Version) => unknown): number => {
      const before = ample.room.used;
      for (const row of ample.stored) act(readVersion(row));
      return (ample.room.used - before) / 100;
    };
    expect(grown(({ time }) => time)).toBe(0);
    expect(grown((version) => fieldAt(version, a))).toBe(88 + 24 + 66);
    expect(grown((version) => fieldAt(version, b))).toBe(24 + 66);
    expect(grown((version) => fieldAt(version, a))).toBe(0);
    const made = grown((version) => version.fields) + 2 * (24 + 66);
    expect(made).toBeGreaterThan(2 * 66);
    expect(ample.room.used).toBe(bare + 100 * (88 + made));
    expect(ample.kept()).toBe(100);
    // Two readers of one row: what one of them has made serves the other.
    for (const row of ample.stored) row.memo = undefined;
    const again = ample.room.used;
    for (const row of ample.stored) {
      const [one, other] = [readVersion(row), readVersion(row)];
      expect([fieldAt(one, a), fieldAt(other, a), one.fields, other.fields]).toEqual(['x'.repeat(50), 'x'.repeat(50), fields, fields]);
    }
    expect(ample.room.used - again).toBe(100 * (88 + made));
    ample.weight.leave();
    expect(ample.room.used).toBe(0);

    // Room for the first field of all and no more: the second is found again each time, and pushes nothing out.
    const tight = inRoom(((bare + 100 * (88 + 24 + 66)) * 4) / 3);
    for (const field of [a, b, a, b]) for (const row of tight.stored) expect(fieldAt(readVersion(row), field)).toHaveLength(50);
    expect([tight.room.used, tight.kept()]).toEqual([bare + 100 * (88 + 24 + 66), 100]);
    // All fields of one: it goes with the next, and nothing is counted of those that went.
    for (const row of tight.stored) expect(readVersion(row).fields).not.toBeNull();
    expect(tight.room.used).toBeLessThanOrEqual(bare + 100 * (88 + 24 + 66));
    expect(tight.room.used).toBe(bare + (tight.kept() - 1) * (88 + made));
  });

  it('is there until its ttl, if it has one, and not once it is deleted', () => {
    const alive = (row: Row): boolean[] => [999, 1001, 10 ** 15].map((now) => isLive(readVersion(row), now));
    const ttl = new Time(1_000_000n);
    expect(alive(storedAs(Obj.of(['ttl', ttl])))).toEqual([true, false, false]);
    expect(alive(storedAs(Obj.of(['data', Obj.of(['ttl', ttl])])))).toEqual([true, true, true]);
    expect(alive(storedAs(Obj.of(['ttl', 'never'])))).toEqual([true, true, true]);
    expect(alive(rowWith(DELETED))).toEqual([false, false, false]);
  });
});

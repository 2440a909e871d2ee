import { describe, expect, it, vi } from 'vitest';
import { Gen } from '../../testing/gen.ts';
import { documentPrefix, stamp } from '../kv/keyspace.ts';
import { type Row, rowOf } from '../kv/rows.ts';
import { FieldPath, type Told } from '../value/field-path.ts';
import { Obj } from '../value/obj.ts';
import { Doc, Ref, Time } from '../value/value.ts';
import { render } from '../wire/encode.ts';
import { WIRE_VERSIONS } from '../wire/version.ts';
import { decodeStored, encodeStored } from './stored.ts';
import { DELETED, fieldAt, isLive, LIVE, readVersion } from './version.ts';

const REF = new Ref(1024, 7n, 0n);
const names = { scope: 0n, name: ({ id }: Ref) => `named ${id}`, databasePath: () => null };

const rowWith = (text: string): Row => rowOf(documentPrefix(0n, 1024, 7n) + stamp(1000, 1000), text);
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
    vi.restoreAllMocks();
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

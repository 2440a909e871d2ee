// What an engine that had the log to itself is told when others have been there since.
import { expect, it } from 'vitest';
import type { LogRecord, LogStore } from '../../engine/kv/log-store.ts';
import { appended, bytes, counting, record, spy, texts, write } from '../records.ts';

export function solitaryLaws(openStore: () => Promise<LogStore>): void {
  /** Others have added two records since, and perhaps trimmed them. */
  const overtaken = async (floor: number): Promise<{ readonly awake: LogStore; readonly asleep: LogStore }> => {
    const [awake, asleep] = [await openStore(), await openStore()];
    await write(asleep, 'one');
    await write(awake, 'two', 'three');
    await awake.install({ expected: 0, manifest: bytes('manifest'), floor });
    return { awake, asleep };
  };

  it('adds after what others have added', async () => {
    const { awake, asleep } = await overtaken(0);
    const { plan, shown } = spy('four');
    const { number, unseen } = appended(await asleep.append(1, plan));
    expect(counting(unseen)).toEqual([record(2, 'two'), record(3, 'three')]);
    expect(shown.at(-1)).toEqual(unseen);
    const { records } = await awake.tail(0);
    expect(texts(records)).toEqual(['one', 'two', 'three', 'four']);
    expect(records.at(-1)?.number).toBe(number);
  });

  it.each([2, 3, 100])('is turned away where the log was trimmed through %i, and nobody ever sees its record', async (floor) => {
    const { awake, asleep } = await overtaken(floor);
    expect(await asleep.append(1, () => bytes('late'))).toEqual({ kind: 'trimmed', floor });
    expect(texts((await awake.tail(floor)).records)).toEqual(floor === 2 ? ['three'] : []);
    await awake.append(Math.max(3, floor), () => bytes('four'));
    expect(texts((await asleep.tail(floor)).records)).toEqual(floor === 2 ? ['three', 'four'] : ['four']);
  });

  it('is turned away after a reset, even where it had seen the last record', async () => {
    const [awake, asleep] = [await openStore(), await openStore()];
    await write(asleep, 'one');
    await awake.reset();
    expect(await asleep.append(1, () => bytes('late'))).toEqual({ kind: 'trimmed', floor: 2 });
    expect(texts((await awake.tail(2)).records)).toEqual([]);
  });

  it('agrees with others that look before they add, and mostly are alone', async () => {
    const engines = await Promise.all(Array.from({ length: 4 }, openStore));
    const lives = engines.map(async (store, engine) => {
      const history: LogRecord[] = [];
      for (let time = 0; time < 25; time++) {
        await new Promise((resolve) => setTimeout(resolve, (engine * 7 + time * 5) % 13));
        history.push(...(await store.tail(history.length)).records);
        const body = bytes(`engine ${engine}, ${time}`);
        const { number, unseen } = appended(await store.append(history.length, () => body));
        history.push(...unseen, { number, body });
      }
      return history;
    });
    const seen = await Promise.all(lives);
    const { records } = await (await openStore()).tail(0);
    expect(new Set(texts(records)).size).toBe(100);
    expect(counting(records)).toHaveLength(100);
    for (const history of seen) expect(history).toEqual(records.slice(0, history.length));
  });

  it('adds nothing that its plan refuses once it has seen the others', async () => {
    const { awake, asleep } = await overtaken(0);
    const refusal = await asleep.append(1, (unseen) => (unseen.length > 0 ? null : bytes('never')));
    expect(refusal.kind).toBe('refused');
    await expect(asleep.append(1, (unseen) => (unseen.length > 0 ? fail() : bytes('never')))).rejects.toThrow('plan failed');
    expect(texts((await awake.tail(0)).records)).toEqual(['one', 'two', 'three']);
  });
}

function fail(): never {
  throw new Error('plan failed');
}

// Two engines on one log, one of which can be put to sleep in the middle of a call of its store.
import { memoryLog, memoryLogStore } from '../engine/kv/memory.ts';
import { testClient } from './client.ts';
import { faulty, type Method } from './faulty-store.ts';
import { testPlatform } from './platform.ts';

export const putSpell = (id: number): string =>
  `{"create":{"ref":{"collection":"spells"},"id":"${id}"},"params":{"object":{"data":{"object":{"pad":"${'x'.repeat(200)}"}}}}}`;

/** Until all that can go on has come to its end or waits. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * `awake` has twenty spells in blocks and a collection `log`, and puts all it writes into blocks when its upkeep runs.
 * @param method of the store at which `sleeper` falls asleep
 * @param cacheBytes of the sleeper: with none it reads every block from the store
 */
export async function withSleeper(method: Method, cacheBytes = 0) {
  const log = memoryLog();
  let now = 1_577_836_800_000_000;
  const platform = () => ({ ...testPlatform(), now: () => (now += 10) });
  const awake = await testClient(memoryLogStore(log), platform(), { flushAt: 1 });
  for (const name of ['spells', 'log']) await awake.query(`{"create_collection":{"object":{"name":"${name}"}}}`);
  for (let id = 1; id <= 20; id++) await awake.query(putSpell(id));
  await awake.engine.upkeep();

  let wake = (): void => undefined;
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  let left = 0;
  const store = faulty(memoryLogStore(log), (called) => (called !== method || left === 0 || --left > 0 ? undefined : { when: 'before', until: asleep }));
  const sleeper = await testClient(store, platform(), { flushAt: 2 ** 30, cacheBytes });
  await settled();
  return {
    log,
    awake,
    sleeper,
    /** Falls asleep at its `nth` call from now. */
    sleepAt: (nth: number): void => void (left = nth),
    /** Whether it has come to that call. */
    hasCome: (): boolean => left === 0,
    wake: (): void => wake(),
    time: (): number => now,
    pass: (microseconds: number): void => void (now += microseconds),
  };
}

// Every call of the storage port goes wrong once, in every way, during a small life of a
// database. A client that sends again what failed finds each of its writes there once.
import { describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../engine.ts';
import { type LogStore, StorageError } from '../kv/log-store.ts';
import { memoryLog, memoryLogStore } from '../kv/memory.ts';
import { queryRequest, testClient } from '../../testing/client.ts';
import { type Fault, faulty, type Method } from '../../testing/faulty-store.ts';
import { testPlatform } from '../../testing/platform.ts';

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const failure = (code: 'lost' | 'quota' | 'timeout', uncertain = false): StorageError => new StorageError(code, 'by the test', { uncertain });

const FAULTS: Readonly<Record<string, () => Fault>> = {
  aborted: () => ({ when: 'before', error: failure('lost') }),
  'full disk': () => ({ when: 'before', error: failure('quota') }),
  'connection lost after its effect': () => ({ when: 'after', error: failure('lost', true) }),
  'no end within the limit': () => ({ when: 'after', error: failure('timeout', true) }),
  'held up, then aborted': () => ({ when: 'before', until: turns(20), error: failure('timeout') }),
  slow: () => ({ when: 'after', until: turns(20) }),
  'out of order: later ones overtake it': () => ({ when: 'before', until: turns(20) }),
};

const COUNTER = '{"ref":{"collection":"counters"},"id":"1"}';
const N = `{"select":["data","n"],"from":{"get":${COUNTER}}}`;
const SET_UP = ['{"create_collection":{"object":{"name":"counters"}}}', `{"create":${COUNTER},"params":{"object":{"data":{"object":{"n":0}}}}}`];
/** Adds one, and a document beside it, large enough for the log to be flushed soon. */
const WRITE = `{"do":[{"create":{"collection":"counters"},"params":{"object":{"data":{"object":{"text":"${'x'.repeat(300)}"}}}}},
  {"update":${COUNTER},"params":{"object":{"data":{"object":{"n":{"add":[${N},1]}}}}}},${N}]}`;
const WRITES = 8;
const EXISTS = '{"exists":{"collection":"counters"}}';

/** Sends until it is answered; each failure has to be one the client can understand. */
async function insist(engine: Engine, id: string, body: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const response = await engine.handle(queryRequest(body, { id, resent: attempt > 0 }));
    const text = new TextDecoder().decode(response.body as Uint8Array);
    if (response.status < 300) return text;
    expect([503, 507], text).toContain(response.status);
    expect(text).toContain('by the test');
  }
  throw new Error(`${id} was refused again and again`);
}

async function open(store: LogStore): Promise<Engine> {
  const make = () => createEngine({ store, platform: testPlatform(), flushAt: 1500, cacheBytes: 0 });
  // A host opens again what did not open.
  return make().catch(make);
}

/** Two writers at a time, upkeep between them, and a look from outside at what is there. */
async function life(faultOf: (method: Method, nth: number) => Fault | undefined): Promise<void> {
  const log = memoryLog();
  const setUp = await testClient(memoryLogStore(log));
  for (const body of SET_UP) await setUp.query(body);
  const engine = await open(faulty(memoryLogStore(log), faultOf));
  const answers: string[] = [];
  for (let n = 0; n < WRITES; n += 2) {
    answers.push(...(await Promise.all([insist(engine, `w${n}`, WRITE), insist(engine, `w${n + 1}`, WRITE)])));
    await engine.upkeep();
  }
  expect(answers.sort()).toEqual(Array.from({ length: WRITES }, (_, n) => `{"resource":${n + 1}}`));
  expect(await insist(engine, 'read', N)).toBe(`{"resource":${WRITES}}`);
  const outside = await testClient(memoryLogStore(log));
  expect((await outside.query(`[${N},{"count":{"documents":{"collection":"counters"}}}]`)).text).toBe(`{"resource":[${WRITES},${WRITES + 1}]}`);
  await engine.reset().catch(() => engine.reset());
  expect((await outside.query(EXISTS)).text).toBe('{"resource":false}');
  expect(await insist(engine, 'read after the reset', EXISTS)).toBe('{"resource":false}');
}

/**
 * How often a life calls each method of the port at the least, whatever goes wrong. `reclaim` is left out: by its
 * contract it never fails, and no answer depends on it.
 */
const LEAST: Readonly<Record<Exclude<Method, 'reclaim'>, number>> = { open: 1, header: 3, tail: 10, append: 4, readBlocks: 20, writeBlocks: 4, deleteBlocks: 1, install: 1, reset: 1 };

/** @returns whether the life came to that call, so that the fault has struck */
async function strike(method: string, nth: number, fault: () => Fault): Promise<boolean> {
  let struck = false;
  const at = (called: Method, count: number): Fault | undefined => {
    if (called !== method || count !== nth) return undefined;
    struck = true;
    return fault();
  };
  await life(at).catch((error: unknown) => {
    throw new Error(`${method} ${nth}`, { cause: error });
  });
  return struck;
}

describe('at each call of the storage port, one a trial, up to the first that a life does not come to', () => {
  it.each(Object.entries(FAULTS))('%s', { timeout: 120_000 }, async (name, fault) => {
    const trials: string[] = [];
    for (const [method, least] of Object.entries(LEAST)) {
      let struck = 0;
      while (await strike(method, struck + 1, fault)) struck++;
      expect(struck, `calls of ${method} at which the fault has struck`).toBeGreaterThanOrEqual(least);
      trials.push(`${struck} ${method}`);
    }
    console.log(`${name}, at each call: ${trials.join(', ')}`);
  });
});

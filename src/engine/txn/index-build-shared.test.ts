// An index is built by whichever engine is there, and all of them have it whole.
import { describe, expect, it } from 'vitest';
import { memoryLogStore } from '../kv/memory.ts';
import { StorageError } from '../kv/log-store.ts';
import { type Fault, faultAt, faulty, type Method } from '../../testing/faulty-store.ts';
import { type TestClient, testClient } from '../../testing/client.ts';
import { testPlatform } from '../../testing/platform.ts';
import { chunked, exported } from '../../testing/transfer.ts';
import { ask, create, definition, expectBuilt, open, populatedLog, SMALL, THINGS, upTo } from '../../testing/index-builds.ts';

describe('several engines', () => {
  it('compete for it and build it once', async () => {
    const log = await populatedLog();
    const clients = [await open(log), await open(log), await open(log)] as const;
    await ask(clients[0], definition('built', THINGS));
    await Promise.all(clients.map((client) => client.engine.status()));
    await Promise.all(clients.map((client) => client.engine.upkeep()));
    for (const client of clients) await expectBuilt(client);
    await expectBuilt(await open(log));
  });

  it('read it whole where one does all of it and the others only hear that it is built', async () => {
    const log = await populatedLog();
    const [worker, idle] = [await open(log), await open(log, { ...SMALL, exclusively: async () => {} })];
    await ask(worker, definition('built', THINGS));
    expect((await idle.engine.status()).builds).toHaveLength(1);
    await worker.engine.upkeep();
    await expectBuilt(idle);
  });

  it('read it whole where one hears of it by a commit of its own', async () => {
    const log = await populatedLog();
    const [worker, idle] = [await open(log), await open(log, { ...SMALL, exclusively: async () => {}, solitude: { period: () => 1 } })];
    await ask(worker, definition('built', THINGS));
    await idle.engine.status();
    await worker.engine.upkeep();
    await ask(idle, create(7000, 'parts'));
    await expectBuilt(idle);
  });

  const CALLS: readonly Method[] = ['writeBlocks', 'install', 'append', 'readBlocks'];
  it.each(CALLS.flatMap((method) => (['before', 'after'] as const).map((when) => ({ method, when }))))(
    'go on where one was killed in $method ($when it took effect)',
    async ({ method, when }) => {
      for (const nth of method === 'append' ? [1] : [1, 3]) {
        const log = await populatedLog();
        const client = await open(log);
        await ask(client, definition('built', THINGS));
        await client.engine.close();
        // It never comes back from that call, as a tab that was killed.
        const killed = new Promise<undefined>(() => undefined);
        let calls = 0;
        const dying = await testClient(
          faulty(memoryLogStore(log), (called) => {
            if (called === method) calls++;
            return called === method && calls >= nth ? { when, until: killed } : undefined;
          }),
          testPlatform(),
          SMALL,
        );
        void dying.engine.upkeep();
        await expect.poll(() => calls, { timeout: 10_000 }).toBeGreaterThanOrEqual(nth);
        await expectBuilt(await open(log));
      }
    },
  );

  it.each(upTo(6).map((n) => n + 1))('go on where one was killed after its change number %i, which no other has heard of', async (last) => {
    const log = await populatedLog();
    const client = await open(log);
    await ask(client, definition('built', THINGS));
    await client.engine.close();
    let release = (): void => {};
    const freed = new Promise<void>((resolve) => (release = resolve));
    const opened = (): Promise<TestClient> => testClient(memoryLogStore(log), testPlatform(), { ...SMALL, exclusively: (work) => freed.then(work) });
    let waiting = await opened();
    const killed = new Promise<undefined>(() => undefined);
    let changes = 0;
    const schedule = (called: Method): Fault | undefined => {
      if (changes === last) return { when: 'before', until: killed };
      if (called !== 'install') return undefined;
      changes++;
      // Another one knows all that was there before.
      const until = Promise.all([opened(), waiting.engine.close()]).then(([client]) => (waiting = client));
      return { when: 'before', until };
    };
    const dying = await testClient(faulty(memoryLogStore(log), schedule), testPlatform(), SMALL);
    const { manifestNumber } = log.header;
    void dying.engine.upkeep();
    await expect.poll(() => log.header.manifestNumber).toBe(manifestNumber + last);
    release();
    await expectBuilt(waiting);
  });

  it('try again when the store fails', async () => {
    const log = await populatedLog();
    const client = await open(log);
    await ask(client, definition('built', THINGS));
    await client.engine.close();
    const lost = new StorageError('lost', 'a test cut the line', { uncertain: true });
    const failing = await testClient(faulty(memoryLogStore(log), faultAt('install', 2, { when: 'before', error: lost })), testPlatform(), SMALL);
    await failing.engine.upkeep();
    expect((await failing.engine.status()).builds).toHaveLength(1);
    // Nobody asks for it: it comes by itself.
    await expect.poll(async () => (await failing.engine.status()).builds.length, { timeout: 10_000 }).toBe(0);
    await expectBuilt(failing);
  });

  it('build anew what an import brings, also where the last commit for one of the same name is on its way', async () => {
    const log = await populatedLog();
    const idle = await open(log, { ...SMALL, exclusively: async () => {} });
    await ask(idle, definition('built', THINGS));
    // In it the index is but begun.
    const file = await exported(idle.engine);
    let go = (): void => {};
    const until = new Promise<void>((resolve) => (go = resolve));
    let isHeld = false;
    const held = faulty(memoryLogStore(log), (called) => {
      if (called !== 'append' || isHeld) return undefined;
      isHeld = true;
      return { when: 'before', until };
    });
    const worker = await testClient(held, testPlatform(), SMALL);
    const upkeep = worker.engine.upkeep();
    await expect.poll(() => isHeld, { timeout: 10_000 }).toBe(true);
    await idle.engine.importDatabase(chunked(file), { replace: true });
    go();
    await upkeep;
    expect(await ask(idle, '{"add":[1,2]}')).toBe('3');
    await expectBuilt(idle);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { announce, lockName, type Presence } from './presence.ts';

const opened: Presence[] = [];
let databases = 0;
let database = '';

/** Milliseconds the clock of the tests is ahead. */
let ahead = 0;
const clock = (): number => performance.now() + ahead;

async function arrive(): Promise<Presence> {
  const presence = announce(database, clock);
  opened.push(presence);
  await presence.known;
  return presence;
}

/** The period once it is one; asking starts the search. */
async function aloneAt(presence: Presence): Promise<number> {
  await expect.poll(() => presence.period(), { interval: 5, timeout: 3000 }).not.toBeNull();
  return presence.period() as number;
}

afterEach(() => {
  for (const presence of opened.splice(0)) presence.leave();
  ahead = 0;
});

function fresh(name = `presence-${++databases}`): void {
  database = name;
}

describe('a lone engine', () => {
  it('knows that it is alone when it has arrived, and stays so while it works', async () => {
    fresh();
    const presence = await arrive();
    const first = presence.period();
    expect(first).not.toBeNull();
    for (let step = 0; step < 8; step++) {
      ahead += 350;
      presence.period();
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(presence.period()).toBe(first);
    }
  });

  it('begins a new period after a pause in which somebody may have come and gone', async () => {
    fresh();
    const presence = await arrive();
    const first = await aloneAt(presence);
    ahead += 1000;
    expect(presence.period()).toBeNull();
    expect(await aloneAt(presence)).not.toBe(first);
  });

  it('does not mind engines of another database', async () => {
    fresh();
    await arrive();
    fresh(`${database}:more`);
    expect(typeof (await aloneAt(await arrive()))).toBe('number');
  });
});

describe('a newcomer', () => {
  it('is known to the one who was alone before it may append', async () => {
    fresh();
    const old = await arrive();
    await aloneAt(old);
    const began = performance.now();
    const young = await arrive();
    expect(performance.now() - began).toBeLessThan(900);
    expect([old.period(), young.period()]).toEqual([null, null]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([old.period(), young.period()]).toEqual([null, null]);
  });

  it('leaves a new period behind when it goes', async () => {
    fresh();
    const old = await arrive();
    const first = await aloneAt(old);
    const young = await arrive();
    young.leave();
    ahead += 400;
    expect(await aloneAt(old)).not.toBe(first);
  });

  it('waits the second of one that does not answer', async () => {
    fresh();
    let release: () => void = () => undefined;
    const deaf = crypto.randomUUID();
    void navigator.locks.request(lockName(deaf, database), () => new Promise<void>((resolve) => (release = resolve)));
    await expect.poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === lockName(deaf, database))).toBe(true);
    const began = performance.now();
    const young = await arrive();
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
    expect(young.period()).toBeNull();
    release();
  });

  it('does not wait for one that dies meanwhile', async () => {
    fresh();
    const dying = crypto.randomUUID();
    void navigator.locks.request(lockName(dying, database), () => new Promise<void>((resolve) => setTimeout(resolve, 100)));
    await expect.poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === lockName(dying, database))).toBe(true);
    const began = performance.now();
    await arrive();
    expect(performance.now() - began).toBeLessThan(900);
  });
});

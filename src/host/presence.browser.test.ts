import { afterEach, describe, expect, it } from 'vitest';
import { appear, appearEarly, lockName, type Neighbours, neighboursOf, vanish } from './neighbours.ts';
import { presence, type Presence } from './presence.ts';

const opened: Presence[] = [];
let databases = 0;
let database = '';

/** Milliseconds the clock of the tests is ahead. */
let ahead = 0;

async function arrive(): Promise<Presence> {
  const around = neighboursOf(database) as Neighbours;
  const clock = (): number => performance.now() + ahead;
  const pause = async (ms: number): Promise<void> => {
    for (const end = clock() + ms; clock() < end; ) await new Promise((resolve) => setTimeout(resolve, Math.min(10, end - clock())));
  };
  const here = presence(Object.assign(around, { clock, pause }));
  opened.push(here);
  await here.arrived;
  return here;
}

/** The period once it is one; asking starts the search. */
async function aloneAt(presence: Presence): Promise<number> {
  await expect.poll(() => presence.period(), { interval: 5, timeout: 3000 }).not.toBeNull();
  return presence.period() as number;
}

/** How long a change had to wait, milliseconds. */
async function waited(presence: Presence): Promise<number> {
  const began = performance.now();
  return presence.write(() => Promise.resolve(performance.now() - began));
}

const isSeen = async (name: string): Promise<boolean> => (await navigator.locks.query()).held?.some((lock) => lock.name === name) === true;

/** Somebody who is here and never answers; gone after so many milliseconds, or when told to. */
async function deaf(ms = Infinity): Promise<() => void> {
  const name = lockName('here', crypto.randomUUID(), database);
  let release: () => void = () => undefined;
  void navigator.locks.request(name, () => new Promise<void>((resolve) => (release = resolve)));
  await expect.poll(() => isSeen(name)).toBe(true);
  if (ms < Infinity) setTimeout(release, ms);
  return release;
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
      // Answered after what it has asked itself.
      await presence.write(() => navigator.locks.query());
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
    await waited(await arrive());
    fresh(`${database}:more`);
    expect(typeof (await aloneAt(await arrive()))).toBe('number');
  });
});

describe('engines that only read', () => {
  it('are each alone', async () => {
    fresh();
    const all = await Promise.all([arrive(), arrive(), arrive()]);
    for (const presence of all) await aloneAt(presence);
  });
});

describe('one that is about to write', () => {
  it('is known to those who were alone before it does', async () => {
    fresh();
    const all = [await arrive(), await arrive(), await arrive()];
    await Promise.all(all.map(aloneAt));
    const [writer, ...others] = all as [Presence, ...Presence[]];
    let during: unknown[] = [];
    await writer.write(async () => {
      during = others.map((presence) => presence.period());
    });
    expect(during).toEqual([null, null]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(others.map((presence) => presence.period())).toEqual([null, null]);
    // Nobody else writes.
    expect(typeof (await aloneAt(writer))).toBe('number');
  });

  it('is alone no more where another one writes', async () => {
    fresh();
    const [a, b] = [await arrive(), await arrive()];
    expect(await waited(a)).toBeLessThan(900);
    expect(await waited(b)).toBeLessThan(900);
    await expect.poll(() => [a.period(), b.period()]).toEqual([null, null]);
  });

  it('leaves a new period behind when it goes', async () => {
    fresh();
    const [old, young] = [await arrive(), await arrive()];
    const first = await aloneAt(old);
    await waited(young);
    young.leave();
    ahead += 400;
    expect(await aloneAt(old)).not.toBe(first);
  });

  it('leaves a new period behind when it has not written for a while, and writes again', async () => {
    fresh();
    const [old, young] = [await arrive(), await arrive()];
    const first = await aloneAt(old);
    await waited(young);
    expect(old.period()).toBeNull();
    ahead += 5_000;
    const second = await aloneAt(old);
    expect(second).not.toBe(first);
    expect(await waited(young)).toBeLessThan(900);
    expect(old.period()).toBeNull();
  });

  it('waits the second of one that does not answer, once', async () => {
    fresh();
    const release = await deaf();
    const presence = await arrive();
    expect(await waited(presence)).toBeGreaterThanOrEqual(1000);
    ahead += 6_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await waited(presence)).toBeLessThan(100);
    release();
  });

  it('rests once nobody is left that does not answer', async () => {
    fresh();
    const release = await deaf();
    const [writer, reader] = [await arrive(), await arrive()];
    expect(await waited(writer)).toBeGreaterThanOrEqual(1000);
    release();
    ahead += 5_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    ahead += 5_000;
    expect(typeof (await aloneAt(reader))).toBe('number');
  });

  it('is nothing to the others once it has left, also where it had not arrived', async () => {
    fresh();
    presence(neighboursOf(database)).leave();
    const left = await arrive();
    left.leave();
    await left.write(() => Promise.resolve());
    const held = async (): Promise<unknown> => (await navigator.locks.query()).held?.filter(({ name = '' }) => name.endsWith(`:${database}`));
    await expect.poll(held).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await held()).toEqual([]);
  });

  it('does not wait for one that dies meanwhile', async () => {
    fresh();
    await deaf(100);
    expect(await waited(await arrive())).toBeLessThan(900);
  });

  it('does not wait for one that is still on its way, and that one sees it when it comes', async () => {
    fresh();
    const early = appear(database);
    await early?.shown;
    const writer = await arrive();
    expect(await waited(writer)).toBeLessThan(900);
    const late = presence(early?.around ?? null, early?.shown);
    opened.push(late);
    await late.arrived;
    expect(late.period()).toBeNull();
    await late.write(() => Promise.resolve());
    expect(await isSeen(lockName('writes', early?.around.id ?? '', database))).toBe(true);
  });

  it('does not wait when nobody is there', async () => {
    fresh();
    // For one that does not answer it would be 1.1 s.
    expect(await waited(await arrive())).toBeLessThan(900);
  });
});

it('appears before anybody asks, once, and for each who asks later', async () => {
  fresh();
  const ask = appearEarly(database);
  const seen = async (): Promise<number> => (await navigator.locks.query()).held?.filter(({ name = '' }) => name.endsWith(`:${database}`)).length ?? 0;
  await expect.poll(seen).toBe(1);
  const first = ask();
  await first?.shown;
  expect(await seen()).toBe(1);
  const second = ask();
  await second?.shown;
  expect(await seen()).toBe(2);
  expect(second?.around.id).not.toBe(first?.around.id);
  for (const each of [first, second]) vanish(each);
  await expect.poll(seen).toBe(0);
});

it('is seen by nobody where the browser refuses it a channel, as Firefox does to pages that may not store anything', () => {
  const { BroadcastChannel } = globalThis;
  globalThis.BroadcastChannel = class {
    constructor() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }
  } as unknown as typeof BroadcastChannel;
  try {
    expect(appear('db')).toBeNull();
  } finally {
    globalThis.BroadcastChannel = BroadcastChannel;
  }
});

describe('word of a commit', () => {
  it('is heard by the other engines of the database, and by no others', async () => {
    fresh();
    const foreign = await arrive();
    fresh();
    const [own, other, third] = [await arrive(), await arrive(), await arrive()];
    const heard: string[] = [];
    own.onHint = () => heard.push('own');
    foreign.onHint = () => heard.push('foreign');
    await new Promise<void>((resolve) => {
      let left = 2;
      other.onHint = third.onHint = () => --left === 0 && resolve();
      own.tell();
    });
    expect(heard).toEqual([]);
  });

  it('is not given where there is nobody to hear it', async () => {
    fresh();
    const messages: unknown[] = [];
    const channel = new BroadcastChannel(`vivarium:${database}`);
    channel.onmessage = ({ data }) => messages.push(data);
    const lone = await arrive();
    await lone.write(() => Promise.resolve());
    lone.tell();
    (await arrive()).tell();
    await expect.poll(() => messages.at(-1)).toEqual({ kind: 'committed' });
    channel.close();
    expect(messages).toEqual([{ kind: 'here' }, { kind: 'committed' }]);
  });

  it('is not given, nor waited for, where the browser has no locks or channels', async () => {
    const here = presence(null);
    await here.arrived;
    here.tell();
    expect(await waited(here)).toBeLessThan(900);
    expect(here.period()).toBeNull();
    here.leave();
  });
});

import { describe, expect, it } from 'vitest';
import { Gen } from '../testing/gen.ts';
import { PresenceModel } from '../testing/presence-model.ts';
import type { Message, Neighbours, Role } from './neighbours.ts';
import { presence } from './presence.ts';

const LIVES = 400;
const STEPS = 600;

it.each([1, 1_001, 2_001, 3_001])('an engine that is alone has read all that was acknowledged, in lives from seed %i on', { timeout: 120_000 }, async (from) => {
  let [alone, changes] = [0, 0];
  for (let seed = from; seed < from + LIVES; seed++) {
    const life = new PresenceModel(new Gen(seed), STEPS);
    await life.run().catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    alone += life.answeredAlone;
    changes += life.changes;
  }
  // Or nothing would have been tried.
  expect(alone).toBeGreaterThan(LIVES);
  expect(changes).toBeGreaterThan(LIVES);
});

describe('an answer or a message that comes late', () => {
  type Others = Record<Role, readonly string[]>;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Everything is answered by hand. */
  function byHand(): { readonly around: Neighbours; readonly sent: Message[]; answer(others: Others): Promise<void>; wait(ms: number): Promise<void>; hear(message: Message): Promise<void> } {
    let now = 0;
    let questions: ((others: Others) => void)[] = [];
    let pauses: { readonly at: number; end(): void }[] = [];
    const sent: Message[] = [];
    const around: Neighbours = {
      id: 'own',
      show: () => Promise.resolve(() => undefined),
      others: () => new Promise((resolve) => questions.push(resolve)),
      send: (message) => void sent.push(message),
      onMessage: () => undefined,
      clock: () => now,
      pause: (ms) => new Promise((end) => pauses.push({ at: now + ms, end })),
      close: () => undefined,
    };
    return {
      around,
      sent,
      async answer(others) {
        const asked = questions;
        questions = [];
        for (const resolve of asked) resolve(others);
        await turn();
      },
      async wait(ms) {
        now += ms;
        const due = pauses.filter(({ at }) => at <= now);
        pauses = pauses.filter(({ at }) => at > now);
        for (const { end } of due) end();
        await turn();
      },
      async hear(message) {
        around.onMessage(message);
        await turn();
      },
    };
  }

  it('does not make an engine alone once another one has said that it will write', async () => {
    const { around, answer, wait, hear } = byHand();
    const here = presence(around);
    await turn();
    await answer({ here: ['other'], writes: [] });
    expect(here.period()).not.toBeNull();
    await wait(400);
    here.period();
    await hear({ kind: 'writes', id: 'other', nth: 1 });
    await answer({ here: ['other'], writes: [] });
    expect(here.period()).toBeNull();
  });

  it('that notes one announcement does not count for the next', async () => {
    const { around, sent, answer, wait, hear } = byHand();
    const here = presence(around);
    const others = { here: ['other'], writes: [] };
    await turn();
    await answer(others);
    let changes = 0;
    const write = async (nth: number, ...noted: readonly number[]): Promise<void> => {
      void here.write(async () => void changes++);
      await turn();
      await answer(others);
      expect(sent.at(-1)).toEqual({ kind: 'writes', id: 'own', nth });
      for (const one of noted) {
        await hear({ kind: 'noted', id: 'own', nth: one, by: 'other' });
        await answer(others);
      }
    };
    await write(1, 1);
    expect(changes).toBe(1);
    await wait(5_000);
    await write(2, 1);
    expect(changes).toBe(1);
    await hear({ kind: 'noted', id: 'own', nth: 2, by: 'other' });
    await answer(others);
    expect(changes).toBe(2);
  });

  it('that is a failure fails the change before it has begun, and announces it no longer', async () => {
    const { around, answer, wait } = byHand();
    let shown = 0;
    const show: Neighbours['show'] = async (role) => {
      if (role !== 'writes') return () => undefined;
      shown++;
      return () => void shown--;
    };
    const here = presence({ ...around, show, others: () => (shown > 0 ? Promise.reject(new Error('no locks')) : around.others()) });
    await turn();
    await answer({ here: [], writes: [] });
    let changes = 0;
    await expect(here.write(async () => changes++)).rejects.toThrow('no locks');
    await wait(0);
    expect([changes, shown]).toEqual([0, 0]);
  });

  it('or not at all fails a change before it has begun', async () => {
    const { around, wait } = byHand();
    const here = presence(around);
    await turn();
    let changes = 0;
    const writing = here.write(async () => changes++).catch((error: unknown) => error);
    await turn();
    await wait(10_000);
    expect(await writing).toMatchObject({ code: 'timeout', uncertain: false });
    expect(changes).toBe(0);
  });
});

// What engines do with a database besides answering is seen by nobody: one that is merged and
// trimmed all the time, that two engines take turns on, which are closed and opened again, and
// that goes on as another one made of its file, answers as one of which every row is kept.
import { expect, it } from 'vitest';
import type { Ts } from '../base/platform.ts';
import { allQuestions, BEGINNING, FILLER, randomChange } from '../../testing/changes.ts';
import { BEGIN, DatabaseLife, DAY, MINUTE, type Post } from '../../testing/database-life.ts';
import { Gen } from '../../testing/gen.ts';

const COUNT = Number(process.env.VIVARIUM_DATABASES ?? 25);
const FIRST = Number(process.env.VIVARIUM_SEED ?? 1);
const STEPS = 30;
const PAUSES: readonly Ts[] = [1000, 1000, 1000, MINUTE, 16 * MINUTE, DAY, DAY, 29 * DAY, 32 * DAY];

it(`answers as if nothing were ever put away, in random lives (${COUNT}, from seed ${FIRST} on)`, { timeout: 600_000 }, async () => {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const gen = new Gen(seed);
    const [busy, whole] = [await DatabaseLife.begin(300, 2), await DatabaseLife.begin(Infinity)];
    const log: string[] = [];
    const times: Ts[] = [];
    let engine = 0;
    const both = async (post: Post): Promise<string> => {
      const [found, expected] = [await busy.ask(post, engine), await whole.ask(post)];
      if (found !== expected) expect(found, `seed ${seed}\n${log.join('\n')}\n${JSON.stringify(post)}`).toBe(expected);
      return found;
    };
    const change = async (post: Post): Promise<string> => `${JSON.stringify(post)} → ${(await both(post)).slice(0, 3)}`;
    const upkeep = async (): Promise<string> => {
      const rounds = gen.pick([1, 2, 4, 5]);
      for (let round = 0; round < rounds; round++) {
        await both(FILLER);
        await busy.upkeep(engine);
      }
      return `${rounds} × upkeep`;
    };
    const questions = async (): Promise<string> => {
      for (const post of allQuestions(gen, busy.now)) await both(post);
      return 'all was asked';
    };
    for (const post of BEGINNING) await both(post);
    for (let step = 0; step < STEPS; step++) {
      whole.now = busy.now += gen.pick(PAUSES);
      engine = gen.below(2);
      times.push(busy.now);
      const act = gen.pick<() => Promise<string>>([
        ...Array<() => Promise<string>>(12).fill(() => change(randomChange(gen, busy.now, times))),
        ...Array<() => Promise<string>>(5).fill(upkeep),
        ...Array<() => Promise<string>>(3).fill(questions),
        async () => (await busy.reopen(engine), 'opened again'),
        async () => (await busy.move(), 'exported and imported'),
      ]);
      log.push(`day ${(busy.now - BEGIN) / DAY}, engine ${engine}: ${await act()}`);
    }
    await questions();
    for (const life of [busy, whole]) await life.end();
  }
});

// Runs in the page: every case of every table that holds for the driver's generation.
import { type Ask, type Cases, type Generation, holds, type Scene } from './cases.ts';
import type { Client, Driver, FunctionName, Query, Settings } from './driver.ts';
import { prepare } from './fixture.ts';
import { FAMILIES } from './functions/index.ts';
import { shown } from './show.ts';

/** What each function answered, in the order of its cases. */
export type Answers = Readonly<Record<string, readonly unknown[]>>;

export interface Outcome {
  readonly families: Readonly<Record<string, Answers>>;
  /** Functions the driver exports that no case of their own called. */
  readonly missing: readonly string[];
}

/** The tables are asked beside each other, the cases of one in their order: they may build on those before them. */
export async function exercise(driver: Driver, generation: Generation, settings: Settings): Promise<Outcome> {
  const connect = (secret: string): Client => new driver.Client({ ...settings, secret });
  const secret = await prepare(connect, settings.secret, driver.query);
  const scene = { client: connect(secret), secret, connect };
  const called = new Set<string>();
  const show = shown(driver);

  const ask = async (family: Cases): Promise<Answers> => {
    const answers: Record<string, unknown[]> = {};
    for (const [name, cases] of Object.entries(family)) {
      if (!(name in driver.query)) continue;
      for (const [question, , when] of cases) {
        if (!holds(generation, when)) continue;
        const q = new Proxy(driver.query, { get: (functions, used: FunctionName) => (used === name && called.add(name), functions[used]) });
        (answers[name] ??= []).push(show(await answerOf(question, q, scene)));
      }
    }
    return answers;
  };
  const families = await Promise.all(Object.entries(FAMILIES).map(async ([family, cases]) => [family, await ask(cases)] as const));
  return { families: Object.fromEntries(families), missing: Object.keys(driver.query).filter((name) => !called.has(name)) };
}

/** The value, or what was thrown instead of it. */
async function answerOf(ask: Ask, q: Query, scene: Scene): Promise<unknown> {
  try {
    const asked = ask(q, scene);
    return await (asked instanceof Promise ? asked : scene.client.query(asked));
  } catch (reason) {
    return reason;
  }
}

// Runs in the page: every case of every method of a client and its pages.
import { type Generation, holds } from '../cases.ts';
import type { Settings } from '../driver.ts';
import { prepare } from '../fixture.ts';
import { shown } from '../show.ts';
import { client } from './client.ts';
import type { FullClient, FullDriver, Stage } from './method.ts';
import { pages } from './pages.ts';
import { rest } from './rest.ts';

export const METHODS = { ...pages, ...rest, ...client };

type Prototyped = { readonly prototype: object };

export interface Outcome {
  readonly answers: Readonly<Record<string, readonly unknown[]>>;
  /** Methods the driver has that no case of their own called. */
  readonly missing: readonly string[];
}

export async function exercise(driver: FullDriver & { readonly PageHelper: Prototyped }, generation: Generation, settings: Settings): Promise<Outcome> {
  const { Client, PageHelper, query: q } = driver;
  const methods = Object.entries({ Client, PageHelper }).flatMap(([kind, { prototype }]: [string, Prototyped]) =>
    Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor' && !name.startsWith('_')).map((name) => `${kind}.${name}`),
  );
  let called = new Set<string>();
  /** Notes which methods are called, also those of the pages it gives. */
  const recorded = <T extends object>(kind: string, thing: T): T =>
    new Proxy(thing, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...given: readonly unknown[]): unknown => {
          called.add(`${kind}.${String(key)}`);
          const result: unknown = Reflect.apply(value, target, given);
          return typeof result === 'object' && result !== null && Object.getPrototypeOf(result) === PageHelper.prototype ? recorded('PageHelper', result) : result;
        };
      },
    });

  const secret = await prepare((secret) => new Client({ ...settings, secret }), settings.secret, q);
  const connect = (own: object): FullClient => recorded('Client', new Client({ ...settings, secret, ...own }));
  const stage: Stage = { driver, q, secret, client: connect({}), connect };

  const show = shown(driver);
  const done = new Set<string>();
  const answers: Record<string, unknown[]> = {};
  for (const [name, cases] of Object.entries(METHODS)) {
    if (name.includes('.') && !methods.includes(name)) continue;
    for (const [use, , when] of cases) {
      if (!holds(generation, when)) continue;
      called = new Set();
      (answers[name] ??= []).push(show(await Promise.resolve().then(() => use(stage)).catch((reason: unknown) => reason)));
      if (called.has(name)) done.add(name);
    }
  }
  return { answers, missing: methods.filter((name) => !done.has(name)) };
}

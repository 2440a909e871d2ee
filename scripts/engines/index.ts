// Which browser engine a run of the tests is in.
import type { Page } from 'playwright';
import { KINDS, type EngineName } from './find.mjs';

/** A browser that runs. */
export interface Browser {
  newPage(): Promise<Page>;
  stop(): Promise<void>;
}

/** The engine of this run, from the variable `VIVARIUM_ENGINE`; null is Chromium. */
export const engineName = ((): EngineName | null => {
  const name = process.env['VIVARIUM_ENGINE'];
  if (name === undefined || name === 'chromium') return null;
  if (name in KINDS) return name as EngineName;
  throw new Error(`VIVARIUM_ENGINE is ${name}; there are chromium, ${Object.keys(KINDS).join(', ')}.`);
})();

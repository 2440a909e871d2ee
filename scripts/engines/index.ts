// Starts the browser engine that a run of the tests names, and Chromium where it names none.
import type { Engine } from './engine.ts';
import { findEngine, KINDS, type EngineName } from './find.mjs';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const START: Readonly<Record<EngineName, (file: string) => Promise<Engine>>> = { firefox: startFirefox, webkit: startWebKit };

/** The engine of this run, from the variable `VIVARIUM_ENGINE`; null is Chromium. */
export const engineName = ((): EngineName | null => {
  const name = process.env['VIVARIUM_ENGINE'];
  if (name === undefined || name === 'chromium') return null;
  if (name in KINDS) return name as EngineName;
  throw new Error(`VIVARIUM_ENGINE is ${name}; there are chromium, ${Object.keys(KINDS).join(', ')}.`);
})();

export async function startEngine(name: EngineName): Promise<Engine> {
  const file = findEngine(name);
  if (file === null) throw new Error(`${KINDS[name].title} is not installed; npm run test:browsers does it.`);
  return START[name](file);
}

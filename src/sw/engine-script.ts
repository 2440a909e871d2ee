// The script of our own engine, which few requests need. Chromium hands a service worker all scripts that were imported
// at its install, with their compiled code, at each start, and there is one after every half minute of rest: of this
// script these would be 2.4 MB, and a fifth of the time to a first answer. So it is kept with the other files, and
// evaluated when it is needed. Where the host has a policy that may forbid that, or gives it changed, it is imported like any other.
import type { EngineHost } from '../host/engine-host.ts';
import type { HostOptions } from '../protocol/host-options.ts';
import type { OwnEngine } from './engines.ts';
import type { Sealed, Shell } from './shell.ts';

declare global {
  /** Set by the script (sw-engine.ts). */
  var vivariumEngine: ((options: HostOptions) => EngineHost) | undefined;
}

export interface EngineScript extends OwnEngine {
  /** For the service worker's own install. @throws where there is no such script */
  install(): Promise<void>;
}

/**
 * @param script without a hash, as while developing, it is imported
 * @param importScripts what is imported later must have been imported at install
 */
export function engineScript(script: Sealed, shell: Pick<Shell, 'keep' | 'text'>, options: HostOptions, importScripts: (address: string) => void): EngineScript {
  let loading: Promise<void> | null = null;

  const load = async (): Promise<void> => {
    try {
      importScripts(script.address);
    } catch (error) {
      if (script.hash === '') throw error;
      evaluate(await shell.text(script));
    }
  };

  /** Once, and again where that has failed. */
  const loaded = (): Promise<void> => (loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  }));

  return {
    async install() {
      const isKept = script.hash !== '' && (await shell.keep(script, mayEvaluate).catch(() => false));
      if (!isKept) importScripts(script.address);
    },
    load: loaded,
    async open() {
      await loaded();
      if (globalThis.vivariumEngine === undefined) throw new Error('the engine script is empty');
      return globalThis.vivariumEngine(options);
    },
  };
}

/** As a script of its own, outside of all functions. */
const evaluate = (text: string): unknown => (0, eval)(text);

const POLICIES = ['content-security-policy', 'content-security-policy-report-only'];

/** Not tried where there is a policy: what is refused may be reported to the host. */
function mayEvaluate(headers: Headers): boolean {
  try {
    return !POLICIES.some((name) => headers.has(name)) && evaluate('true') === true;
  } catch {
    return false;
  }
}

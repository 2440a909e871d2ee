import { unavailableError } from './error.ts';

/**
 * What few pages need, loaded when it is first asked for.
 * @throws VivariumError 503 where it cannot be loaded: offline, if nothing has kept the site's files
 */
export function parts(): Promise<typeof import('./rare.ts')> {
  return import('./rare.ts').catch(() => {
    throw unavailableError('unavailable', 'A part could not be loaded.');
  });
}

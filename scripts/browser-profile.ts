// Where the browser of Vitest keeps its profile: on disk, as users have it. In an incognito window, which is what it
// has otherwise, IndexedDB lies in memory, and values over 64 KB never become files.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One for each run. */
export const profile = join(tmpdir(), `vivarium-browser-${process.pid}`);

/** Vitest closes the browser after all teardowns. */
export default (): void => {
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
};

// Which files of the build any page needs that opens a database, whosever page it is. All others
// are the playground's, or the package's.
import { LIST } from './init.mjs';
import { NOTICES } from './notices.ts';

/** The worker, the engine and the parts of both. */
export const RUNTIME_FOLDER = 'vivarium/';

/** The service worker's scripts: the first is small and always runs, the second only when no page answers. */
const SCRIPTS = ['sw.js', 'sw-engine.js'] as const;
export type Script = (typeof SCRIPTS)[number];
export const isScript = (name: string): name is Script => (SCRIPTS as readonly string[]).includes(name);

/** Under names that a page may import. */
export const MODULES: readonly string[] = ['vivarium.js', 'raw-copy.js'];

/** What the package has beside them; no page fetches it. */
export const isOfPackage = (file: string): boolean => file === 'load.js' || file === LIST || file.endsWith(NOTICES) || file.endsWith('.d.ts') || file.endsWith('.map');

/** @param file relative to the build's folder */
export const isRuntime = (file: string): boolean => (file.startsWith(RUNTIME_FOLDER) || MODULES.includes(file) || isScript(file)) && !isOfPackage(file);

// The package's entry, for applications with a bundler. It brings no database into their bundle: `open` loads the page API
// from the application's site, where `vivarium init` has put it together with the service worker.
// Importing this file does nothing, so it may be imported where there is no browser.
import { messageOf, unavailableError, VivariumError } from './error.ts';
import type * as Page from './index.ts';
import type { Vivarium, VivariumOptions } from './index.ts';

export type * from './index.ts';
export { VivariumError };

export interface LoadOptions extends VivariumOptions {
  /** Path the service answers at on this origin, from the application's base; default: the folder of `vivarium.js`. */
  readonly base?: string | undefined;
  /** Address of `vivarium.js`, from `base`; default: there, in the application's base where neither is given. */
  readonly script?: string | URL | undefined;
}

/**
 * Opens the database of this page, by the `vivarium.js` of the application's site. Resolves when it is open and
 * requests by `fetch` are answered. Calling it again gives the same object, where the options given, if any, are those
 * it was opened with.
 * @throws TypeError for an option with a wrong value, or one that there is not; VivariumError 503: `unavailable` (also where that file cannot be
 *   loaded), `already open`, or how the storage failed (`ErrorEntry.code`)
 */
export async function open(given: LoadOptions = {}): Promise<Vivarium> {
  if (typeof document === 'undefined') throw unavailableError('unavailable', 'open() needs a document.');
  if (typeof Worker === 'undefined') throw unavailableError('unavailable', 'open() needs a page in a browser: there are no workers here, as in jsdom and happy-dom.');
  if (!URL.canParse('./', document.baseURI)) throw unavailableError('unavailable', 'open() needs a page at an address of its own.');
  const { script, ...options } = checked(given);
  // Vite has begun this. What webpack says there is where its scripts lie, or `/` where it does not know.
  const isWebpack = (import.meta as { readonly webpack?: number }).webpack !== undefined;
  const said = isWebpack ? null : import.meta.env?.BASE_URL;
  // Astro leaves the last slash away; Nuxt, as it serves for development, names the folder of its scripts.
  const site = new URL(said ? said.replace(/(\/_nuxt)?\/?$/, '/') : './', document.baseURI);
  const { base: path = site.pathname } = options;
  const isHere = typeof path === 'string' && URL.canParse(path, site) && new URL(path, site).origin === site.origin;
  if (!isHere) throw new TypeError('open(): base must be a path on this origin.');
  const base = new URL(path, site);
  base.pathname = base.pathname.replace(/\/?$/, '/');
  // A URL may be of another realm. As JSON it is a text.
  const address: unknown = script === undefined ? 'vivarium.js' : JSON.parse(JSON.stringify(script) ?? 'null');
  if (typeof address !== 'string' || !URL.canParse(address, base)) throw new TypeError('open(): script must be an address.');
  // Without either it is the one that was found before: by now the document's folder may be another.
  if (loaded === null || script !== undefined || options.base !== undefined) loaded = await load(new URL(address, base).href);
  return loaded.open(options.base === undefined ? options : { ...options, base: base.pathname });
}

/** All options that there are. */
const NAMES: Readonly<Record<keyof LoadOptions, true>> = {
  name: true, secret: true, base: true, script: true, aliases: true, durability: true, cacheBytes: true, serviceWorker: true, rest: true, persist: true,
};

/** @throws TypeError for what are no options, or one whose name is written wrong: it would be passed over in silence */
function checked(options: LoadOptions): LoadOptions {
  if (typeof options !== 'object' || options === null) throw new TypeError('open(): options must be an object.');
  // It may be called by an event, of React's or a frame's, too.
  if ('preventDefault' in options) return {};
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined) throw new TypeError(`open(): there is no option ${unknown}.`);
  return options;
}

/** The last one. */
let loaded: typeof Page | null = null;

async function load(address: string): Promise<typeof Page> {
  try {
    // Left as it is by every bundler: the file is in no bundle.
    const page = (await import(/* @vite-ignore */ /* webpackIgnore: true */ address)) as typeof Page;
    if (typeof page.open !== 'function') throw new Error('an empty file or another one is there');
    adopt(page.VivariumError);
    return page;
  } catch (error) {
    throw unavailableError('unavailable', `${address} could not be loaded: ${await reasonOf(address, error)}.`);
  }
}

/** The errors a page throws are of its own class: this makes them instances of the one exported here, too, and leaves them those of other copies of this file. */
function adopt({ prototype: last }: typeof VivariumError): void {
  const own = VivariumError.prototype;
  while (Object.getPrototypeOf(last) !== Error.prototype && last !== own) last = Object.getPrototypeOf(last) as VivariumError;
  if (last !== own) Object.setPrototypeOf(last, own);
}

const ADVICE = 'put Vivarium’s files there with `npx --no vivarium init <folder of your static files>`, or say in `base` or `script` where they are';

/** The browser's own words say neither what was there nor what to do. */
async function reasonOf(address: string, error: unknown): Promise<string> {
  const response = await fetch(address).catch(() => null);
  if (response === null) return 'it cannot be reached';
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  // Where the file is there, one that it imports may be missing: the browser does not say which.
  const what = !response.ok ? `the answer is ${response.status}` : isHtml ? 'an HTML page is there instead' : messageOf(error);
  return `${what}; ${ADVICE}`;
}

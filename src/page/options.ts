import { isObject } from '../protocol/handshake.ts';
import type { HostOptions } from '../protocol/host-options.ts';
import { DEFAULT_NAME, hostOptionsToSearch } from '../protocol/host-options.ts';
import { DEFAULT_ALIASES } from '../protocol/routes.ts';
import worker from '../worker/worker.ts?worker&url';

export interface VivariumOptions {
  /** Name of the database in this browser profile; default `vivarium`. */
  readonly name?: string | undefined;
  /**
   * Root secret, without spaces and colons: set on the database, and sent with this page's calls. Default: the database
   * keeps the one it has, and calls are sent with `secret`, so one that was given another needs it at every `open`.
   */
  readonly secret?: string | undefined;
  /** Path the service answers at on this origin, from the folder of `vivarium.js`; default: that folder. */
  readonly base?: string | undefined;
  /** Foreign hosts answered whole, as `name`, `name:port` or `*.name`; default: those of Fauna, `localhost:8443` and `localhost:8084`. */
  readonly aliases?: readonly string[] | undefined;
  /** `strict`: acknowledged writes are on disk. `relaxed`: they have reached the operating system. Default: as it is, `strict` at first. */
  readonly durability?: 'strict' | 'relaxed' | undefined;
  /** Bytes of memory for what this page has read of the database; default 64 MB. An eighth of it while the page is hidden. */
  readonly cacheBytes?: number | undefined;
  /** Address of the service worker's script, from the folder of `vivarium.js`, or `false` to do without; default `sw.js`. */
  readonly serviceWorker?: string | URL | false | undefined;
  /** Answer the old REST paths (`/classes/…`) on this origin; default false. */
  readonly rest?: boolean | undefined;
  /** Ask the browser not to evict the data when space runs low; default false. */
  readonly persist?: boolean | undefined;
}

export interface ResolvedOptions extends HostOptions, Pick<VivariumOptions, 'secret' | 'durability' | 'cacheBytes' | 'persist'> {
  /** With our options in its query string; `null` to do without. */
  readonly serviceWorker: URL | null;
}

/** What an option must be: in words, and as JSON. */
type Rule = readonly [must: string, json: RegExp];

const TEXT: Rule = ['a non-empty text', /^".+"$/s];
const FLAG: Rule = ['true or false', /^(true|false)$/];

const RULES: Readonly<Record<keyof VivariumOptions, Rule>> = {
  name: TEXT,
  // No request could bring any other: it ends at a space, and its scope begins at a colon. Tabs and the like are escapes in JSON.
  secret: ['a text without spaces and colons', /^"(?:[^\s:\\]|\\["\\])+"$/],
  base: ['a path on this origin', /^"(?!\/\/|[^/]*:).*"$/s],
  // One with a scheme or a path would never match.
  aliases: ['a list of name, name:port or *.name', /^\[("(\*\.)?[^\s"\\/*,]+",?)*\]$/],
  durability: ["'strict' or 'relaxed'", /^"(strict|relaxed)"$/],
  cacheBytes: ['a number of bytes', /^\d+$/],
  serviceWorker: ['an address or false', /^(".+"|false)$/s],
  rest: FLAG,
  persist: FLAG,
};

/** @throws TypeError that names the first option with a wrong value */
export function checkOptions(options: VivariumOptions): void {
  if (!isObject(options)) throw wrong('options', 'an object');
  for (const [name, [must, json]] of Object.entries(RULES)) {
    const value = options[name as keyof VivariumOptions];
    if (value !== undefined && !json.test(JSON.stringify(value))) throw wrong(name, must);
  }
}

const wrong = (name: string, must: string): TypeError => new TypeError(`open(): ${name} must be ${must}.`);

export function resolveOptions(options: VivariumOptions): ResolvedOptions {
  // Where `vivarium.js` lies, whatever page imports it: a build puts the worker into a folder beside it.
  const site = import.meta.env.DEV ? new URL(import.meta.env.BASE_URL, import.meta.url) : new URL('../', worker);
  const host: HostOptions = {
    name: options.name ?? DEFAULT_NAME,
    base: new URL(options.base ?? '', site).pathname.replace(/\/?$/, '/'),
    aliases: options.aliases?.map((alias) => alias.toLowerCase()) ?? DEFAULT_ALIASES,
    rest: options.rest ?? false,
  };
  return {
    ...options,
    ...host,
    persist: options.persist ?? false,
    serviceWorker: options.serviceWorker === false ? null : scriptAddress(options.serviceWorker ?? 'sw.js', site, host),
  };
}

/** An option given that is another than with the options before; what they leave out is what it is by default. */
export function otherIn(options: VivariumOptions, before: VivariumOptions): string | undefined {
  const given = JSON.parse(JSON.stringify(options)) as VivariumOptions;
  const shown = (all: VivariumOptions, name: string): string => String(resolveOptions(all)[name as keyof VivariumOptions]);
  return Object.keys(RULES).find((name) => name in given && shown(before, name) !== shown({ ...before, ...given }, name));
}

function scriptAddress(script: string | URL, site: URL, host: HostOptions): URL {
  const address = new URL(script, site);
  address.search += `${address.search && '&'}${hostOptionsToSearch(host)}`;
  return address;
}

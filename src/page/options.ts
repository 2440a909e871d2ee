import type { HostOptions } from '../protocol/host-options.ts';
import { DEFAULT_NAME, hostOptionsToSearch } from '../protocol/host-options.ts';
import { DEFAULT_ALIASES } from '../protocol/routes.ts';
import worker from '../worker/worker.ts?worker&url';

export interface VivariumOptions {
  /** Name of the database in this browser profile; default `vivarium`. */
  readonly name?: string;
  /** Root secret: set on the database, and sent with this page's calls. Default: as it is, `secret` at first. */
  readonly secret?: string;
  /** Path the service answers at on this origin; default: the folder of `vivarium.js`. */
  readonly base?: string;
  /** Foreign hosts answered whole, as `name`, `name:port` or `*.name`; default: Fauna's own and its local ports. */
  readonly aliases?: readonly string[];
  /** `strict`: acknowledged writes are on disk. `relaxed`: they have reached the operating system. Default: as it is, `strict` at first. */
  readonly durability?: 'strict' | 'relaxed';
  /** Address of the service worker's script, or `false` to do without; default: `sw.js` beside `vivarium.js`. */
  readonly serviceWorker?: string | URL | false;
  /** Answer the old REST paths (`/classes/…`) on this origin; default false. */
  readonly rest?: boolean;
  /** Ask the browser not to evict the data when space runs low; default false. */
  readonly persist?: boolean;
}

export interface ResolvedOptions extends HostOptions {
  readonly secret: string | undefined;
  readonly durability: 'strict' | 'relaxed' | undefined;
  readonly persist: boolean;
  /** With our options in its query string; `null` to do without. */
  readonly serviceWorker: URL | null;
}

export function resolveOptions(options: VivariumOptions): ResolvedOptions {
  // Where `vivarium.js` lies, whatever page imports it: a build puts the worker into a folder beside it.
  const site = new URL(import.meta.env.DEV ? import.meta.env.BASE_URL : '../', new URL(worker, import.meta.url));
  const host: HostOptions = {
    name: options.name ?? DEFAULT_NAME,
    base: withSlash(new URL(options.base ?? '', site).pathname),
    aliases: options.aliases ?? DEFAULT_ALIASES,
    rest: options.rest ?? false,
  };
  return {
    ...host,
    secret: options.secret,
    durability: options.durability,
    persist: options.persist ?? false,
    serviceWorker: options.serviceWorker === false ? null : scriptAddress(options.serviceWorker ?? 'sw.js', site, host),
  };
}

function scriptAddress(script: string | URL, site: URL, host: HostOptions): URL {
  const address = new URL(script, site);
  const own = address.search.slice(1);
  address.search = [...(own === '' ? [] : [own]), hostOptionsToSearch(host)].join('&');
  return address;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

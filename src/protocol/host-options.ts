// What a page and its service worker must both know. The service worker may be started at
// any time, with no page to ask, so its options stand in its own script address. Two pages
// with different options therefore have different service workers, and a page can see
// from the address whether the one that controls it serves the same database.
import { DEFAULT_ALIASES } from './routes.ts';

export interface HostOptions {
  /** Name of the database in this profile. */
  readonly name: string;
  /** Path of the service on the page's origin; begins and ends with `/`. */
  readonly base: string;
  readonly aliases: readonly string[];
  readonly rest: boolean;
}

export const DEFAULT_NAME = 'vivarium';

/** As a query string without `?`, to stand at the end of an address; the same options always give the same text. */
export function hostOptionsToSearch(options: HostOptions): string {
  const search = new URLSearchParams({ name: options.name, base: options.base });
  if (options.aliases.join() !== DEFAULT_ALIASES.join()) search.set('aliases', options.aliases.join());
  if (options.rest) search.set('rest', '1');
  return search.toString();
}

/** @param search with or without `?`; where an address of an application's own has the same names before them, the last ones count */
export function hostOptionsFromSearch(search: string): HostOptions {
  const { name = DEFAULT_NAME, base = '/', aliases, rest } = Object.fromEntries(new URLSearchParams(search)) as Partial<Record<keyof HostOptions, string>>;
  return {
    name,
    base,
    aliases: aliases === undefined ? DEFAULT_ALIASES : aliases.split(',').filter((alias) => alias !== ''),
    rest: rest === '1',
  };
}

// Which requests are ours. Pure and synchronous: a service worker has to decide before it
// may wait for anything, and the page's shim has to decide the same.
//
// Two kinds of address. On the page's own origin only the service's few paths below the
// base are taken, so that an application's routes and files are never touched. An alias
// host is taken whole: a client that names `db.fauna.com` needs no change at all.

/** What the decision depends on. */
export interface RouteConfig {
  /** Origin of the page, as `https://host:port`. */
  readonly origin: string;
  /** Path of the service on that origin; begins and ends with `/`. */
  readonly base: string;
  /** Hosts (`name` or `name:port`, a leading `*.` for all names below) answered whatever the path. */
  readonly aliases: readonly string[];
  /** Whether the old REST paths (`/classes/…`) are answered on the page's own origin. */
  readonly rest: boolean;
}

/** The address of a request as the engine sees it. */
export interface Route {
  /** Below the base, beginning with `/`. */
  readonly path: string;
  /** Query string without `?`, or `''`. */
  readonly search: string;
}

/** The hosts that drivers and tools call when they are told nothing. */
export const DEFAULT_ALIASES: readonly string[] = [
  'db.fauna.com',
  'db.us.fauna.com',
  'db.eu.fauna.com',
  'graphql.fauna.com',
  'graphql.us.fauna.com',
  'graphql.eu.fauna.com',
  '*.fauna-preview.com',
  'localhost:8443',
  'localhost:8084',
];

const SERVICE_PATHS: ReadonlySet<string> = new Set([
  '/graphql',
  '/import',
  '/ping',
  '/stream',
  '/linearized',
  '/authorized',
]);

const REST_ROOTS: ReadonlySet<string> = new Set([
  'classes',
  'collections',
  'databases',
  'indexes',
  'keys',
  'tokens',
  'credentials',
  'functions',
  'roles',
  'access_providers',
]);

/**
 * The route of a request, or `null` when it is not ours. Methods our paths do not know are
 * ours too, so that the engine can answer 405. Navigations are for the caller to keep out:
 * they cannot be told from the URL.
 */
export function matchRequest(url: URL, method: string, config: RouteConfig): Route | null {
  const search = url.search.slice(1);
  if (url.origin !== config.origin) {
    return url.protocol.startsWith('http') && config.aliases.some((alias) => isHost(url.host, alias)) ? { path: url.pathname, search } : null;
  }
  const path = below(url.pathname, config.base);
  return path !== null && isServed(path, method, url, config) ? { path, search } : null;
}

function isServed(path: string, method: string, url: URL, config: RouteConfig): boolean {
  if (path === '/') return isQuery(method, url);
  return SERVICE_PATHS.has(path) || (config.rest && REST_ROOTS.has(firstSegment(path)));
}

/** At the base itself a GET without `q` is the page, not a query. */
function isQuery(method: string, url: URL): boolean {
  return (method !== 'GET' && method !== 'HEAD') || url.searchParams.has('q');
}

/** `/app` and `/app/` are the same base: clients that join addresses leave the slash out. */
function below(pathname: string, base: string): string | null {
  if (pathname === base.slice(0, -1)) return '/';
  return pathname.startsWith(base) ? pathname.slice(base.length - 1) : null;
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function isHost(host: string, alias: string): boolean {
  return alias.startsWith('*.') ? host.endsWith(alias.slice(1)) : host === alias;
}

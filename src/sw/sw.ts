// The service worker: decides at once whether a request is ours, and has some engine answer
// it. Built as one classic script at the site's base. Its options stand in its address.
import { fromRequest, toResponse } from '../protocol/fetch-messages.ts';
import { isHere } from '../protocol/handshake.ts';
import { hostOptionsFromSearch } from '../protocol/host-options.ts';
import { matchRequest } from '../protocol/routes.ts';
import type { Route } from '../protocol/routes.ts';
import { clock, isMarked } from '../protocol/sending.ts';
import { engineScript } from './engine-script.ts';
import { findEngines } from './engines.ts';
import { openShell } from './shell.ts';
import { trusted } from './trusted.ts';

declare const self: ServiceWorkerGlobalScope;

/** Set by the build: what every page needs that opens a database, and what the playground is made of, relative to the
 * site's base; a hash over all of it; and that of our own engine's script, if it cannot change under it. */
declare const __VIVARIUM_RUNTIME__: readonly string[];
declare const __VIVARIUM_PLAYGROUND__: readonly string[];
declare const __VIVARIUM_VERSION__: string;
declare const __VIVARIUM_ENGINE__: string;

const startedAt = clock();
const options = hostOptionsFromSearch(self.location.search);
const routes = { ...options, origin: self.location.origin };
/** Whether the site is our playground. In any other, `index.html` is another's. */
const isPlayground = new URLSearchParams(self.location.search).has('playground');
const files = [...__VIVARIUM_RUNTIME__, ...(isPlayground ? __VIVARIUM_PLAYGROUND__ : [])];
const shell = openShell(new URL(self.registration.scope), files, __VIVARIUM_VERSION__);

/** Its address is the same at install and later. */
const script = { address: new URL(`sw-engine.js?v=${__VIVARIUM_VERSION__}`, self.location.href).href, hash: __VIVARIUM_ENGINE__ };
/** Most hosts that allow a policy allow it once. */
let imported: string | undefined;
const own = engineScript(script, shell, options, (address) => self.importScripts((imported ??= trusted(address))));
const engines = findEngines(options.name, self.clients, own);

self.addEventListener('install', (event) => {
  // A later build waits until the pages of the earlier one are gone.
  if (self.registration.active === null) void self.skipWaiting();
  event.waitUntil(install());
});

/** Fails where there is no engine: a listener that throws would leave a service worker without one, for good. A next visit tries again. */
async function install(): Promise<void> {
  await own.install();
  await shell.install();
}

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), shell.cleanUp()]));
});

self.addEventListener('message', (event) => {
  if (!isHere(event.data)) return;
  if (event.source instanceof Client) engines.here(event.source.id);
  // Pages and workers that were just starting when we were activated have not been claimed.
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const route = request.mode === 'navigate' ? null : matchRequest(url, request.method, routes);
  const answering = route === null ? shell.answer(request, url) : answer(request, route, event.clientId);
  if (answering !== null) event.respondWith(answering);
});

async function answer(request: Request, route: Route, clientId: string): Promise<Response> {
  const reading = fromRequest(request, route, self.location.origin, startedAt);
  return toResponse(await engines.answer(reading, clientId, isMarked(request.headers)), request.method);
}

// The shim answers a page's own fetch and XMLHttpRequest while no service worker does: on
// the first load, after a reload that goes round it, and where there is none. Which of the
// two it is may change at any time, so it is decided for each request.
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { matchRequest } from '../protocol/routes.ts';
import type { RouteConfig } from '../protocol/routes.ts';
import { shimFetch } from './shim-fetch.ts';
import type { ShimHost } from './shim-host.ts';
import { shimXMLHttpRequest } from './shim-xhr.ts';

export interface Shim {
  uninstall(): void;
}

/**
 * @param controlled whether a service worker answers this page's requests at this moment
 * @param settling resolves when that is known; `null` where it is already
 * @param handle answers; never rejects
 */
export function installShim(
  config: RouteConfig,
  controlled: () => boolean,
  settling: () => Promise<void> | null,
  handle: (request: HttpRequest) => Promise<HttpResponse>,
): Shim {
  let isInstalled = true;
  const host: ShimHost = {
    origin: config.origin,
    handle,
    // Wrappers that others have put around it since go on calling it.
    route: (address, method) =>
      isInstalled && URL.canParse(address, document.baseURI) ? matchRequest(new URL(address, document.baseURI), method.toUpperCase(), config) : null,
    // The probe that finds it out does not wait for it, nor does a request that the shim answers in any case.
    settling: ({ path }) => (path === '/ping' || path === '/stream' ? null : settling()),
    // A stream that went through the service worker would end with it.
    passes: ({ path }) => path !== '/stream' && controlled(),
  };
  const undo = [
    replace('fetch', (native) => shimFetch(native, host)),
    replace('XMLHttpRequest', (native) => shimXMLHttpRequest(native, host)),
  ];
  return {
    uninstall() {
      isInstalled = false;
      undo.forEach((step) => step());
    },
  };
}

/** Puts a wrapper in a global's place; undone only if nobody has wrapped it since. */
function replace<Name extends 'fetch' | 'XMLHttpRequest'>(
  name: Name,
  wrap: (native: (typeof globalThis)[Name]) => (typeof globalThis)[Name],
): () => void {
  const native = globalThis[name];
  const wrapped = Object.defineProperty(wrap(native), 'name', { value: name });
  globalThis[name] = wrapped;
  return () => {
    if (globalThis[name] === wrapped) globalThis[name] = native;
  };
}

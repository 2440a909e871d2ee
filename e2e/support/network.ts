// How a context loses its network. Of Firefox and WebKit the tests ask one site only, whose server they end.
import type { BrowserContext } from 'playwright/test';
import type { Site } from './site.ts';

const networks = new WeakMap<BrowserContext, Site>();

/** Says that the server of a site is all the network that a context has. */
export const isOnly = (site: Site, context: BrowserContext): unknown => networks.set(context, site);

/** From now on nothing of this context is answered by a network: not the page, its workers nor the service worker. */
export async function cutNetwork(context: BrowserContext): Promise<void> {
  const site = networks.get(context);
  // What Firefox calls offline a service worker does not survive, and WebKit's inspector knows no such thing.
  if (site !== undefined) return site.stop();
  // A route sees only what a service worker did not answer.
  await context.route('**/*', (route) => route.abort('internetdisconnected'));
  await context.setOffline(true);
}

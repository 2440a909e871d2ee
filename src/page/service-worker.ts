// The page's side of the service worker: registering it, telling whether it controls this
// page, and handing its ports to the engine.
import { connectPort, hereMessage } from '../protocol/handshake.ts';
import { unlessAborted } from '../protocol/unless-aborted.ts';
import { messageOf } from './error.ts';

export interface Registered {
  /** `unsupported`: the browser or this page has none; `off`: by the options; `pending`: not asked for yet in this page, which an earlier one's may answer all the same. */
  readonly state: 'unsupported' | 'off' | 'pending' | 'registered' | 'failed';
  /** Why it has failed. */
  readonly reason?: string;
}

export interface ServiceWorkerLink {
  readonly registration: Registered;
  /** Whether requests of this page go through the service worker of this very database. */
  controls(): boolean;
  /** Tells the service worker in control that this page has an engine now, or has another one. */
  announce(): void;
  close(): void;
}

/**
 * @param script its address, options included; `null` to do without
 * @param onPort receives the ports the service worker wants answered
 * @param onControlled called when another one has taken control of the page
 * @param opened resolves when there is an engine, or never will be
 * @param hasTime it is registered when this resolves, or when the page's side is closed
 */
export function linkServiceWorker(
  script: URL | null,
  name: string,
  onPort: (port: MessagePort) => void,
  onControlled: () => void,
  opened: Promise<unknown>,
  hasTime: Promise<void>,
): ServiceWorkerLink {
  const container = containerOf();
  const nothing = (): void => undefined;
  if (script === null || container === null) return { registration: { state: script ? 'unsupported' : 'off' }, controls: () => false, announce: nothing, close: nothing };

  let registration: Registered = { state: 'pending' };
  const end = new AbortController();
  const warn = (what: string): string => {
    const text = `The service worker ${script.pathname} ${what}`;
    console.warn(text);
    return text;
  };
  // Another service worker, an application's own or one with other options, serves other
  // requests or another database: it does not count.
  const controls = (): boolean => container.controller?.scriptURL === script.href;
  const announce = (to = container.controller): void => to?.postMessage(hereMessage());

  container.addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      const port = connectPort(event, name);
      if (port) onPort(port);
    },
    end,
  );
  /** The same script with other options is ours, too. */
  const tellRival = (other?: ServiceWorker | null): void => {
    if (other && new URL(other.scriptURL).pathname !== script.pathname) warn(`and ${other.scriptURL} take each other's place: give one another scope, or open({ serviceWorker: false }).`);
  };

  let registered: ServiceWorkerRegistration | undefined;
  const fail = (error: unknown): void => {
    registration = { state: 'failed', reason: warn(`could not be registered, so only this page's own requests are answered: ${messageOf(error)}`) };
  };
  const onChange = (): void => {
    onControlled();
    announce();
    // Not its controller, which may well be of a wider scope.
    tellRival(registered?.active);
  };
  container.addEventListener('controllerchange', onChange, end);
  container.startMessages();
  announce();
  // One that takes control while a page or its worker is starting leaves out either. After a shift-reload it takes the page back.
  if (!controls()) unlessAborted(opened.then(() => container.ready), end.signal).then(({ active }) => announce(active), nothing);
  unlessAborted(hasTime, end.signal)
    .catch(nothing)
    .then(() => container.register(script))
    .then((given?: ServiceWorkerRegistration) => {
      registered = given;
      // Tools that keep service workers out put a function in its place that gives nothing.
      if (!registered) return fail('service workers are blocked');
      registration = { state: 'registered' };
      const { installing, active } = registered;
      tellRival(active);
      // One that is there already stays where a newer one cannot be installed. Later on it is replaced in its time.
      if (!active) installing?.addEventListener('statechange', () => installing.state === 'redundant' && fail('it could not be installed'), { ...end, once: true });
    })
    .catch(fail);

  return {
    get registration() {
      return registration;
    },
    controls,
    announce,
    close: () => end.abort(),
  };
}

/** Absent on insecure origins; merely naming it throws in a sandboxed frame. */
function containerOf(): ServiceWorkerContainer | null {
  try {
    return navigator.serviceWorker ?? null;
  } catch {
    return null;
  }
}

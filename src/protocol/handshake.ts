// Messages between a service worker and the pages it looks for an engine in. They share a
// channel with whatever an application sends, so each carries our name and is checked.

/** Service worker to page: a port is attached; hand it to the engine of this database. */
export interface Connect {
  readonly vivarium: 'connect';
  readonly protocol: typeof PROTOCOL;
  readonly name: string;
}

/** Page to service worker: an engine is here now, in case it was asked too early, another one has died, or the page or its worker was still starting when all pages were claimed. */
export interface Here {
  readonly vivarium: 'here';
}

/** A page and a service worker of different builds may meet; they speak only if this agrees. */
export const PROTOCOL = 1;

export function connectMessage(name: string): Connect {
  return { vivarium: 'connect', protocol: PROTOCOL, name };
}

/** The port of a connect message for this database; `undefined` for any other message. */
export function connectPort(event: Pick<MessageEvent<unknown>, 'data' | 'ports'>, name: string): MessagePort | undefined {
  const { data, ports } = event;
  const asked = isObject(data) && data['vivarium'] === 'connect' && data['protocol'] === PROTOCOL && data['name'] === name;
  return asked ? ports[0] : undefined;
}

export function hereMessage(): Here {
  return { vivarium: 'here' };
}

export function isHere(data: unknown): data is Here {
  return isObject(data) && data['vivarium'] === 'here';
}

export function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

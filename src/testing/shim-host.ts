// A page whose fetch and XMLHttpRequest lead to the shim, and a host that answers as a test wants.
import { afterEach, beforeEach } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { installShim } from '../page/shim.ts';
import type { Shim } from '../page/shim.ts';
import { DEFAULT_ALIASES } from '../protocol/routes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (body: HttpRequest['body']): string | null => (body instanceof Uint8Array ? new TextDecoder().decode(body) : body);

/** Answers with what it was asked. */
async function echo(request: HttpRequest): Promise<HttpResponse> {
  const { method, path, search, headers } = request;
  const body = bytes(JSON.stringify({ method, path, search, authorization: headers['authorization'], body: textOf(request.body) }));
  return { status: 201, headers: { 'content-type': 'application/json;charset=utf-8', 'x-txn-time': '5' }, body };
}

export const never = (): Promise<HttpResponse> => new Promise(() => undefined);

export async function* threeParts(): AsyncGenerator<Uint8Array> {
  for (const part of ['one', 'two', 'three']) yield bytes(part);
}

export async function* endless(onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield bytes('more');
  } finally {
    onEnd();
  }
}

interface Host {
  handle: (request: HttpRequest) => Promise<HttpResponse>;
  /** Whether a service worker is in control. */
  controlled: boolean;
  settling: Promise<void> | null;
  shim: Shim;
}

const config = { origin: location.origin, base: '/db/', aliases: DEFAULT_ALIASES, rest: false };
export const install = (): Shim => installShim(config, () => host.controlled, () => host.settling, (request) => host.handle(request));

const fresh = () => ({ handle: echo, controlled: false, settling: null });

/** For one test at a time. */
export const host: Host = { ...fresh(), shim: { uninstall: () => undefined } };

/** For the tests of a file. */
export function behindShim(): void {
  beforeEach(() => {
    Object.assign(host, fresh());
    host.shim = install();
  });
  afterEach(() => host.shim.uninstall());
}

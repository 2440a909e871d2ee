// Pages as a service worker sees them, and time that passes only when a test lets it.
import { afterEach, beforeEach, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../engine/http/message.ts';
import { connectPort } from '../protocol/handshake.ts';
import { serveLane } from '../protocol/lane-server.ts';
import { fakeTimers, realTimers } from './fake-timers.ts';

export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

export const answer = (who: string): HttpResponse => ({ status: 200, headers: { who }, body: new Uint8Array() });
export const by = (who: string): Handle => async () => answer(who);
export const request: HttpRequest = { method: 'POST', path: '/', search: '', headers: {}, body: null, id: 'the id' };

/** The ports that pages were handed in this test. */
export const ports: MessagePort[] = [];

/** For the tests of a file: their limits follow a clock of their own. */
export function inOwnTime(): void {
  // Messages take the time they take on a busy machine; only limits follow this clock.
  beforeEach(fakeTimers);
  afterEach(() => {
    // Whoever still waits gives up, and with the last of them the timer ends that all share.
    vi.advanceTimersByTime(200_000);
    realTimers();
    ports.splice(0).forEach((port) => port.close());
  });
}

/** A page whose engine is `handle`; without one the page does not answer. */
export function page(id: string, handle: Handle | null) {
  const asked = vi.fn();
  const lanes: { close(): void }[] = [];
  const postMessage = (data: unknown, transfer: MessagePort[]): void => {
    asked();
    const port = connectPort({ data, ports: transfer }, 'db');
    if (port === undefined) throw new Error('not a connect message');
    ports.push(port);
    if (found.handle !== null) lanes.push(serveLane(port, found.handle));
  };
  const found = { id, type: 'window', handle, postMessage, asked, close: () => lanes.forEach((lane) => lane.close()) };
  return found;
}

export type FakePage = ReturnType<typeof page>;

/** Only what is used of them: a list of windows. */
export const clientsOf = (pages: readonly FakePage[]): Clients => ({ matchAll: async () => pages }) as unknown as Clients;

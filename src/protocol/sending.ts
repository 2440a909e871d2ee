// What makes a request the same one when it is sent again: its id and the time it was first
// sent. A page gives both to the service worker in headers, because a service worker that ends
// with requests under way is started again and handed the same requests a second time.
import type { HttpRequest } from '../engine/http/message.ts';

const REQUEST_ID_HEADER = 'x-vivarium-request-id';
const SENT_AT_HEADER = 'x-vivarium-sent-at';

export type Sending = Pick<HttpRequest, 'id' | 'resent' | 'sentAt'>;

/** Microseconds by which the clocks of two threads may differ; the same as in engine/http/transact.ts. */
const CLOCKS_DIFFER = 1_000_000;

/**
 * The system's clock, in microseconds, by which all threads go. A page's own may have been replaced, as
 * tests do it; they leave alone the time at which a `File` is made. Making one takes 0.3 ms.
 */
export function clock(): number {
  // What is bound shows native code, too, but has another name; a proxy has the name, but does not show it.
  const isOwn = Date.now.name === 'now' && /^function now\(\)\W+native code/.test(String(Date.now));
  return (isOwn ? Date.now() : new File([], '').lastModified) * 1000;
}

/** The id and time of a request that is sent for the first time. */
export function firstSending(): { readonly id: string; readonly sentAt: number } {
  const sentAt = clock();
  return { id: newRequestId(sentAt), sentAt };
}

/** The same request, for another engine or another try. */
export function sentAgain(request: HttpRequest): HttpRequest {
  return { ...request, resent: true };
}

/** Name and value of each header that tells the service worker of a first sending. */
export function sendingHeaders(): readonly (readonly [string, string])[] {
  const { id, sentAt } = firstSending();
  return [
    [REQUEST_ID_HEADER, id],
    [SENT_AT_HEADER, String(sentAt)],
  ];
}

/** Whether a page has given a request its sending, as the `fetch` and XMLHttpRequest of any page do that has opened the database. */
export function isMarked(headers: Headers): boolean {
  return headers.has(REQUEST_ID_HEADER);
}

/**
 * Takes the sending out of a request's headers; a request that comes without one is new.
 * @param startedAt when this thread began to answer: what was sent before may have reached its predecessor
 */
export function takeSending(
  headers: Readonly<Record<string, string>>,
  startedAt: number,
): { readonly sending: Sending; readonly headers: Record<string, string> } {
  const { [REQUEST_ID_HEADER]: id, [SENT_AT_HEADER]: time, ...others } = headers;
  if (id === undefined) return { sending: firstSending(), headers: others };
  const sentAt = Number(time ?? NaN);
  // A page of another build may give the id alone: then it may have been sent before, at any time.
  if (!Number.isSafeInteger(sentAt)) return { sending: { id, sentAt: clock(), resent: true }, headers: others };
  // One from a time still to come was sent before the clock was set back; who began since knows nothing of that time.
  const early = sentAt < startedAt + CLOCKS_DIFFER || sentAt > clock() + CLOCKS_DIFFER;
  return { sending: { id, sentAt, ...(early ? { resent: true } : {}) }, headers: others };
}

const ID_BYTES = 24;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Random bytes for the ids to come: to ask for them one id at a time would cost more than everything else about ids. */
const pool = new Uint8Array(1000 * ID_BYTES);
let used = pool.length;

/**
 * 64 hexadecimal digits, 192 random bits among them. The id is a secret (all of the request's random
 * values follow from it) and stays the same when the request is sent again. No two are the same, also where tests
 * have a page's random source repeat itself: the second would count as carried out, and write nothing.
 */
function newRequestId(sentAt: number): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, (used += ID_BYTES));
  let id = '';
  for (const byte of bytes) id += HEX[byte];
  bytes.fill(0);
  // The time, of 16 digits, is in whole milliseconds: room for what one pool gives.
  return id + (sentAt + used / ID_BYTES);
}

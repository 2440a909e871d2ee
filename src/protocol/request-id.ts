/**
 * Carries a request's id from the page to the service worker. When a service worker ends with
 * requests under way, the browser starts it again and hands it the same requests a second time.
 */
export const REQUEST_ID_HEADER = 'x-vivarium-request-id';

/**
 * A fresh request id: 64 hexadecimal digits, 256 random bits. It is a secret (all of the
 * request's random values follow from it) and stays the same when the request is sent again.
 */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// What may be made public of a request's secret id: a hash that tells requests apart, and random bits
// for its trace. It is all one block of a random stream of its own, so it is made together.
import { keyFromBytes, type Key } from '../base/bytes.ts';
import { seededRandom } from '../base/random.ts';
import { HASH_BYTES } from '../txn/record.ts';
import type { HttpRequest } from './message.ts';

export interface Marks {
  /** Stands in the log, for as long as the request may be sent again. */
  readonly hash: Key;
  /** Bits for the ids of a W3C Trace Context: that of a trace that begins here, and that of our span in it. */
  readonly traceBits: Uint8Array;
}

/** Apart from the randomness of the query. */
const PUBLIC_STREAM = 1;
export const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** The marks asked for last. Requests that overlap have theirs made anew, which costs less than weak references cost the collector. */
let last: { readonly id: string; readonly marks: Marks } | undefined;

export function marksOf({ id }: Pick<HttpRequest, 'id'>): Marks {
  if (last?.id !== id) last = { id, marks: make(id) };
  return last.marks;
}

function make(id: string): Marks {
  const bytes = seededRandom(id, PUBLIC_STREAM).bytes(HASH_BYTES + TRACE_BYTES + SPAN_BYTES);
  return {
    hash: keyFromBytes(bytes.subarray(0, HASH_BYTES)),
    traceBits: bytes.subarray(HASH_BYTES),
  };
}

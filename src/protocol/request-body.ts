import { unlessAborted } from './unless-aborted.ts';

/** One byte more than the engine takes (engine/http/body.ts): enough to be refused as too large. */
export const ENOUGH_BYTES = 8_388_609;

/**
 * The bytes of a request's body, `null` if there are none. Of a body beyond the engine's limit
 * only as many are read as show that it is too large.
 * @throws the reason of the request's signal, once that is aborted
 */
export async function readBody(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length')) >= ENOUGH_BYTES) return new Uint8Array(ENOUGH_BYTES);
  // Not every browser has requests' bodies as streams.
  const body = request.body ? await readSome(request.body, request.signal) : new Uint8Array(await request.arrayBuffer());
  return body.byteLength === 0 ? null : body;
}

async function readSome(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < ENOUGH_BYTES) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) break;
      chunks.push(value);
      length += value.byteLength;
    }
  } finally {
    // Nobody waits for the rest, and whether it could be called off makes no difference.
    reader.cancel(signal.reason).catch(() => undefined);
  }
  return joined(chunks, length).subarray(0, ENOUGH_BYTES);
}

/** @returns the chunk itself where it is the only one */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

// What IndexedDB keeps, as JSON: bytes, big integers and objects say what they are.
import { fromBase64, toBase64 } from '../engine/base/bytes.ts';

/** @throws TypeError for a kind of value that no build so far has stored */
export function encode(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Uint8Array) return { bytes: toBase64(value) };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return { object: Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encode(field)])) };
  }
  throw new TypeError(`a value of a kind that was never stored: ${Object.prototype.toString.call(value)}`);
}

/** @throws TypeError for anything that `encode` does not write */
export function decode(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(decode);
  const [[kind, content] = ['', null], another] = Object.entries(json);
  if (another === undefined && kind === 'bigint' && typeof content === 'string') return BigInt(content);
  if (another === undefined && kind === 'object' && typeof content === 'object' && content !== null) {
    return Object.fromEntries(Object.entries(content).map(([key, field]) => [key, decode(field)]));
  }
  const bytes = another === undefined && kind === 'bytes' && typeof content === 'string' ? fromBase64(content) : null;
  if (bytes === null) throw new TypeError('a value that was written by something else');
  return bytes;
}

// Writing and reading of bytes one after the other.
import type { Key } from './bytes.ts';
import type { Platform } from './platform.ts';

const LETTERS: readonly string[] = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

export class ByteWriter {
  private buffer = new Uint8Array(1024);
  private length = 0;

  /** A whole number below 2^32, seven bits a byte. */
  varint(value: number): void {
    if (this.length + 5 > this.buffer.length) this.grow(5);
    let rest = value;
    while (rest > 127) {
      this.buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  float(value: number): void {
    if (this.length + 8 > this.buffer.length) this.grow(8);
    new DataView(this.buffer.buffer).setFloat64(this.length, value);
    this.length += 8;
  }

  bytes(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.buffer.length) this.grow(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The bytes of a key. */
  key(key: Key): void {
    if (this.length + key.length > this.buffer.length) this.grow(key.length);
    const { buffer, length } = this;
    for (let at = 0; at < key.length; at++) buffer[length + at] = key.charCodeAt(at);
    this.length = length + key.length;
  }

  /** Length and UTF-8. Most texts are short and ASCII, which is sooner copied than handed to the platform. */
  text(text: string, utf8: Platform['utf8']): void {
    const start = this.length;
    this.varint(text.length);
    if (this.length + text.length > this.buffer.length) this.grow(text.length);
    const { buffer, length } = this;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) {
        this.length = start;
        return this.sized(utf8.encode(text));
      }
      buffer[length + at] = code;
    }
    this.length = length + text.length;
  }

  /** Bytes with their length before them. */
  sized(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  done(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Bytes that it gives are views of the buffer, not copies. */
export class ByteReader {
  private at = 0;

  constructor(private readonly buffer: Uint8Array) {}

  varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.buffer[this.at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }

  float(): number {
    this.at += 8;
    return new DataView(this.buffer.buffer, this.buffer.byteOffset).getFloat64(this.at - 8);
  }

  bytes(length: number): Uint8Array {
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  skip(length: number): void {
    this.at += length;
  }

  /** How many of the next `length` bytes are those of a key from the place `from` on. Does not move on. */
  same(key: Key, from: number, length: number): number {
    const most = Math.min(length, key.length - from);
    let same = 0;
    while (same < most && this.buffer[this.at + same] === key.charCodeAt(from + same)) same++;
    return same;
  }

  /** The byte that comes after so many others. Does not move on. */
  peek(others: number): number {
    return this.buffer[this.at + others] ?? 0;
  }

  /** Bytes as a key; hardly any is long. */
  key(length: number): Key {
    let key = '';
    for (const end = this.at + length; this.at < end; this.at++) key += LETTERS[this.buffer[this.at] as number];
    return key;
  }

  sized(): Uint8Array {
    return this.bytes(this.varint());
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.bytes(this.buffer.length - this.at);
  }
}

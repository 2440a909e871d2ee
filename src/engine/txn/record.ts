// The body of a log record: the commits of one group. Keys go as their bytes, texts as
// UTF-8, lengths as varints:
//
//   commits, then for each: ts (8) · hash of the request id (16) · now (8) · rows, then for
//   each row: key length · key · text length · text
import { type Key, keyFromBytes } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import type { Row } from '../kv/rows.ts';

/** One committed transaction. */
export interface Commit {
  readonly ts: Ts;
  /** Public hash of the request id: a request that finds it here has been applied. 16 bytes. */
  readonly requestHash: Key;
  /** The clock its query saw. */
  readonly now: Ts;
  readonly rows: readonly Row[];
}

export const HASH_BYTES = 16;

export function encodeCommits(commits: readonly Commit[], utf8: Platform['utf8']): Uint8Array {
  const out = new Writer();
  out.varint(commits.length);
  for (const commit of commits) {
    out.float(commit.ts);
    out.key(commit.requestHash);
    out.float(commit.now);
    out.varint(commit.rows.length);
    for (const row of commit.rows) {
      out.varint(row.key.length);
      out.key(row.key);
      out.text(row.text, utf8);
    }
  }
  return out.done();
}

export function decodeCommits(body: Uint8Array, utf8: Platform['utf8']): Commit[] {
  const from = new Reader(body);
  return Array.from({ length: from.varint() }, () => {
    const ts = from.float();
    const requestHash = keyFromBytes(from.bytes(HASH_BYTES));
    const now = from.float();
    const rows = Array.from({ length: from.varint() }, () => {
      const key = keyFromBytes(from.sized());
      return { key, text: utf8.decode(from.sized()) };
    });
    return { ts, requestHash, now, rows };
  });
}

class Writer {
  private buffer = new Uint8Array(1024);
  private length = 0;

  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.buffer[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.buffer[this.length++] = rest;
  }

  float(value: number): void {
    this.reserve(8);
    new DataView(this.buffer.buffer).setFloat64(this.length, value);
    this.length += 8;
  }

  key(key: Key): void {
    this.reserve(key.length);
    for (let at = 0; at < key.length; at++) this.buffer[this.length + at] = key.charCodeAt(at);
    this.length += key.length;
  }

  /** Length and UTF-8. Most texts are short and ASCII, which is sooner copied than handed to the platform. */
  text(text: string, utf8: Platform['utf8']): void {
    const start = this.length;
    this.varint(text.length);
    this.reserve(text.length);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) {
        this.length = start;
        return this.sized(utf8.encode(text));
      }
      this.buffer[this.length + at] = code;
    }
    this.length += text.length;
  }

  private sized(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more));
    larger.set(this.buffer.subarray(0, this.length));
    this.buffer = larger;
  }
}

class Reader {
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

  sized(): Uint8Array {
    return this.bytes(this.varint());
  }
}

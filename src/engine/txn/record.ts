// The body of a log record: the commits of one group. Keys go as their bytes, texts as
// UTF-8, lengths as varints:
//
//   commits, then for each: header length · header · rows, then for each row: key length ·
//   key · text length · text
//
// The header is ts (8) · hash of the request id (16) · now (8); a later build may put more
// behind these, and this one steps over it.
import { ByteReader, ByteWriter } from '../base/byte-buffer.ts';
import { type Key, keyFromBytes } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { type Row, rowOf } from '../kv/rows.ts';

/** One committed transaction. */
export interface Commit {
  readonly ts: Ts;
  /** Public hash of the request id: a request that finds it here has been applied. 16 bytes; none of one that writes nothing and leaves no mark, either. */
  readonly requestHash: Key;
  /** The clock its query saw. */
  readonly now: Ts;
  readonly rows: readonly Row[];
}

/** Whether it goes to the log. */
export const isLogged = ({ requestHash }: Commit): boolean => requestHash !== '';

export const keysOf = ({ rows }: Commit): Key[] => rows.map(({ key }) => key);

export const HASH_BYTES = 16;
const FLOAT_BYTES = 8;

export function encodeCommits(commits: readonly Commit[], utf8: Platform['utf8']): Uint8Array {
  const out = new ByteWriter();
  out.varint(commits.length);
  for (const commit of commits) {
    out.varint(2 * FLOAT_BYTES + commit.requestHash.length);
    out.float(commit.ts);
    out.key(commit.requestHash);
    out.float(commit.now);
    out.varint(commit.rows.length);
    for (let at = 0; at < commit.rows.length; at++) {
      const row = commit.rows[at] as Row;
      out.varint(row.key.length);
      out.key(row.key);
      out.text(row.text, utf8);
    }
  }
  return out.done();
}

export function decodeCommits(body: Uint8Array, utf8: Platform['utf8']): Commit[] {
  // A void record.
  if (body.length === 0) return [];
  const from = new ByteReader(body);
  return Array.from({ length: from.varint() }, () => {
    const header = new ByteReader(from.sized());
    const ts = header.float();
    const requestHash = keyFromBytes(header.bytes(HASH_BYTES));
    const now = header.float();
    const rows = Array.from({ length: from.varint() }, () => {
      const key = keyFromBytes(from.sized());
      return rowOf(key, utf8.decode(from.sized()));
    });
    return { ts, requestHash, now, rows };
  });
}

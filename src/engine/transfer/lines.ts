// Rows as lines of JSON. A version of a document is shown as what it is:
//
//   {"doc":"<database>/<collection>/<id>","ts":…,"commit":…,"fields":{…}}
//
// with `"fields":null` where the document is deleted, and `"removed":true` in place of fields
// where that version was taken out of history. Database 0 is the root; the other numbers are
// ids of databases and collections, whose names stand in documents of their own. Fields are as
// the engine stores them (txn/stored.ts). Everything else, the entries and events of indexes
// above all, follows from documents and goes as bytes of its key:
//
//   {"row":"<base64>","text":"…"}
import { fromBase64, type Key, keyFromBytes, toBase64 } from '../base/bytes.ts';
import { bytesFromKey } from '../base/key-bytes.ts';
import { documentPrefix, ID_BYTES, readCollectionPrefix, readDownTs, readId, stamp, STAMP_BYTES } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { decodeStored } from '../txn/stored.ts';
import { DELETED, LIVE, REMOVED } from '../txn/version.ts';
import { Obj } from '../value/obj.ts';
import { TransferError } from './transfer-error.ts';

/** First letters of keys (kv/keyspace.ts). */
const TABLES = 'DEHIV';
/** A table, a root scope, and the time of a commit at the end. */
const SHORTEST_KEY = 2 + STAMP_BYTES / 2;

export function lineOf({ key, text }: Row): string {
  const said = key.startsWith('V') ? whatIsSaid(text) : null;
  if (said === null) return `{"row":"${toBase64(bytesFromKey(key))}","text":${JSON.stringify(text)}}`;
  const { scope, collection } = readCollectionPrefix(key);
  const end = key.length - STAMP_BYTES;
  const [ts, commit] = [readDownTs(key, end), readDownTs(key, end + STAMP_BYTES / 2)];
  return `{"doc":"${scope}/${collection}/${readId(key, end - ID_BYTES)}","ts":${ts},"commit":${commit},${said}}`;
}

/** The last field of a document's line; `null` for a text that is none of a version. */
function whatIsSaid(text: string): string | null {
  if (text === DELETED) return '"fields":null';
  if (text === REMOVED) return '"removed":true';
  return text.startsWith(`${LIVE}{`) ? `"fields":${text.slice(LIVE.length)}` : null;
}

const DOCUMENT = /^\{"doc":"(-?\d{1,19})\/(\d{1,5})\/(-?\d{1,19})","ts":(-?\d{1,16}),"commit":(-?\d{1,16}),(?:"removed":(true)|"fields":(.*))\}$/s;

/** @throws TransferError `damaged export` */
export function rowOf(line: string): Row {
  const [, scope = '', collection = '', id = '', ts = '', commit = '', removed, fields = ''] = DOCUMENT.exec(line) ?? [];
  if (scope === '') return rawRow(line);
  const key = documentPrefix(BigInt(scope), Number(collection), BigInt(id)) + stamp(Number(ts), Number(commit));
  if (removed !== undefined) return { key, text: REMOVED };
  if (fields === 'null') return { key, text: DELETED };
  if (!isObject(fields)) throw nonsense(line);
  return { key, text: LIVE + fields };
}

function isObject(fields: string): boolean {
  try {
    return decodeStored(fields) instanceof Obj;
  } catch {
    return false;
  }
}

function rawRow(line: string): Row {
  const { row, text } = parsed(line);
  const key: Key | null = typeof row === 'string' ? keyFromBytes(fromBase64(row) ?? NOTHING) : null;
  if (key === null || key.length < SHORTEST_KEY || !TABLES.includes(key.charAt(0)) || typeof text !== 'string') throw nonsense(line);
  return { key, text };
}

const NOTHING = new Uint8Array();

function parsed(line: string): { readonly row?: unknown; readonly text?: unknown } {
  try {
    return (JSON.parse(line) as object | null) ?? {};
  } catch {
    throw nonsense(line);
  }
}

const nonsense = (line: string): TransferError =>
  new TransferError('damaged export', `A line of the file says nothing that could be understood: ${line.slice(0, 60)}`);

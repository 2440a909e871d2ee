// Values as they stand in storage: JSON text with short tags. Refs are numbers, so a rename
// changes nothing stored; times are nanoseconds; the text is the same whatever API version
// wrote it.
import { fromBase64, toBase64 } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { badRequest } from '../errors/codes.ts';
import { each, eachField } from '../value/each.ts';
import { isTooDeep, MAX_DEPTH, readJson, writeJson } from '../value/json.ts';
import { asData } from '../value/as-data.ts';
import { Obj } from '../value/obj.ts';
import { StoredSet } from '../value/stored-set.ts';
import {
  Bytes, DateValue, type Env, isArray, Lambda, PendingTs, Ref, SetValue, Time, UnresolvedRef, Uuid, type Value,
} from '../value/value.ts';

/**
 * @param pendingTs what a pending transaction time is stored as
 * @throws HttpError `bad request` for a value nested deeper than it could be read again
 */
export function encodeStored(value: Value, pendingTs: Ts): string {
  const text = writeJson(pack(value, pendingTs));
  if (isTooDeep(text)) throw badRequest(`Version nesting exceeds threshold (${MAX_DEPTH})`);
  return text;
}

export function decodeStored(text: string): Value {
  return unpack(readJson(text));
}

const tagged = (tag: string, content: Value): Obj => new Obj([tag], [content]);

function pack(value: Value, pendingTs: Ts): Value {
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : tagged('@f', String(value));
  if (isArray(value)) return each(value, pack, pendingTs);
  if (value instanceof Obj) return packFields(value, pendingTs);
  if (value instanceof Ref) return tagged('@r', [BigInt(value.collection), value.id, value.scope]);
  if (value instanceof Time) return tagged('@t', String(value.nanos));
  if (value instanceof DateValue) return tagged('@d', BigInt(value.days));
  if (value instanceof Bytes) return tagged('@b', toBase64(value.data));
  if (value instanceof Uuid) return tagged('@u', value.text);
  if (value instanceof PendingTs) return BigInt(pendingTs);
  if (value instanceof Lambda) {
    return tagged('@l', Obj.from({ p: value.params, s: pack(value.source, pendingTs), v: value.version, e: packEnv(value.env, pendingTs) }));
  }
  if (value instanceof SetValue) return tagged('@s', pack(value.describe(), pendingTs));
  if (value instanceof UnresolvedRef) throw badRequest('An undefined ref cannot be stored.');
  return pack(asData(value), pendingTs);
}

function packFields(object: Obj, pendingTs: Ts): Obj {
  const packed = eachField(object, pack, pendingTs);
  for (const key of object.keys) if (key.startsWith('@')) return tagged('@o', packed);
  return packed;
}

function packEnv(env: Env | null, pendingTs: Ts): Value | undefined {
  const frames: [string, Value][] = [];
  for (let frame = env; frame !== null; frame = frame.outer) frames.push([frame.name, pack(frame.value, pendingTs)]);
  return frames.length === 0 ? undefined : Obj.of(...frames.reverse());
}

function unpack(value: Value): Value {
  if (isArray(value)) return each(value, unpack, null);
  if (!(value instanceof Obj)) return value;
  const [key = ''] = value.keys;
  const unpackTag = value.keys.length === 1 && key.startsWith('@') ? TAGS[key] : undefined;
  return unpackTag === undefined ? unpackFields(value) : unpackTag(value.values[0] as Value);
}

const unpackFields = (fields: Obj): Obj => eachField(fields, unpack, null);

// What each tag holds is what `pack` wrote; the checksum of the record vouches for the text.
const TAGS: Readonly<Record<string, (content: Value) => Value>> = {
  '@o': (content) => unpackFields(content as Obj),
  '@f': (content) => Number(content),
  '@r': (content) => {
    const [collection, id, scope] = content as [bigint, bigint, bigint];
    return new Ref(Number(collection), id, scope);
  },
  '@t': (content) => new Time(BigInt(content as string)),
  '@d': (content) => new DateValue(Number(content)),
  '@b': (content) => new Bytes(fromBase64(content as string) ?? new Uint8Array()),
  '@u': (content) => new Uuid(content as string),
  '@s': (content) => new StoredSet(unpack(content) as Obj | Ref),
  '@l': (content) => {
    const parts = content as Obj;
    return new Lambda(parts.get('p') as string | string[], unpack(parts.get('s') ?? null), parts.get('v') as string, unpackEnv(parts.get('e')));
  },
};

function unpackEnv(frames: Value | undefined): Env | null {
  if (!(frames instanceof Obj)) return null;
  return frames.entries().reduce<Env | null>((outer, [name, value]) => ({ name, value: unpack(value), outer }), null);
}

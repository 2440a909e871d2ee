// Values as byte strings: one byte for the kind, then the content in a form that no other
// key of the kind begins with, so that keys can be put one after the other.
//
// What differs between a key for order and a key for identity is a `KeyStyle`.
import { keyFromBytes, type Key } from '../base/bytes.ts';
import { type Bytes, type DateValue, type Lambda, type Obj, Ref, type Time, type UnresolvedRef, type Uuid, type Value } from '../value/value.ts';
import { countPart } from '../value/parts.ts';
import { floorDiv } from '../value/time.ts';
import { type Collation, KIND, kindOf, lambdaParts, plain, sortedFields, unresolvedParts } from './kind.ts';
import { bytesKey, longKey, textKey, unsignedKey } from './scalar-key.ts';

export interface KeyStyle {
  /** Which kind a Double is. */
  readonly collation: Collation;
  readonly long: (value: bigint) => Key;
  readonly double: (value: number) => Key;
  readonly ref: (ref: Ref) => Key;
}

const TAG: Readonly<Record<number, Key>> = Object.fromEntries(
  Object.values(KIND).map((kind) => [kind, String.fromCharCode(kind)]),
);
const STRING = String.fromCharCode(KIND.string);
const NUMBER = String.fromCharCode(KIND.number);
const REF = String.fromCharCode(KIND.ref);

/** Below every tag. */
const END = '\0';

export function valueKey(value: Value, style: KeyStyle): Key {
  // What stands in most keys.
  if (typeof value === 'string') return STRING + textKey(value);
  if (typeof value === 'bigint') return NUMBER + style.long(value);
  if (value instanceof Ref) return REF + style.ref(value);
  const ordered = plain(value);
  const kind = kindOf(ordered, style.collation);
  return (TAG[kind] ?? '') + (CONTENT[kind]?.(ordered as never, style) ?? '');
}

const doubleKey = (value: number, style: KeyStyle): Key => style.double(value);

/** `kindOf` has told what the values are. */
const CONTENT: Readonly<Record<number, (value: never, style: KeyStyle) => Key>> = {
  // Longs have their keys already, and nothing else is shown as one.
  [KIND.number]: doubleKey,
  [KIND.double]: doubleKey,
  [KIND.bytes]: (value: Bytes) => bytesKey(value.data),
  [KIND.string]: textKey,
  [KIND.array]: itemsKey,
  [KIND.object]: (value: Obj, style) => itemsKey(sortedFields(value), style),
  [KIND.ref]: (value: Ref, style) => style.ref(value),
  [KIND.unresolvedRef]: (value: UnresolvedRef, style) => itemsKey(unresolvedParts(value), style),
  [KIND.time]: timeKey,
  [KIND.date]: (value: DateValue) => unsignedKey(value.days + 2 ** 39, 5),
  [KIND.lambda]: (value: Lambda, style) => itemsKey(lambdaParts(value), style),
  [KIND.uuid]: uuidKey,
};

export function itemsKey(items: readonly Value[], style: KeyStyle): Key {
  countPart(items.length);
  let key = '';
  for (const item of items) key += valueKey(item, style);
  return key + END;
}

/** Ten bytes: the id in order of Longs, then the collection. */
export function refKey(ref: Ref): Key {
  const { collection } = ref;
  if (collection > 0xffff) throw new Error('a collection number has two bytes');
  return longKey(ref.id) + String.fromCharCode(collection >> 8, collection & 0xff);
}

const NANOS = 1_000_000_000n;

function timeKey(time: Time): Key {
  const seconds = floorDiv(time.nanos, NANOS);
  return longKey(seconds) + unsignedKey(Number(time.nanos - seconds * NANOS), 4);
}

function uuidKey(uuid: Uuid): Key {
  const digits = uuid.text.replaceAll('-', '');
  return keyFromBytes(Uint8Array.from({ length: 16 }, (_, at) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)));
}

// Cursors as text: base64 of a small CBOR tree that clients take as opaque (reference:
// graphql/graphql.md §8.1). Tag 51 holds an `after`, tag 50 a `before`, each an array of
// values; tag 52 is a ref: id, collection and database, the last two as options (arrays of
// one or none).
import { fromBase64, toBase64 } from '../base/bytes.ts';
import type { Platform } from '../base/platform.ts';
import { DateValue, Time } from '../value/time.ts';

/** A ref by names: what a cursor stores. */
export class NamedRef {
  constructor(
    readonly collection: string,
    readonly id: string,
  ) {}
}

export type CursorValue = null | boolean | string | bigint | number | Time | DateValue | NamedRef | readonly CursorValue[];

export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly values: readonly CursorValue[];
}

type Utf8 = Platform['utf8'];

const MAJOR = { unsigned: 0, negative: 1, text: 3, array: 4, tag: 6, simple: 7 } as const;
const DIRECTION = { before: 50, after: 51 } as const;
const REF = 52;
// Our own, next to the gateway's: times and dates in the covered values of an index.
const TIME = 53;
const DATE = 54;

export function encodeCursor(cursor: Cursor, utf8: Utf8): string {
  const bytes: number[] = [];
  head(bytes, MAJOR.tag, BigInt(DIRECTION[cursor.direction]));
  write(bytes, cursor.values, utf8);
  return toBase64(Uint8Array.from(bytes));
}

/** `null` when the text is not a cursor. */
export function decodeCursor(text: string, utf8: Utf8): Cursor | null {
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  const reader = new Reader(bytes, utf8);
  const tag = reader.head();
  const direction = tag?.major === MAJOR.tag && (Object.keys(DIRECTION) as Cursor['direction'][]).find((name) => BigInt(DIRECTION[name]) === tag.value);
  const values = direction ? reader.value() : undefined;
  return direction && Array.isArray(values) && reader.done ? { direction, values } : null;
}

/** The first bytes of an item: its major type and its length, number or tag. */
function head(bytes: number[], major: number, value: bigint): void {
  const type = major << 5;
  if (value < 24n) bytes.push(type | Number(value));
  else {
    const size = value < 0x100n ? 1 : value < 0x10000n ? 2 : value < 0x1_0000_0000n ? 4 : 8;
    bytes.push(type | (24 + Math.log2(size)));
    for (let at = size - 1; at >= 0; at--) bytes.push(Number((value >> BigInt(8 * at)) & 0xffn));
  }
}

function write(bytes: number[], value: CursorValue, utf8: Utf8): void {
  if (value === null) bytes.push(0xf6);
  else if (typeof value === 'boolean') bytes.push(value ? 0xf5 : 0xf4);
  else if (typeof value === 'bigint') head(bytes, value < 0n ? MAJOR.negative : MAJOR.unsigned, value < 0n ? -1n - value : value);
  else if (typeof value === 'number') {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    bytes.push(0xfb, ...new Uint8Array(view.buffer));
  } else if (typeof value === 'string') {
    const encoded = utf8.encode(value);
    head(bytes, MAJOR.text, BigInt(encoded.length));
    bytes.push(...encoded);
  } else if (value instanceof Time) writeTagged(bytes, TIME, value.nanos.toString(), utf8);
  else if (value instanceof DateValue) writeTagged(bytes, DATE, BigInt(value.days), utf8);
  else if (value instanceof NamedRef) {
    head(bytes, MAJOR.tag, BigInt(REF));
    write(bytes, value.id, utf8);
    // The collection is itself a ref, without tag, whose collection is `classes`; no databases.
    write(bytes, [value.collection], utf8);
    write(bytes, ['classes'], utf8);
    for (let options = 0; options < 4; options++) head(bytes, MAJOR.array, 0n);
  } else {
    head(bytes, MAJOR.array, BigInt(value.length));
    for (const item of value) write(bytes, item, utf8);
  }
}

function writeTagged(bytes: number[], tag: number, value: CursorValue, utf8: Utf8): void {
  head(bytes, MAJOR.tag, BigInt(tag));
  write(bytes, value, utf8);
}

/** Simple values by what follows their major type. */
const SIMPLE: ReadonlyMap<number, CursorValue> = new Map<number, CursorValue>([[20, false], [21, true], [22, null]]);

/** A cursor is this deep at most; text made to exhaust the stack is not one. */
const DEPTH = 16;

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly utf8: Utf8,
  ) {}

  get done(): boolean {
    return this.at === this.bytes.length;
  }

  head(): { major: number; value: bigint; small: number } | undefined {
    const first = this.bytes[this.at++];
    if (first === undefined) return undefined;
    const [major, small] = [first >> 5, first & 31];
    if (small < 24) return { major, small, value: BigInt(small) };
    if (small > 27) return undefined;
    const size = 1 << (small - 24);
    if (this.at + size > this.bytes.length) return undefined;
    let value = 0n;
    for (let read = 0; read < size; read++) value = (value << 8n) | BigInt(this.bytes[this.at++] ?? 0);
    return { major, small, value };
  }

  /** `undefined` where the bytes make no sense. */
  value(): CursorValue | undefined {
    if (this.depth === DEPTH) return undefined;
    this.depth++;
    const value = this.item();
    this.depth--;
    return value;
  }

  private item(): CursorValue | undefined {
    const item = this.head();
    switch (item?.major) {
      case MAJOR.unsigned:
        return item.value;
      case MAJOR.negative:
        return -1n - item.value;
      case MAJOR.text:
        return this.text(Number(item.value));
      case MAJOR.array:
        return this.array(Number(item.value));
      case MAJOR.tag:
        return this.tagged(Number(item.value));
      case MAJOR.simple:
        return this.simple(item.small);
      default:
        return undefined;
    }
  }

  private text(length: number): string | undefined {
    if (this.at + length > this.bytes.length) return undefined;
    this.at += length;
    return this.utf8.decode(this.bytes.subarray(this.at - length, this.at));
  }

  private array(length: number): CursorValue[] | undefined {
    const items: CursorValue[] = [];
    // Every item takes at least a byte: a false length cannot make this long.
    for (let at = 0; at < length && !this.done; at++) {
      const item = this.value();
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items.length === length ? items : undefined;
  }

  private tagged(tag: number): CursorValue | undefined {
    if (tag === REF) return this.ref();
    const inner = this.value();
    if (tag === TIME && typeof inner === 'string' && /^-?\d+$/.test(inner)) return new Time(BigInt(inner));
    return tag === DATE && typeof inner === 'bigint' ? new DateValue(Number(inner)) : undefined;
  }

  private ref(): NamedRef | undefined {
    const parts = Array.from({ length: 7 }, () => this.value());
    const [id, collection] = parts;
    const name = Array.isArray(collection) ? (collection as readonly CursorValue[])[0] : undefined;
    return typeof id === 'string' && typeof name === 'string' && parts.every((part) => part !== undefined)
      ? new NamedRef(name, id)
      : undefined;
  }

  private simple(small: number): CursorValue | undefined {
    if (small === 27) return this.double();
    return SIMPLE.get(small);
  }

  private double(): number {
    // head() has read the eight bytes already.
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at - 8, 8).getFloat64(0);
  }
}

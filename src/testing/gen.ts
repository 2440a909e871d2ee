// Seeded generators for property tests. A test prints or names its seed, so that a
// failure can be run again; nothing here reads a clock or the platform's random source.
import { Bytes, DateValue, Obj, PendingTs, Ref, Time, Uuid, type Value } from '../engine/value/value.ts';

export class Gen {
  private state: number;

  constructor(readonly seed: number) {
    this.state = seed | 0;
  }

  /** A number in [0, 1) (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  list<T>(longest: number, make: () => T): T[] {
    return Array.from({ length: this.below(longest + 1) }, make);
  }

  bool(): boolean {
    return this.next() < 0.5;
  }

  /** Often a border of 64 bits or of exact doubles, else of any size. */
  long(): bigint {
    const borders = [0n, 1n, 255n, 2n ** 31n, 2n ** 53n, 2n ** 54n, 2n ** 62n, 2n ** 63n];
    const near = this.pick(borders) + BigInt(this.below(5) - 2);
    const any = (BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32));
    const size = this.bool() ? near : any >> BigInt(this.below(64));
    return BigInt.asIntN(64, this.bool() ? size : -size);
  }

  double(): number {
    const borders = [0, -0, 0.5, -1.5, 1e-3, 1e7, 2 ** 53, 2 ** 63, 5e-324, 1.7976931348623157e308, Infinity, Number.NaN];
    const size = this.bool() ? this.pick(borders) : (this.next() - 0.5) * 10 ** this.below(25);
    return this.bool() ? size : -size;
  }

  /** Characters from every part of Unicode that needs its own care: controls, quotes, two to four UTF-8 bytes. */
  string(): string {
    const alphabet = ['\u0000', '\u0001', '\u0002', '\n', '"', '\\', '@', 'a', 'b', 'Z', '~', 'é', '\u07ff', '中', '\uffee', '😀', '\u{10ffff}'];
    return this.list(6, () => this.pick(alphabet)).join('');
  }

  bytes(): Bytes {
    return new Bytes(Uint8Array.from(this.list(5, () => this.pick([0, 1, 2, 127, 128, 255]))));
  }

  ref(): Ref {
    return new Ref(this.pick([1, 7, 1024, 1025, 65535]), this.pick([-1n, 0n, 1n, 255n, 256n, 2n ** 63n - 1n]), 0n);
  }

  scalar(): Value {
    return this.pick<() => Value>([
      () => null,
      () => this.bool(),
      () => this.long(),
      () => this.double(),
      () => this.string(),
      () => this.bytes(),
      () => this.ref(),
      () => new Time(this.long() * this.pick([1n, 1000n, 10_000_000n])),
      () => new DateValue(this.below(200_000) - 100_000),
      () => new Uuid(`0000000${this.below(10)}-0000-4000-8000-00000000000${this.below(10)}`),
      () => PendingTs.instance,
    ])();
  }

  /** A storable value nested at most `depth` deep. */
  value(depth = 3): Value {
    if (depth === 0 || this.below(3) > 0) return this.scalar();
    return this.bool() ? this.list(3, () => this.value(depth - 1)) : this.object(() => this.value(depth - 1));
  }

  /** A value JSON can write; doubles are finite, since the others come back as strings. */
  json(depth = 3): Value {
    if (depth > 0 && this.below(3) === 0) {
      return this.bool() ? this.list(3, () => this.json(depth - 1)) : this.object(() => this.json(depth - 1));
    }
    const double = this.double();
    return this.pick<Value>([null, this.bool(), this.long(), Number.isFinite(double) ? double : 1.5, this.string()]);
  }

  /** Up to four distinct keys; some are integer-like or special in JavaScript. */
  object(make: () => Value): Obj {
    const keys = ['a', 'b', 'c', '10', '2', '__proto__', '@ref', 'é', ''].filter(() => this.below(3) === 0);
    return Obj.of(...keys.map((key) => [key, make()] as const));
  }

  /** Fields of a document as users store them. */
  document(): Obj {
    return Obj.of(['data', this.object(() => this.value(2))]);
  }
}

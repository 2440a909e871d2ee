import type { Value } from './value.ts';

/** Fields are found by a plain search up to this many; beyond it an index is built on first use. */
const SEARCHED = 8;

/**
 * An ordered field map. Not a plain object: those move integer-like keys to the front and
 * treat `__proto__` specially, and key order is part of the wire. Immutable.
 */
export class Obj {
  static readonly empty = new Obj([], []);
  private index: Map<string, number> | undefined;

  /** `keys` and `values` run in parallel and are not copied; keys must be distinct. */
  constructor(
    readonly keys: readonly string[],
    readonly values: readonly Value[],
  ) {}

  static of(...entries: readonly (readonly [string, Value])[]): Obj {
    return new Obj(
      entries.map(([key]) => key),
      entries.map(([, value]) => value),
    );
  }

  /** From a plain object written in code; `undefined` members are left out. */
  static from(fields: Readonly<Record<string, Value | undefined>>): Obj {
    return Obj.of(...Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));
  }

  get size(): number {
    return this.keys.length;
  }

  has(key: string): boolean {
    return this.indexOf(key) >= 0;
  }

  get(key: string): Value | undefined {
    const at = this.keys.length <= SEARCHED ? this.keys.indexOf(key) : this.indexOf(key);
    return at < 0 ? undefined : this.values[at];
  }

  /** With `key` set: in its place when it is there, else at the end. */
  with(key: string, value: Value): Obj {
    const at = this.indexOf(key);
    return at < 0
      ? new Obj([...this.keys, key], [...this.values, value])
      : new Obj(this.keys, this.values.with(at, value));
  }

  without(key: string): Obj {
    const at = this.indexOf(key);
    return at < 0 ? this : new Obj(this.keys.toSpliced(at, 1), this.values.toSpliced(at, 1));
  }

  /** Keeps the fields the test accepts. */
  filter(test: (key: string, value: Value) => boolean): Obj {
    let at = 0;
    while (at < this.keys.length && test(this.keys[at] as string, this.values[at] as Value)) at++;
    if (at === this.keys.length) return this;
    const keys = this.keys.slice(0, at);
    const values = this.values.slice(0, at);
    for (at++; at < this.keys.length; at++) {
      const key = this.keys[at] as string;
      const value = this.values[at] as Value;
      if (!test(key, value)) continue;
      keys.push(key);
      values.push(value);
    }
    return new Obj(keys, values);
  }

  entries(): [string, Value][] {
    return this.keys.map((key, at) => [key, this.values[at] as Value]);
  }

  private indexOf(key: string): number {
    if (this.keys.length <= SEARCHED) return this.keys.indexOf(key);
    this.index ??= new Map(this.keys.map((name, at) => [name, at]));
    return this.index.get(key) ?? -1;
  }
}

/** Collects fields in order; a key given twice keeps its first value. */
export class ObjBuilder {
  private readonly keys: string[] = [];
  private readonly values: Value[] = [];
  private known: Set<string> | undefined;

  add(key: string, value: Value): this {
    if (this.has(key)) return this;
    this.known?.add(key);
    this.keys.push(key);
    this.values.push(value);
    return this;
  }

  private has(key: string): boolean {
    if (this.keys.length <= SEARCHED) return this.keys.includes(key);
    this.known ??= new Set(this.keys);
    return this.known.has(key);
  }

  done(): Obj {
    return this.keys.length === 0 ? Obj.empty : new Obj(this.keys, this.values);
  }
}

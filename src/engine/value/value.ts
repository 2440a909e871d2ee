// The values of the language. The tag of a scalar is its JavaScript type; the rest are
// classes. A Long is a `bigint` (always within 64 bits), a Double a `number`: they differ
// on the wire and in equality.
import type { Ts } from '../base/platform.ts';
import { Obj } from './obj.ts';
import { collectionRefOf, Ref, UnresolvedRef } from './ref.ts';
import { DateValue, Time } from './time.ts';

export type Value =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly Value[]
  | Bytes
  | Time
  | DateValue
  | Uuid
  | Ref
  | UnresolvedRef
  | Obj
  | Lambda
  | SetValue
  | Doc
  | DocEvent
  | Page
  | Sourced
  | Action
  | PendingTs;

export class Bytes {
  constructor(readonly data: Uint8Array) {}
}

export class Uuid {
  /** @param text canonical lower-case form */
  constructor(readonly text: string) {}
}

/** Variables by name; a chain of frames, innermost first. */
export interface Env {
  readonly name: string;
  readonly value: Value;
  readonly outer: Env | null;
}

/**
 * A function as a value: its source as it is stored and shown, the version its body is read
 * under, and the variables it captured.
 */
export class Lambda {
  constructor(
    readonly params: string | readonly string[],
    /** Body as JSON values, before parsing. */
    readonly source: Value,
    readonly version: string,
    readonly env: Env | null,
    /** The parsed body, kept by the evaluator and opaque below it. */
    public code: unknown = null,
  ) {}
}

/** A set: what it is made of. Reading it is the business of `set/`. */
export abstract class SetValue {
  /** What stands inside `@set`; a bare ref for a document or a schema class used as a set. */
  abstract describe(): Obj | Ref;

  /** The same as answers show it, which may be less. */
  shown(): Obj | Ref {
    return this.describe();
  }
}

/** Stands for the time of the running transaction until it is committed. */
export class PendingTs {
  static readonly instance = new PendingTs();
}

/** A time of a document or event as a value: microseconds as a Long, once they are known. */
export const tsValue = (ts: Ts | PendingTs): Value => (typeof ts === 'number' ? BigInt(ts) : ts);

/** Fields as they are stored, made when somebody asks for them. */
export interface StoredFields {
  readonly fields: Obj | null;
  /** Their JSON text, where every API version shows them as that. */
  readonly plain?: string | null;
}

/** A version of a document as it was read or written. */
export class Doc {
  constructor(
    readonly ref: Ref,
    readonly ts: Ts | PendingTs,
    private readonly content: Obj | StoredFields,
    /** Made by this very request: as the whole answer it means status 201. */
    readonly created = false,
  ) {}

  /** All stored fields except `ref` and `ts`. */
  get fields(): Obj {
    return this.content instanceof Obj ? this.content : (this.content.fields ?? Obj.empty);
  }

  /** The JSON text of the fields, where that is known without making them. */
  get plain(): string | null {
    return this.content instanceof Obj ? null : (this.content.plain ?? null);
  }

  /** As the object it is shown as. @param classed with its collection under `class`, as in version 2.0 */
  asObject(classed: boolean): Obj {
    const { ref, ts, fields } = this;
    const head = Obj.from({ ref, class: classed ? collectionRefOf(ref) : undefined, ts: tsValue(ts) });
    return new Obj([...head.keys, ...fields.keys], [...head.values, ...fields.values]);
  }
}

export const ACTIONS = ['create', 'update', 'delete', 'add', 'remove'] as const;
export type ActionName = (typeof ACTIONS)[number];

/** An event's action: renders as a string but is a type of its own. */
export class Action {
  constructor(readonly name: ActionName) {}
}

/** A change in the history of a document or of a set, or the place of such a one as a cursor names it. */
export class DocEvent {
  constructor(
    readonly kind: 'document' | 'set' | 'cursor',
    readonly ts: Ts | PendingTs,
    readonly action: ActionName,
    readonly ref: Ref | null,
    /** Document event: the changed fields, `null` at delete. Set event: the covered values as an array. */
    readonly data: Value | undefined,
    /** Of a document event: all that has changed, field by field, and of a delete the data, as null. Never shown; `select` and `contains_value` find it. */
    readonly changes: Obj | null = null,
  ) {}
}

export class Page {
  constructor(
    readonly data: readonly Value[],
    readonly before?: Value,
    readonly after?: Value,
    /** Where each element stood when it was read, beside `data`; `take` and `drop` cut there. Never shown. */
    readonly cursors: readonly Value[] = [],
  ) {}

  /** The same place in the set with other elements. */
  with(data: readonly Value[], cursors: readonly Value[] = this.cursors): Page {
    return new Page(data, this.before, this.after, cursors);
  }

  asObject(): Obj {
    const { before, after, data } = this;
    return Obj.from({ before, after, data });
  }
}

/** An element of a page read with `sources: true`. */
export class Sourced {
  constructor(
    readonly value: Value,
    readonly sources: readonly SetValue[],
  ) {}

  asObject(): Obj {
    return Obj.of(['value', this.value], ['sources', this.sources]);
  }
}

export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export { DateValue, Obj, Ref, Time, UnresolvedRef };

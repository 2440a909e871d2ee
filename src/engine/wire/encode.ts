// Values as the JSON text of a wire version (reference: fql/wire.md §1 to §4).
//
// The text is written straight away, without JSON values in between. A ref whose name has
// vanished writes nothing at all: it is left out of arrays and objects.
import { toBase64 } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { writeJson, writeKey, writeScalar, writeString, writtenKeys } from '../value/json.ts';
import { knownKeys, perKeys } from '../value/known-keys.ts';
import { collectionRefOf, NATIVE } from '../value/ref.ts';
import {
  Action,
  Bytes,
  DateValue,
  Doc,
  DocEvent,
  type Env,
  isArray,
  Lambda,
  Obj,
  Page,
  PendingTs,
  Ref,
  SetValue,
  Sourced,
  Time,
  tsValue,
  UnresolvedRef,
  Uuid,
  type Value,
} from '../value/value.ts';
import type { RefNames } from './ref-names.ts';
import { RefWriter } from './ref-text.ts';
import type { Wire } from './version.ts';

export interface EncodeContext {
  readonly wire: Wire;
  readonly names: RefNames;
  /** Shown for the time of the running transaction; `null` while it is not known, shown as null. */
  readonly commitTs: Ts | null;
}

/** The value as compact JSON text; a vanished ref alone is `null`. */
export function render(value: Value, context: EncodeContext): string {
  return new Encoder(context).append('', value) ?? 'null';
}

/** Sets within each other that are written; more are refused on every host, however large its stack. */
const MOST_SETS = 2000;

/**
 * Appends the value of a field to a text; `undefined` when the value shows nothing. All are methods, called with their
 * encoder. Closures in the encoder's fields would be shorter, but V8 frees what they hold, which is all that an answer
 * is made from, only at its next full garbage collection.
 */
type Append = (this: Encoder, text: string, value: Value, key?: string) => string | undefined;

class Encoder {
  private readonly wire: Wire;
  private readonly refs: RefWriter;
  private sets = 0;

  constructor(private readonly context: EncodeContext) {
    this.wire = context.wire;
    this.refs = new RefWriter(context.wire, context.names);
  }

  append(text: string, value: Value): string | undefined {
    if (value === null || typeof value !== 'object') return text + writeScalar(value);
    if (!isArray(value) && !(value instanceof Obj)) return this.other(text, value);
    return isArray(value) ? this.items(text, value, this.append) : this.fields(text, value, this.append, true);
  }

  /** Apart from `append`, which stands on the stack at every level: what is worked with here would take room there, too. */
  private other(text: string, value: Exclude<Value, null | boolean | string | bigint | number | Obj | readonly Value[]>): string | undefined {
    if (value instanceof Ref) return this.ref(text, value);
    if (value instanceof Time) return `${text}{"@ts":"${value.toString()}"}`;
    if (value instanceof DateValue) return `${text}{"@date":"${value.toString()}"}`;
    if (value instanceof Bytes) return `${text}{"@bytes":"${toBase64(value.data)}"}`;
    if (value instanceof Uuid) return `${text}{"@uuid":"${value.text}"}`;
    if (value instanceof Action) return text + writeString(value.name);
    if (value instanceof PendingTs) return text + (this.context.commitTs ?? 'null');
    if (value instanceof UnresolvedRef) return text + this.refs.writeUnresolved(value);
    if (value instanceof Lambda) return `${this.lambda(`${text}{"@query":`, value)}}`;
    if (value instanceof SetValue) return this.set(text, value);
    // An event of what has vanished is left out with it. A cursor, which alone may have no ref, still says where to go on.
    if (value instanceof DocEvent && value.kind !== 'cursor' && this.refs.write(value.ref as Ref) === undefined) return undefined;
    // And so is an element whose sources are told.
    if (value instanceof Sourced && this.append('', value.value) === undefined) return undefined;
    const plain = value instanceof Doc ? this.plain(text, value) : undefined;
    return plain ?? this.fields(text, this.shown(value), this.append, false);
  }

  /** A document whose fields are shown as they are stored; `undefined` where that is not so. */
  private plain(text: string, { ref, ts, plain }: Doc): string | undefined {
    if (plain === null || ref.collection === NATIVE.indexes) return undefined;
    const written = this.refs.write(ref);
    const collection = this.wire.documentClassField ? this.refs.write(collectionRefOf(ref)) : '';
    if (written === undefined || collection === undefined) return undefined;
    return `${text}{"ref":${written}${collection && `,"class":${collection}`},"ts":${ts}${plain === '{}' ? '}' : `,${plain.slice(1)}`}`;
  }

  private ref(text: string, ref: Ref): string | undefined {
    const written = this.refs.write(ref);
    return written === undefined ? undefined : text + written;
  }

  /** The fields a composite value is shown with. Their keys are ours: there is nothing to wrap. */
  private shown(value: Doc | DocEvent | Page | Sourced): Obj {
    if (value instanceof Doc) return this.document(value);
    return value instanceof DocEvent ? this.event(value) : value.asObject();
  }

  private document({ ref, ts, fields: stored }: Doc): Obj {
    const rest = ref.collection === NATIVE.indexes ? this.indexFields(stored) : stored;
    if (!this.wire.documentClassField) return new Obj(documentKeys(rest.keys), [ref, tsValue(ts), ...rest.values]);
    return new Obj(classedKeys(rest.keys), [ref, collectionRefOf(ref), tsValue(ts), ...rest.values]);
  }

  /** An index names its source collections in the words of the version, whichever were written. */
  private indexFields(stored: Obj): Obj {
    const source = stored.get('source');
    return source === undefined ? stored : stored.with('source', sourceBy(this.wire.collectionKey, source));
  }

  private event({ kind, ts, action, ref, data }: DocEvent): Obj {
    const isShown = kind !== 'document' || this.wire.eventData === 'always' || action === 'delete' || data !== null;
    return Obj.from({
      ts: tsValue(ts),
      action,
      [this.wire.eventRef]: ref ?? undefined,
      data: isShown ? data : undefined,
    });
  }

  /** Written in place, without a function for each part: a set may hold sets 1,000 deep. */
  private set(text: string, set: SetValue): string | undefined {
    const inside = set.shown();
    if (inside instanceof Ref) return this.ref(text, inside);
    if (++this.sets > MOST_SETS) throw new RangeError();
    let all = `${text}{"@set":{`;
    let between = '';
    for (let at = 0; at < inside.size; at++) {
      const key = inside.keys[at] as string;
      const value = inside.values[at] as Value;
      const head = all + between + writeKey(key);
      const next = hasOwnForm(key, value) ? this.setPart(head, value, key) : this.append(head, value);
      if (next === undefined) continue;
      all = next;
      between = ',';
    }
    this.sets--;
    return `${all}}}`;
  }

  /** Inside `@set`, what `events` holds has no `@set` of its own, and lambdas stand without `@query`. */
  private setPart(text: string, value: Value, key?: string): string | undefined {
    if (key === 'events' && value instanceof Obj) return this.fields(text, value, this.setPart, false);
    if (key !== 'terms' && value instanceof Lambda) return this.lambda(text, value);
    return this.append(text, value);
  }

  /** `{"lambda":…,"expr":…}`; what it captured stands in a `let` around the body. */
  private lambda(text: string, { params, source, version, env }: Lambda): string {
    const isVersionShown = this.wire.lambdaVersion === 'always' || !version.startsWith('2.');
    const head = `${text}{${isVersionShown ? `"api_version":${writeString(version)},` : ''}"lambda":${writeJson(params)},"expr":`;
    if (env === null) return `${this.body(head, source)}}`;
    let captured = Obj.empty;
    for (let frame: Env | null = env; frame !== null; frame = frame.outer) {
      if (!captured.has(frame.name)) captured = Obj.of([frame.name, frame.value], ...captured.entries());
    }
    const bound = this.fields(`${head}{"let":`, captured, this.expression, true);
    return `${this.body(`${bound},"in":`, source)}}}`;
  }

  private body(text: string, source: Value): string {
    return this.source(text, source) ?? `${text}null`;
  }

  /** A body is shown as it was written: it is an expression, not data to be wrapped. */
  private source(text: string, value: Value, key?: string): string | undefined {
    if (key === 'quote') return this.quoted(text, value);
    if (isArray(value)) return this.items(text, value, this.source);
    if (value instanceof Obj) return this.fields(text, bindingsAsObject(value), this.source, false);
    return this.append(text, value);
  }

  /** Data in a body, with every `@obj` as it was written. */
  private quoted(text: string, value: Value): string | undefined {
    if (isArray(value)) return this.items(text, value, this.quoted);
    return value instanceof Obj ? this.fields(text, value, this.quoted, false) : this.append(text, value);
  }

  /** A captured value as the expression that makes it. */
  private expression(text: string, value: Value): string | undefined {
    if (isArray(value)) return this.items(text, value, this.expression);
    if (value instanceof Obj) return `${this.fields(`${text}{"object":`, value, this.expression, true)}}`;
    if (value instanceof Doc || value instanceof DocEvent || value instanceof Page || value instanceof Sourced) {
      return this.expression(text, this.shown(value));
    }
    return this.append(text, value);
  }

  private items(text: string, values: readonly Value[], append: Append): string {
    let all = `${text}[`;
    let between = '';
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as Value;
      const next = typeof value === 'string' ? all + between + writeString(value) : append.call(this, all + between, value);
      if (next === undefined) continue;
      all = next;
      between = ',';
    }
    return `${all}]`;
  }

  /**
   * Strings and Longs, which are the same wherever they stand, are written without a call for each.
   * @param isData the object is the user's: wrapped when one of its keys could be taken for a type
   */
  private fields(text: string, { keys, values }: Obj, append: Append, isData: boolean): string {
    const { heads, isTagged } = writtenKeys(keys);
    const isWrapped = isData && isTagged;
    let all = isWrapped ? `${text}{"@obj":{` : `${text}{`;
    let between = '';
    for (let at = 0; at < keys.length; at++) {
      const value = values[at] as Value;
      const head = all + between + heads[at];
      const next =
        typeof value === 'string' ? head + writeString(value) : typeof value === 'bigint' ? `${head}${value}` : append.call(this, head, value, keys[at]);
      if (next === undefined) continue;
      all = next;
      between = ',';
    }
    return isWrapped ? `${all}}}` : `${all}}`;
  }
}

/** Keys of a document, by those of its fields. */
const documentKeys = perKeys((fields) => knownKeys(['ref', 'ts', ...fields]));
const classedKeys = perKeys((fields) => knownKeys(['ref', 'class', 'ts', ...fields]));

/** Whether a part of a set is written otherwise than elsewhere. */
const hasOwnForm = (key: string, value: Value): boolean => key === 'events' || value instanceof Lambda;

/** Either leads to the collection of an index's source, whichever was written. */
export const isSourceName = (step: unknown): step is string => step === 'class' || step === 'collection';

/** The source of an index, with its collections under this name. */
export function sourceBy(name: string, source: Value): Value {
  if (isArray(source)) return source.map((part) => sourceBy(name, part));
  if (!(source instanceof Obj)) return source;
  // Where both are there they become one.
  return Obj.of(...new Map(source.entries().map(([key, value]) => [isSourceName(key) ? name : key, value])));
}

/** Bindings of a `let` are kept and shown as one object, also where they were written as an array of objects, unless a name could be taken for an escape (bodies that earlier builds have stored still are). */
export function bindingsAsObject(source: Obj): Obj {
  const bindings = source.size === 2 && source.has('in') ? source.get('let') : undefined;
  if (bindings === undefined || !isArray(bindings) || !bindings.every((item): item is Obj => item instanceof Obj && item.size === 1 && item.keys[0]?.[0] !== '@')) return source;
  const all = bindings.flatMap((item) => item.entries());
  // A name bound twice has no place in an object.
  return new Set(all.map(([name]) => name)).size === all.length ? source.with('let', Obj.of(...all)) : source;
}

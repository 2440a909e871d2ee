// Sets that need no index: the documents of a collection, a native collection, one document.
import type { Key } from '../../base/bytes.ts';
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import type { Ts } from '../../base/platform.ts';
import { builtInAllows } from '../../auth/rules.ts';
import type { EvalContext } from '../../form/context.ts';
import type { Direct, Subject, Verdict } from '../../form/direct.ts';
import { allows } from '../../form/permission.ts';
import { collectionEventPrefix, collectionPrefix, ID_BYTES, readId, shortKey } from '../../kv/keyspace.ts';
import type { Row } from '../../kv/rows.ts';
import { refKey } from '../../order/order-key.ts';
import { earliestTime } from '../../schema/retention.ts';
import type { EventOrder } from '../../txn/moment.ts';
import type { Found } from '../../txn/txn.ts';
import { fieldAt, isLive, readVersion, type Version } from '../../txn/version.ts';
import { FIRST_COLLECTION, Ref, type Scope } from '../../value/ref.ts';
import { type Lambda, Obj } from '../../value/value.ts';
import { deferredCursor, emptyCursor, listCursor } from '../cursors.ts';
import { counting, histories } from '../lazy.ts';
import { notedEvents } from '../noted-events.ts';
import { rowEntries, spanOf } from '../row-entries.ts';
import { contains, type Entry, type EntryCursor, KEY_END, REFS_ONLY, SetOp, type Shape, type Window } from '../set-op.ts';
import type { Question } from '../tally.ts';
import { visible } from '../visible.ts';

const NO_VALUES: Entry['values'] = [];
const entryOf = (ref: Ref): Entry => ({ key: refKey(ref), split: 0, values: NO_VALUES, ref });

/** All documents of a collection; also a native collection's ref used as a set. */
export class DocumentsSet extends SetOp {
  readonly eventOrder = 'index';

  constructor(
    private readonly collection: Ref,
    /** As a ref it is a schema class used as a set, and shown as that. */
    private readonly writtenAs: 'set' | 'ref' = 'set',
  ) {
    super();
  }

  describe(): Obj | Ref {
    return this.writtenAs === 'ref' ? this.collection : Obj.of(['documents', this.collection]);
  }

  /** Number of the collection. */
  get number(): number {
    return Number(this.collection.id);
  }

  get scope(): Scope {
    return this.collection.scope;
  }

  /** Stands for any of its documents. */
  private get some(): Ref {
    return new Ref(this.number, 0n, this.scope);
  }

  shape(): Shape {
    return REFS_ONLY;
  }

  earliest(ctx: EvalContext): Ts {
    return earliestTime(this.number, ctx.catalogOf(this.scope), ctx.txn.now);
  }

  /** For a user role a native collection is a document of `collections()`; a built-in role is asked about what is in it (reference: data/sets.md §9). */
  readable(ctx: EvalContext): MaybePromise<boolean> {
    return this.writtenAs === 'set' || allows(ctx, 'read', typeof ctx.caller.rights === 'string' ? this.some : this.collection);
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    return visible(this.read(ctx, window, () => 'perhaps'), ctx, this.unrestricted(ctx));
  }

  /**
   * The same without documents of which a predicate is not true. Those that it cannot tell about are among
   * the entries, marked: it has to be applied to them. `null` where it has to be applied to all.
   */
  openWhere(predicate: Lambda, ctx: EvalContext, window: Window): EntryCursor | null {
    const direct = this.seesAll(ctx) ? ctx.directly(predicate) : null;
    return direct && visible(this.read(ctx, window, verdicts(direct, ctx)), ctx, this.unrestricted(ctx));
  }

  /**
   * How many documents there are, or a predicate is true of. `null` where that cannot be told, or not yet.
   * @param holds applies it to those that it cannot tell about
   */
  override tally(ctx: EvalContext, predicate: Lambda | null = null, holds: Holds = () => true): MaybePromise<number> | null {
    if (ctx.validTime !== null || !this.seesAll(ctx) || !ctx.catalog.hasCollection(this.number)) return null;
    const direct = predicate && ctx.directly(predicate);
    const tally = counting();
    if (tally === null || (direct === null && predicate !== null)) return null;
    const place = this.whereabouts(ctx);
    const question: Question = {
      direct,
      verdict: direct === null ? () => true : verdicts(direct, ctx),
      holds(row, version) {
        const entry = new DocumentEntry(place, row, version, false);
        ctx.txn.found(entry);
        return holds(entry);
      },
    };
    return tally(ctx, this.prefix, question);
  }

  /** Whether the caller may read all of its documents, and nobody has to be asked about each. */
  private seesAll({ caller: { rights, scope } }: EvalContext): boolean {
    return this.scope === scope && this.number >= FIRST_COLLECTION && typeof rights === 'string' && builtInAllows(rights, 'read', this.number, 'own');
  }

  private get prefix(): Key {
    return collectionPrefix(this.scope, this.number);
  }

  private whereabouts({ validTime }: EvalContext): Place {
    const { number, scope } = this;
    return { number, scope, idAt: this.prefix.length, suffix: shortKey(number), validTime };
  }

  /** All documents, whoever may see them. */
  private read(ctx: EvalContext, window: Window, verdict: (row: Row, version: Version) => Verdict): EntryCursor {
    const { number, prefix } = this;
    const place = this.whereabouts(ctx);
    const { now } = ctx;
    // Keys of V hold the id where a ref's key has id and collection; the collection is the same throughout.
    const bounds = { ...window, from: idBound(window.from, number), to: window.to === KEY_END ? KEY_END : idBound(window.to, number) };
    ctx.txn.cost.index(prefix);
    const rows = ctx.txn.current(spanOf(prefix, bounds), window.descending, ctx.validTime);
    const make = (row: Row): Entry | undefined => {
      const version = readVersion(row);
      const told = isLive(version, now) && verdict(row, version);
      if (told === false) return undefined;
      const entry = new DocumentEntry(place, row, version, told === true);
      ctx.txn.found(entry);
      return entry;
    };
    const { next, seek } = rowEntries(rows, prefix, (row) => {
      if (row === null) return null;
      const pause = ctx.budget.move();
      return pause instanceof Promise ? pause.then(() => make(row)) : make(row);
    });
    return { next, seek: (key) => seek(idBound(key, number)) };
  }

  history(ctx: EvalContext, window: Window): EntryCursor {
    const { scope, number } = this;
    const noted = { prefix: collectionEventPrefix(scope, number), scope, earliest: this.earliest(ctx), isChecked: true, hasValues: false };
    return visible(notedEvents(ctx, noted, window), ctx, this.unrestricted(ctx));
  }

  /** Whether all documents may be seen, whatever each allows (reference: data/history.md §9). */
  private unrestricted(ctx: EvalContext): MaybePromise<boolean> {
    return this.writtenAs === 'ref' ? false : allows(ctx, 'unrestricted_read', this.some, [null]);
  }
}

/** Whether a predicate is true of a document: applied, as it cannot be told. */
type Holds = (entry: Entry) => MaybePromise<boolean>;

/** Told directly, and billed as the evaluator does it. */
function verdicts(direct: Direct, { budget, txn }: EvalContext): (row: Row, version: Version) => Verdict {
  let about: Version;
  const subject: Subject = { at: (field) => fieldAt(about, field), steps: 0, isRead: false };
  return (row, version) => {
    about = version;
    // One for the application.
    subject.steps = 1;
    subject.isRead = false;
    const told = direct(subject);
    if (typeof told !== 'boolean') return 'perhaps';
    budget.steps += subject.steps;
    if (subject.isRead) txn.cost.document(row);
    return told;
  };
}

/** Where the documents of a set lie, and how they are read. */
interface Place {
  readonly number: number;
  readonly scope: Scope;
  /** Where the id begins in their keys. */
  readonly idAt: number;
  readonly suffix: Key;
  readonly validTime: Ts | null;
}

/** A document of a collection. Its ref and its key are made when they are asked for: a count does not. */
class DocumentEntry implements Entry, Found {
  readonly split = 0;
  readonly values = NO_VALUES;
  private own: Ref | null = null;

  constructor(
    private readonly place: Place,
    readonly row: Row,
    readonly version: Version,
    readonly passes: boolean,
  ) {}

  get ref(): Ref {
    const { number, scope, idAt } = this.place;
    return (this.own ??= new Ref(number, readId(this.row.key, idAt), scope));
  }

  get key(): Key {
    const { idAt, suffix } = this.place;
    return this.row.key.slice(idAt, idAt + ID_BYTES) + suffix;
  }

  get validTime(): Ts | null {
    return this.place.validTime;
  }
}

/** A bound of ref keys as one of ids: the id itself lies below it when its collection is under the bound. */
function idBound(bound: Key, number: number): Key {
  const id = bound.slice(0, ID_BYTES);
  return bound.slice(ID_BYTES) > shortKey(number) ? `${id}\xff` : id;
}

/** One document as a set: a singleton, or a document's ref used as a set. */
export class SingletonSet extends SetOp {
  readonly eventOrder: EventOrder;

  constructor(
    readonly ref: Ref,
    /** As a ref it is shown as that, and has the document's own history. */
    private readonly writtenAs: 'set' | 'ref' = 'set',
  ) {
    super();
    this.eventOrder = writtenAs === 'ref' ? 'document' : 'index';
  }

  describe(): Obj | Ref {
    return this.writtenAs === 'ref' ? this.ref : Obj.of(['singleton', this.ref]);
  }

  shape(): Shape {
    return REFS_ONLY;
  }

  earliest(ctx: EvalContext): Ts {
    return earliestTime(this.ref.collection, ctx.catalogOf(this.ref.scope), ctx.txn.now);
  }

  /** Whether or not the document may be read (reference: fql/functions.md §7.1). */
  readable(ctx: EvalContext): MaybePromise<boolean> {
    return allows(ctx, 'history_read', this.ref);
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    const entry = entryOf(this.ref);
    if (!contains(window, entry.key)) return emptyCursor;
    return deferredCursor(ctx, () =>
      andThen(ctx.txn.cost.within(() => ctx.txn.version(this.ref, ctx.validTime)), (version) => {
        const live = version !== null && isLive(version, ctx.now) && ctx.catalogOf(this.ref.scope).hasCollection(this.ref.collection);
        return listCursor(live ? [entry] : [], window.descending);
      }),
    );
  }

  /** Of a ref: its versions. Of a singleton: when it came and when it went. */
  history(ctx: EvalContext, window: Window): EntryCursor {
    return deferredCursor(ctx, () =>
      andThen(histories(), ({ documentHistory, comings }) => (this.writtenAs === 'ref' ? documentHistory : comings)(ctx, this.ref, window, this.earliest(ctx))),
    );
  }
}

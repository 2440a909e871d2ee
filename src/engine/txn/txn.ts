// A transaction: one snapshot of the rows, its own writes on top, and a record of what it
// has read. It writes nothing itself: `log.ts` turns its drafts into a commit.
import { type Key, prefixSpan, type Span, utf8Length } from '../base/bytes.ts';
import { type MaybePromise, andThen, rescue } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { type Random, seededRandom } from '../base/random.ts';
import { documentPrefix, type Instant, instantOf, PENDING } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import { type Holder, type Piece, type Row, type RowCursor, rowOf, type RowSource } from '../kv/rows.ts';
import type { Ref } from '../value/ref.ts';
import { Cost } from './cost.ts';
import { COMMITTED, currentRow, currentRows, type Scanned, View, type Wholly, whollyIn } from './current.ts';
import { ReadSet } from './read-set.ts';
import { readVersion, type Version } from './version.ts';

/** A row to be written, whose key and text may hold the commit's time. */
export interface Draft {
  key(commit: Instant): Key;
  /** Where several rows in a row have the same content, its text is made only once. */
  readonly content: Content;
}

/** What rows say. */
export interface Content {
  text(commit: Ts): string;
  /** What a reader would make of the text, for reads within the transaction. */
  readonly memo: unknown;
  /** The text of a row that only marks something, such as a removal. */
  readonly mark?: string;
}

const NOT_YET = instantOf(PENDING);

const ID_EPOCH_MILLIS = 1_336_258_850_000n;

/** Ten bits made from a request's id, which is a secret. Ids of documents are none, and give away no more of it than these. */
function tenBits(requestId: string): number {
  let bits = 0;
  for (let at = Math.max(0, requestId.length - 4); at < requestId.length; at++) bits = bits * 37 + requestId.charCodeAt(at);
  return bits % 1024;
}

export class Txn {
  readonly reads = new ReadSet();
  readonly cost = new Cost();
  /** The latest time at which it puts a version into the past: its commit comes after that. */
  past: Ts = -Infinity;
  /** Whether it takes a place in the log, under the hash of its request, also where it writes nothing. */
  leavesMark = false;
  /** By the prefix of the document that they write, or by another name. */
  private readonly drafts = new Map<string, readonly Draft[]>();
  /** Whether some drafts have another name: those may be of any document. */
  private hasOthers = false;
  /** All drafts as rows. */
  private ownTable: Memtable | null = null;
  private mergedSource: RowSource | null = null;
  private lastId = 0n;
  /** The document that was read last: its lookup is often followed by a write. */
  private latest: Latest | null = null;
  /** The document that a scan has found last: it is often followed by a `get` of it. */
  private scanned: Found | null = null;
  private readonly present: View;
  private ownRandom: Random | null = null;

  constructor(
    readonly base: RowSource,
    /** Sees every commit at or before this time. */
    readonly snapshot: Ts,
    /** The clock of the query: `now()`, never before the snapshot. */
    readonly now: Ts,
    /** The rows it sees that are not acknowledged yet. */
    readonly pending: RowSource | null,
    private readonly requestId: string,
    /** Called with `now` where an answer may depend on it. */
    readonly tell: (now: Ts) => void = () => {},
  ) {
    this.present = new View(PENDING, snapshot);
  }

  /** The same where its request is run again; made when first asked for. */
  get random(): Random {
    return (this.ownRandom ??= seededRandom(this.requestId, 0));
  }

  /**
   * The snapshot with the transaction's own rows on top. Those are put in order only when somebody
   * first reads among them; from then on a scan that has begun sees what is written later, too.
   */
  private get merged(): RowSource {
    if (this.mergedSource !== null) return this.mergedSource;
    this.ownTable = new Memtable();
    for (const drafts of this.drafts.values()) putAll(drafts, this.ownTable);
    return (this.mergedSource = mergeSources([this.ownTable, this.base]));
  }

  /**
   * A new 64-bit id: milliseconds since 2012, 20 bits that go on from the microseconds
   * (reference: data/documents.md §1). Ids of one transaction ascend, and are the same where its
   * request is sent again; that nobody else has one is for the caller to see.
   * @param step by how much it follows the one before
   */
  nextId(step = 1n): bigint {
    const millis = Math.floor(this.now / 1000);
    const first = ((BigInt(millis) - ID_EPOCH_MILLIS) << 20n) | (BigInt(this.now - millis * 1000) << 10n) | BigInt(tenBits(this.requestId));
    this.lastId = this.lastId === 0n ? first : this.lastId + step;
    return this.lastId;
  }

  /** Whether it goes to the log. */
  get commits(): boolean {
    return this.leavesMark || this.drafts.size > 0;
  }

  /** Takes back everything it was to write. */
  discard(): void {
    for (const owner of [...this.drafts.keys()]) this.stage(owner, []);
  }

  /** All rows a commit at `ts` writes. */
  rowsAt(ts: Ts): Row[] {
    const commit = instantOf(ts);
    const rows: Row[] = [];
    this.cost.rewrite();
    for (const drafts of this.drafts.values()) {
      let said: Content | null = null;
      let text = '';
      let textBytes = 0;
      let bytes = 0;
      for (let at = 0; at < drafts.length; at++) {
        const { key, content } = drafts[at] as Draft;
        if (content !== said) {
          said = content;
          text = content.text(ts);
          textBytes = utf8Length(text);
        }
        const row = rowOf(key(commit), text, textBytes);
        bytes += row.key.length + textBytes;
        rows.push(row);
      }
      this.cost.wrote(bytes);
    }
    return rows;
  }

  /**
   * Puts rows to be written, in place of what `owner` put before.
   * @param owner the prefix of the document whose only row of V is among them, or another name
   */
  stage(owner: string, drafts: readonly Draft[]): void {
    if (this.ownTable !== null) {
      for (const { key } of this.drafts.get(owner) ?? []) this.ownTable.delete(key(NOT_YET));
      putAll(drafts, this.ownTable);
    }
    this.hasOthers ||= !owner.startsWith('V');
    this.latest = null;
    this.scanned = null;
    if (drafts.length === 0) this.drafts.delete(owner);
    else this.drafts.set(owner, drafts);
  }

  /** Whether it has put rows to be written under that name. */
  hasStaged(owner: string): boolean {
    return this.drafts.has(owner);
  }

  /** What reads at a valid time see; `null` is the present, own writes included. */
  view(validTime: Ts | null): View {
    return validTime === null ? this.present : new View(validTime, this.snapshot);
  }

  /**
   * Raw rows of a span, own ones included; from the last to the first if `reverse`. What is read of it is remembered.
   * @param isChecked whether a commit that changes it meanwhile is a conflict
   */
  rows(span: Span, reverse = false, isChecked = true): RowCursor {
    return this.watched(this.merged.scan(span, reverse), span, reverse, isChecked);
  }

  /**
   * For each thing with rows in the span, the row that counts at the valid time; `null` is the present.
   * @param reverse as of `rows`, and so `isChecked`
   */
  current(span: Span, reverse = false, validTime: Ts | null = null, isChecked = true): RowCursor {
    return currentRows(this.watching(isChecked), span, this.view(validTime), reverse);
  }

  /** What counts of a span now, for who is going to read all of it, piece by piece; it bills what it looks at. */
  inPieces(span: Span): InPieces {
    this.reads.add(span);
    const source = this.watching(true);
    return { pieces: this.merged.pieces(span), hides: source.hides, view: this.present, wholly: whollyIn(source, this.present) };
  }

  private watching(isChecked: boolean): Scanned {
    const { merged } = this;
    return {
      hides: merged.hides,
      scan: (part, back = false) => this.watched(merged.scan(part, back), part, back, isChecked),
      tops: (part, back = false) => this.watched(merged.tops(part, back), part, back, isChecked),
    };
  }

  /** Called by a scan with the document it has made of a row. */
  found(document: Found): void {
    this.scanned = document;
  }

  /** The version of a document at a valid time; `null` when it had none. A deleted one has `fields: null`, or is `null` after a while. */
  version(ref: Ref, validTime: Ts | null): MaybePromise<Version | null> {
    const { scanned, latest } = this;
    // It lies in the span that the scan has noted as read.
    if (scanned !== null && scanned.ref === ref && scanned.validTime === validTime) {
      this.cost.document(scanned.row);
      return scanned.version;
    }
    const document = documentPrefix(ref.scope, ref.collection, ref.id);
    if (latest !== null && latest.validTime === validTime && latest.document === document) return this.billed(latest);
    const row = this.documentRow(document, this.view(validTime));
    return row instanceof Promise ? row.then((read) => this.looked(document, read, validTime)) : this.looked(document, row, validTime);
  }

  /** Fetches the blocks that hold the present of documents, all at once: these are about to be read one after the other. */
  readAhead(documents: readonly Ref[]): void {
    for (const { scope, collection, id } of documents) {
      const document = documentPrefix(scope, collection, id);
      const ahead = (holder: Holder): MaybePromise<void> => rescue(() => holder.ahead?.(document), ignored);
      void rescue(() => andThen(this.base.holders(document), (holders) => holders.forEach(ahead)), ignored);
    }
  }

  private looked(document: Key, row: Row | null, validTime: Ts | null): Version | null {
    return this.billed((this.latest = { document, row, validTime }));
  }

  private billed({ document, row, validTime }: Latest): Version | null {
    // What it writes itself is at hand.
    if (validTime !== null || !this.hasOwn(document)) this.cost.sought(document, row);
    return row && readVersion(row);
  }

  /** The version of a document, by its prefix, before the one this transaction writes; what it has put into history counts. */
  committed(document: Key): MaybePromise<Version | null> {
    const { latest } = this;
    // Without rows of its own, what there is now is what there was.
    const isKnown = latest !== null && latest.validTime === null && latest.document === document && !this.mayHaveOwn(document);
    if (isKnown) return latest.row && readVersion(latest.row);
    return andThen(this.documentRow(document, this.view(COMMITTED)), (row) => row && readVersion(row));
  }

  /** Whether there may be rows of V of a document among those it writes. */
  private mayHaveOwn(document: Key): boolean {
    return this.hasOthers || this.hasOwn(document);
  }

  /** Whether it writes the present of a document. */
  private hasOwn(document: Key): boolean {
    // A prefix is a new string: to look for it, V8 has to read all of it.
    return this.drafts.size > 0 && this.drafts.has(document);
  }

  /** The row that counts of a document, sought only where it may be. */
  private documentRow(document: Key, view: View): MaybePromise<Row | null> {
    const span = prefixSpan(document);
    this.reads.add(span);
    const source = this.mayHaveOwn(document) ? this.merged : this.base;
    const holders = source.holders(document);
    return holders instanceof Promise ? holders.then((all) => currentRow(all, span, view)) : currentRow(holders, span, view);
  }

  private watched(cursor: RowCursor, span: Span, reverse: boolean, isChecked: boolean): RowCursor {
    const edge = reverse ? span.to : span.from;
    const seen = this.reads.grow(edge, isChecked);
    const noted = (row: Row | null): Row | null => {
      if (reverse) seen.from = row === null ? span.from : row.key;
      else seen.to = row === null ? span.to : `${row.key}\0`;
      if (row !== null) this.cost.entry(row);
      return row;
    };
    const { next, seek } = cursor;
    const step = (): MaybePromise<Row | null> => {
      const row = next();
      return row instanceof Promise ? row.then(noted) : noted(row);
    };
    return { next: step, seek };
  }
}

/** The rows of a span, and what tells which of them count. */
export interface InPieces {
  readonly pieces: MaybePromise<readonly (readonly Piece[])[]>;
  readonly hides: boolean;
  readonly view: View;
  readonly wholly: Wholly;
}

/** What a scan at a valid time has found. */
export interface Found {
  readonly ref: Ref;
  readonly row: Row;
  readonly version: Version;
  readonly validTime: Ts | null;
}

/** A row that counts, and the prefix of its document, whose span is among those that were read. */
interface Latest {
  readonly document: Key;
  /** `null` where the document had no version. */
  readonly row: Row | null;
  readonly validTime: Ts | null;
}

/** A later reader of the same meets the error again, and reports it. */
const ignored = (): void => {};

function putAll(drafts: readonly Draft[], table: Memtable): void {
  for (const { key, content } of drafts) table.put(rowOf(key(NOT_YET), content.mark ?? '', undefined, content.memo));
}

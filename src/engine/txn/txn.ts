// A transaction: one snapshot of the rows, its own writes on top, and a record of what it
// has read. It writes nothing itself: `log.ts` turns its drafts into a commit.
import { type Key, prefixSpan, type Span } from '../base/bytes.ts';
import { type MaybePromise, andThen } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { Random } from '../base/random.ts';
import { documentPrefix, PENDING } from '../kv/keyspace.ts';
import { Memtable } from '../kv/memtable.ts';
import { mergeSources } from '../kv/merge.ts';
import type { Row, RowCursor, RowSource } from '../kv/rows.ts';
import type { Ref } from '../value/ref.ts';
import { Cost } from './cost.ts';
import { COMMITTED, currentRow, currentRows, type View } from './current.ts';
import { ReadSet } from './read-set.ts';
import { readVersion, type Version } from './version.ts';

/** A row to be written, whose key and text may hold the commit's time. */
export interface Draft {
  key(commit: Ts): Key;
  text(commit: Ts): string;
  /** What a reader would make of the text, for reads within the transaction. */
  readonly memo: unknown;
  /** The text of a row that only marks something, such as a removal. */
  readonly mark?: string;
}

const ID_EPOCH_MILLIS = 1_336_258_850_000n;

export class Txn {
  readonly reads = new ReadSet();
  readonly cost = new Cost();
  private readonly drafts = new Map<string, readonly Draft[]>();
  private ownTable: Memtable | null = null;
  private mergedSource: RowSource | null = null;
  private lastId = 0n;
  /** The current row of V that was read last, and the time it was read at: a scan is often followed by a `get` of what it found. */
  private latest: { readonly row: Row; readonly validTime: Ts | null } | null = null;

  constructor(
    private readonly base: RowSource,
    /** Sees every commit at or before this time. */
    readonly snapshot: Ts,
    /** The clock of the query: `now()`, never before the snapshot. */
    readonly now: Ts,
    readonly random: Random,
    /** The rows it sees that are not acknowledged yet. */
    readonly pending: RowSource | null,
  ) {}

  // Made when first needed: who only gets documents needs neither.
  private get own(): Memtable {
    return (this.ownTable ??= new Memtable());
  }

  /** Also what it writes later: a scan that has begun sees it. */
  private get merged(): RowSource {
    return (this.mergedSource ??= mergeSources([this.own, this.base]));
  }

  /**
   * A new 64-bit id: milliseconds since 2012, 20 bits that go on from the microseconds
   * (reference: data/documents.md §1). Ids of one transaction ascend; that nobody else has
   * one is for the caller to see.
   */
  nextId(): bigint {
    const millis = Math.floor(this.now / 1000);
    const [byte = 0] = this.lastId === 0n ? this.random.bytes(1) : [];
    const first = ((BigInt(millis) - ID_EPOCH_MILLIS) << 20n) | (BigInt(this.now - millis * 1000) << 10n) | BigInt(byte);
    this.lastId = this.lastId === 0n ? first : this.lastId + 1n;
    return this.lastId;
  }

  get hasWrites(): boolean {
    return this.drafts.size > 0;
  }

  /** Takes back everything it was to write. */
  discard(): void {
    for (const owner of [...this.drafts.keys()]) this.stage(owner, []);
  }

  /** All rows a commit at `ts` writes. */
  rowsAt(ts: Ts): Row[] {
    this.cost.rewrite();
    return [...this.drafts.values()].flatMap((drafts) => {
      const rows = drafts.map((draft): Row => ({ key: draft.key(ts), text: draft.text(ts) }));
      this.cost.wrote(rows);
      return rows;
    });
  }

  /** Puts rows to be written, in place of what `owner` put before. */
  stage(owner: string, drafts: readonly Draft[]): void {
    for (const draft of this.drafts.get(owner) ?? []) this.own.delete(draft.key(PENDING));
    for (const draft of drafts) this.own.put({ key: draft.key(PENDING), text: draft.mark ?? '', memo: draft.memo });
    this.latest = null;
    if (drafts.length === 0) this.drafts.delete(owner);
    else this.drafts.set(owner, drafts);
  }

  /** What reads at a valid time see; `null` is the present, own writes included. */
  view(validTime: Ts | null): View {
    return { time: validTime ?? PENDING, snapshot: this.snapshot };
  }

  /**
   * Raw rows of a span, own ones included. What is read of it is remembered.
   * @param isChecked whether a commit that changes it meanwhile is a conflict
   */
  rows(span: Span, reverse: boolean, isChecked = true): RowCursor {
    return this.watched(this.merged.scan(span, reverse), span, reverse, isChecked);
  }

  /** For each thing with rows in the span, the row that counts at the valid time. @param isChecked as of `rows` */
  current(span: Span, reverse: boolean, validTime: Ts | null, isChecked = true): RowCursor {
    const { merged } = this;
    const watching: RowSource = {
      hides: merged.hides,
      scan: (part, back) => this.watched(merged.scan(part, back), part, back, isChecked),
      tops: (part, back) => this.watched(merged.tops(part, back), part, back, isChecked),
      holders: (document) => merged.holders(document),
    };
    const rows = currentRows(watching, span, reverse, this.view(validTime));
    if (!span.from.startsWith('V')) return rows;
    return tapped(rows, (row) => {
      if (row !== null) this.latest = { row, validTime };
    });
  }

  /** The version of a document at a valid time; `null` when it had none. A deleted one has `fields: null`, or is `null` after a while. */
  version(ref: Ref, validTime: Ts | null): MaybePromise<Version | null> {
    const { latest } = this;
    // It lies in the span that the scan has noted as read.
    if (latest !== null && latest.validTime === validTime && latest.row.key.startsWith(documentPrefix(ref.scope, ref.collection, ref.id))) {
      this.cost.document(latest.row);
      return readVersion(latest.row);
    }
    return andThen(this.documentRow(this.ownTable === null ? this.base : this.merged, ref, this.view(validTime)), (row) => {
      if (row === null) return null;
      this.cost.document(row);
      return readVersion(row);
    });
  }

  /** The version before the one this transaction writes; what it has put into history counts. */
  committed(ref: Ref): MaybePromise<Version | null> {
    return andThen(this.documentRow(this.merged, ref, this.view(COMMITTED)), (row) => (row === null ? null : readVersion(row)));
  }

  /** The row that counts of a document, sought only where it may be. */
  private documentRow(source: RowSource, { scope, collection, id }: Ref, view: View): MaybePromise<Row | null> {
    const span = prefixSpan(documentPrefix(scope, collection, id));
    this.reads.add(span);
    return andThen(source.holders(span.from), (holders) => currentRow(holders, span, view));
  }

  private watched(cursor: RowCursor, span: Span, reverse: boolean, isChecked: boolean): RowCursor {
    const edge = reverse ? span.to : span.from;
    const seen = this.reads.grow(edge, edge, isChecked);
    return tapped(cursor, (row) => {
      if (reverse) seen.from = row === null ? span.from : row.key;
      else seen.to = row === null ? span.to : `${row.key}\0`;
      if (row !== null) this.cost.entry(row);
    });
  }
}

/** The same cursor, each of whose rows is noted as it comes; `null` at the end too. */
function tapped({ next, seek }: RowCursor, note: (row: Row | null) => void): RowCursor {
  const noted = (row: Row | null): Row | null => {
    note(row);
    return row;
  };
  return {
    next: () => {
      const row = next();
      return row instanceof Promise ? row.then(noted) : noted(row);
    },
    seek,
  };
}

// Counts the documents of a collection, or those that a predicate is true of, block by block: of a block that is
// known (txn/sheet.ts) no row is looked at, and fields are read from columns. Rows that are not in such a block,
// and those that stand in place of some in it, are looked at one by one. Both bill the same as any other reading.
import { type Key, prefixSpan } from '../base/bytes.ts';
import { andThen, drawing, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import type { Direct, Subject, Verdict } from '../form/direct.ts';
import { Ahead } from '../kv/run.ts';
import type { Piece, Row } from '../kv/rows.ts';
import { Sheets } from '../kv/sheets.ts';
import { inOrder, type Leaf, placesOf, type Stretch, stretches } from '../kv/stretches.ts';
import { chosen } from '../txn/chosen.ts';
import { bytesOf } from '../txn/cost.ts';
import { groupOf } from '../txn/current.ts';
import { billOf, type Column, columnOf, memoryOfColumn, memoryOfSheet, placesIn, type Sheet, sheetOf } from '../txn/sheet.ts';
import { isLive, readVersion, type Version } from '../txn/version.ts';
import { type FieldPath, type Told, UNTOLD } from '../value/field-path.ts';

/** What tells whether a document counts that is there. */
export interface Question {
  /** Of fields alone; `null`: all documents count. */
  readonly direct: Direct | null;
  /** Billed as the evaluator does it; `perhaps` where it cannot be told. */
  verdict(row: Row, version: Version): Verdict;
  /** The evaluator itself. */
  holds(row: Row, version: Version): MaybePromise<boolean>;
}

/** @param prefix of the keys of the collection's documents, all of which the caller may read */
export function tally(ctx: EvalContext, prefix: Key, { direct, verdict, holds }: Question): MaybePromise<number> {
  const { txn, budget } = ctx;
  const { cost, now } = txn;
  cost.index(prefix);
  const whole = txn.inPieces(prefixSpan(prefix));
  const choose = chosen(whole, (row) => cost.entry(row));
  const known = new Knowledge();
  let count = 0;

  const judge = (rows: readonly Row[], from = 0): MaybePromise<unknown> => {
    for (let at = from; at < rows.length; at++) {
      const row = rows[at] as Row;
      const version = readVersion(row);
      const told = isLive(version, now) && verdict(row, version);
      const passes = told === 'perhaps' ? holds(row, version) : told;
      if (passes instanceof Promise) {
        return passes.then((yes) => {
          if (yes) count++;
          return judge(rows, at + 1);
        });
      }
      if (passes) count++;
    }
    return undefined;
  };
  const byRows = (rows: readonly Row[]): MaybePromise<unknown> => andThen(budget.move(rows.length), () => andThen(choose(rows), (counting) => judge(counting)));

  /** What is known of a block, without the rows at some places. @param read the key of the last document that was read in their place */
  const bySheet = (sheet: Sheet, { passed, steps, reads }: Answer, rows: readonly Row[], replaced: readonly number[], read: Key | null): void => {
    count += passed;
    budget.steps += steps;
    cost.entries(replaced.reduce((bytes, at) => bytes - bytesOf(rows[at] as Row), sheet.bytes));
    if (reads === 0) return;
    const isAll = replaced.length === 0;
    const left = isAll ? [] : placesIn(sheet).filter((at) => !replaced.includes(at));
    const last = isAll ? sheet.last : (rows[left.at(-1) ?? 0] as Row).key;
    cost.documents(isAll ? sheet.documents : billOf(rows, left), read !== null && read > last ? read : last);
  };

  const byLeaf = (leaf: Leaf, loose: readonly Row[]): MaybePromise<unknown> => {
    const together = (): MaybePromise<unknown> => andThen(leaf.rows(), (rows) => byRows(inOrder([...loose, ...rows])));
    // Reading the document again that was read last is free: that is for single rows to find out.
    if (cost.latest >= leaf.from && cost.latest < leaf.to) return together();
    return andThen(known.sheet(leaf), (sheet) => {
      if (sheet === null || sheet.edge < whole.view.edge) return together();
      return andThen(loose.length === 0 ? NONE : leaf.rows(), (rows) => {
        const replaced = placesOf(rows, loose, groupOf);
        return andThen(tell(sheet, leaf, replaced, direct, known), (told) => {
          if (told === null) return together();
          const before = cost.latest;
          return andThen(byRows(inOrder([...loose, ...replaced.map((at) => rows[at] as Row)])), () => {
            bySheet(sheet, told, rows, replaced, cost.latest === before ? null : cost.latest);
            return budget.move(sheet.rows);
          });
        });
      });
    });
  };

  const take = (stretch: Stretch | null): MaybePromise<number | undefined> => {
    if (stretch === null) return count;
    const { leaf, loose } = stretch;
    return andThen(leaf === null ? byRows(loose) : byLeaf(leaf, loose), () => undefined);
  };
  return andThen(whole.pieces, (pieces) => drawing(stretches(pieces), take)());
}

const NONE: readonly Row[] = [];

/** What a predicate says of the documents of a block: of how many it is true, in how many steps, and how many were read for it. */
interface Answer {
  readonly passed: number;
  readonly steps: number;
  readonly reads: number;
}

/** `null`: the documents have to be looked at one by one. @param replaced places of rows that are left out */
function tell(sheet: Sheet, leaf: Leaf, replaced: readonly number[], direct: Direct | null, known: Knowledge): MaybePromise<Answer | null> {
  const subject = new InColumns(sheet);
  const size = sheet.live?.length ?? sheet.rows;
  let asked = 0;
  let passed = 0;
  let steps = 0;
  let reads = 0;
  for (let at = 0; at < size; at++) {
    if (replaced.length > 0 && replaced.includes(sheet.live?.[at] ?? at)) continue;
    asked++;
    subject.place = at;
    // One for the application.
    subject.steps = 1;
    subject.isRead = false;
    const told = direct === null || direct(subject);
    if (told === true) passed++;
    else if (told !== false) {
      const { missing } = subject;
      return missing && andThen(known.with(sheet, leaf, missing), (more) => tell(more, leaf, replaced, direct, known));
    }
    steps += subject.steps;
    if (subject.isRead) reads++;
  }
  if (direct === null) return { passed, steps: 0, reads };
  return reads === 0 || reads === asked ? { passed, steps, reads } : null;
}

/** One document of a block after the other, its fields in columns. */
class InColumns implements Subject {
  place = 0;
  steps = 0;
  isRead = false;
  /** A field whose column is not known. */
  missing: FieldPath | null = null;
  private field: FieldPath | null = null;
  private column: Column = [];

  constructor(private readonly sheet: Sheet) {}

  at(field: FieldPath): Told {
    if (field !== this.field) {
      const column = this.sheet.columns.get(field.id);
      if (column === undefined) this.missing = field;
      if (!column) return UNTOLD;
      this.field = field;
      this.column = column;
    }
    return this.column[this.place];
  }
}

/** What is known of blocks. It is made of their rows once, and kept where there is room. */
class Knowledge {
  private readonly ahead = new Ahead();

  /** `null`: its rows have to be looked at. */
  sheet(leaf: Leaf): MaybePromise<Sheet | null> {
    const sheets = sheetsOf(leaf);
    const { id } = leaf.block;
    const kept = sheets.get(id);
    if (kept !== undefined) return kept;
    return andThen(this.rows(leaf, (block) => sheets.get(block) === undefined), (rows) => {
      const sheet = sheetOf(rows);
      sheets.keep(id, sheet, memoryOfSheet(sheet));
      return sheet;
    });
  }

  /** The same with one column more. */
  with(sheet: Sheet, leaf: Leaf, field: FieldPath): MaybePromise<Sheet> {
    const sheets = sheetsOf(leaf);
    return andThen(this.rows(leaf, (block) => sheets.get(block)?.columns.has(field.id) !== true), (rows) => {
      // Somebody else may have waited for the same.
      if (sheet.columns.has(field.id)) return sheet;
      const column = columnOf(sheet, rows, field);
      const isKept = sheets.grow(leaf.block.id, sheet, memoryOfColumn(column));
      const columns = isKept ? sheet.columns : new Map(sheet.columns);
      columns.set(field.id, column);
      return isKept ? sheet : { ...sheet, columns };
    });
  }

  /** Reads the rows of a block, and fetches others that come after it ahead. @param isWanted whether it will be needed, too */
  private rows(leaf: Leaf, isWanted: (block: number) => boolean): MaybePromise<readonly Row[]> {
    const rows = leaf.rows();
    const coming = this.ahead.next(leaf.next());
    leaf.block.cache.ahead(coming.flatMap(({ block }: Piece) => (block !== null && isWanted(block.id) ? block.id : [])));
    return rows;
  }
}

function sheetsOf({ block: { cache } }: Leaf): Sheets<Sheet | null> {
  return (cache.sheets ??= new Sheets(cache.room)) as Sheets<Sheet | null>;
}

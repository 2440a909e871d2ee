// What becomes of rows that are written into a segment: which may count now, which are
// history, and which nobody may read any more.
//
// A segment with nothing older beneath it is settled: there the one row of a group that
// counts is known, and a group of which nothing is left needs none.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import { collectionOf, groupOfKey } from '../kv/belonging.ts';
import type { Row } from '../kv/rows.ts';
import type { Fate, Sorter } from '../kv/segment-writer.ts';
import { FIRST_COLLECTION } from '../value/ref.ts';
import { commitOf, timeOf } from './current.ts';
import { readEntry, REMOVE } from './entry-row.ts';
import { DELETED, expiry, LIVE, readVersion, REMOVED } from './version.ts';

/** For so long after a commit somebody may ask whether its request was applied, and read the state before it (microseconds). */
export const SPARED: Ts = 15 * 60 * 1_000_000;

/** What of the past somebody may still read. */
export interface Keeping {
  /** Whoever may not see all commits up to this time has ended. */
  readonly spared: Ts;
  /** The earliest time that rows with such a key may be read at: `-Infinity` of everything, `Infinity` when what they belong to is gone. */
  earliest(key: Key): Ts;
}

/** Everything may still be read. */
export const KEEP_ALL: Keeping = { spared: -Infinity, earliest: () => -Infinity };

/** Decides where the rows of a segment go, one after the other. */
export class Sorting implements Sorter {
  /** The earliest time of a row that was written into the past. */
  past: Ts = Infinity;
  hides = false;
  readonly holes = { count: 0, among: 0, last: 0 };
  private group: Key | null = null;
  /** The earliest time that rows of the group may be read at. */
  private edge: Ts = -Infinity;
  /** The group's top has come, even if it went to history, as it says that there is nothing: all rows that follow are history. */
  private hasTop = false;
  /** The row that counts at `edge` has come: nobody may read any older one. */
  private closed = false;
  /** The time of the last row that everybody sees: further rows of the same time, being of older commits, count for nobody. */
  private told: Ts | null = null;
  /** A time whose row was taken out of history by a commit that not everybody sees: for those who see it, the row before that time counts. */
  private withdrawn: Ts | null = null;

  /**
   * @param above the earliest time of the rows written into the past that are in newer segments or in memory
   * @param mayHide whether what says that there is nothing may go to history: not while an index is built, whose older entries are still to come
   */
  constructor(
    private readonly keeping: Keeping,
    private readonly settled: boolean,
    private readonly above: Ts,
    private readonly mayHide = true,
  ) {}

  fate(row: Row): Fate {
    const { key } = row;
    const [group, commit] = [groupOfKey(key), commitOf(row)];
    // An event was written at its time or later.
    if (group === null) return this.noted(row, this.isSeen(commit) && commit < this.keeping.earliest(key) ? 'gone' : 'old');
    if (group !== this.group) this.begin(group, key);
    return this.noted(row, this.place(row, timeOf(row), commit));
  }

  private noted(row: Row, fate: Fate): Fate {
    if (fate === 'gone') return fate;
    this.past = Math.min(this.past, pastOf(row));
    this.holes.among++;
    if (fate === 'top' && isTombstone(row)) {
      this.holes.count++;
      this.holes.last = Math.max(this.holes.last, commitOf(row));
    }
    return fate;
  }

  private begin(group: Key, key: Key): void {
    this.group = group;
    this.edge = this.keeping.earliest(key);
    this.hasTop = false;
    this.closed = false;
    this.told = null;
    this.withdrawn = null;
  }

  /** Whether everybody sees the commit. */
  private isSeen(commit: Ts): boolean {
    return commit <= this.keeping.spared;
  }

  private place(row: Row, time: Ts, commit: Ts): Fate {
    const { settled, edge } = this;
    const isSeen = this.isSeen(commit);
    // What belongs to something that was made and is gone since then is read by those who stand between.
    if (this.closed || (edge === Infinity && isSeen) || time === this.told) return 'gone';
    if (isSeen) this.told = time;
    // Newer segments neither take it out of history nor put something before it.
    const isFirm = isSeen && time < this.above;
    if (row.text === REMOVED) {
      if (isFirm && settled) return 'gone';
      if (!isSeen) this.withdrawn = time;
    } else if (isFirm && time <= edge && time !== this.withdrawn) {
      this.closed = true;
      // What says that there is nothing may go when nothing lies beneath it.
      if (settled && isOver(row, edge)) return 'gone';
    }
    if (this.hasTop) return 'old';
    this.hasTop = true;
    if (!settled || !isSeen || !this.mayHide || !isTombstone(row)) return 'top';
    this.hides = true;
    return 'old';
  }
}

/** The time of a row of V, I or H that was written into the past; else `Infinity`. */
export function pastOf(row: Row): Ts {
  if (groupOfKey(row.key) === null) return Infinity;
  const time = timeOf(row);
  return time < commitOf(row) ? time : Infinity;
}

/** Whether a row says that there is nothing, and nobody asks when that began. */
function isTombstone({ key, text }: Row): boolean {
  // Native documents leave traces: their numbers are not used again, their ids not found again.
  return key.startsWith('I') ? text.startsWith(REMOVE) : text === DELETED && isOfUser(key);
}

const isOfUser = (key: Key): boolean => (collectionOf(key) ?? 0) >= FIRST_COLLECTION;

/** Whether nothing is there any more at a time after which nobody wrote. */
function isOver(row: Row, edge: Ts): boolean {
  if (isTombstone(row)) return true;
  if (row.key.startsWith('I')) return (readEntry(row).ttl ?? Infinity) <= edge;
  if (!isOfUser(row.key) || !row.text.startsWith(LIVE) || !row.text.includes('"ttl"')) return false;
  const { fields } = readVersion(row);
  return fields !== null && (expiry(fields) ?? Infinity) <= edge;
}

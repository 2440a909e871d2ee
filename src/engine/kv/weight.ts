// How much memory blocks take: that of their rows and of memos, which is what readers make of rows. A
// memo is kept with its row as long as there is room to spare. Where there is none, a block keeps only
// its last memo.
import { Obj } from '../value/obj.ts';
import type { Room } from './room.ts';
import type { Row } from './rows.ts';

/** Bytes of a row beside the characters of key and text: three objects, and the place in the block. */
const ROW_BYTES = 72;
/** Bytes of a text or number beside its characters; an object or array takes twice that, and so many more for each place in it. */
const HEAD_BYTES = 16;
const PLACE_BYTES = 8;
/** Longer lists of keys may be an object's own. */
const SHARED_KEYS = 8;
const KEY_BYTES = 80;
/** The part of the memory that memos, and blocks nobody has asked for yet, may fill; the rest is for blocks that are read. */
export const SPARE_SHARE = 3 / 4;

/** Whether there is room to spare for so many bytes more. */
const hasSpare = ({ used, limit }: Room, bytes: number): boolean => used + bytes <= limit * SPARE_SHARE;

/** The memory of one block. */
export class Weight {
  private bytes = 0;
  /** The last row that a memo was made for, if there was no room: it keeps the memo, uncounted, until the next one is made. */
  private guest: Row | null = null;
  /** Where it is counted, as long as the block is kept. */
  private room: Room | null = null;

  /** The block is kept from now on. @param content its rows, whose texts take two bytes a character as soon as one is beyond ASCII; or its bytes while it is not decoded */
  enter(room: Room, content: readonly Row[] | Uint8Array): void {
    this.leave();
    this.room = room;
    this.bytes = content instanceof Uint8Array ? content.length : content.reduce((sum, row) => sum + memoryOfRow(row), 0);
    room.used += this.bytes;
  }

  /** The block was decoded: it is weighed anew, if it is kept at all. */
  change(content: readonly Row[]): void {
    if (this.room !== null) this.enter(this.room, content);
  }

  leave(): void {
    if (this.room !== null) this.room.used -= this.bytes;
    this.room = null;
  }

  /** A reader has made something of a row. @param size bytes, if all its texts are ASCII @param counted bytes that were counted of it before */
  remember(row: Row, size: number, counted: number): void {
    if (this.guest !== null) this.guest.memo = undefined;
    this.add(-counted);
    this.guest = this.count(row, size) > 0 ? null : row;
  }

  /** Counts what was made of a row if there is room to spare for it. @returns bytes, 0 where there is none */
  count(row: Row, size: number): number {
    const bytes = size * bytesOfCharacter(row);
    if (this.room === null || !hasSpare(this.room, bytes)) return 0;
    this.add(bytes);
    if (this.guest === row) this.guest = null;
    return bytes;
  }

  private add(bytes: number): void {
    if (this.room === null) return;
    this.bytes += bytes;
    this.room.used += bytes;
  }
}

const memoryOfRow = ({ key, text, textBytes }: Row): number => key.length + text.length * 2 - (textBytes ?? 0) + ROW_BYTES;

/** As far as it is known: a text takes two as soon as one of its characters is beyond ASCII. */
const bytesOfCharacter = ({ text, textBytes }: Row): number => (textBytes === text.length ? 1 : 2);

/** Memory that a new value takes if all its texts are ASCII. Short lists of keys do not count, as objects share them; long ones do, with the index by which fields are found. */
export function memoryOf(made: unknown): number {
  if (typeof made === 'string') return HEAD_BYTES + made.length;
  if (typeof made !== 'object' || made === null) return HEAD_BYTES;
  if (ArrayBuffer.isView(made)) return made.byteLength;
  let bytes = 2 * HEAD_BYTES;
  if (made instanceof Obj && made.size > SHARED_KEYS) for (const key of made.keys) bytes += KEY_BYTES + key.length;
  for (const part of Object.values(made instanceof Obj ? made.values : made)) bytes += PLACE_BYTES + memoryOf(part);
  return bytes;
}

/** Keeps with a row what a reader has made of it. @param size its memory @param counted bytes that `rememberIfSpared` has counted of it */
export function remember<T>(row: Row, memo: T, size = memoryOf(memo), counted = 0): T {
  row.weight?.remember(row, size, counted);
  row.memo = memo;
  return memo;
}

/** Keeps more of it, only where there is room to spare. @param size of what has come to it @returns bytes that are counted for that; 0 where it is not kept */
export function rememberIfSpared(row: Row, memo: unknown, size: number): number {
  const bytes = row.weight === undefined ? size : row.weight.count(row, size);
  if (bytes > 0) row.memo = memo;
  return bytes;
}

// What is kept of blocks beyond their rows, within a part of the memory that blocks may take. It is small, and
// asked for by who reads all of a collection again and again: so where it does not fit, most of what is there
// stays, as the last to come would be the last to be asked for again.
import type { Room } from './room.ts';

/** Of all the memory. */
const SHARE = 1 / 4;
/** Every so many times that something finds no room, the oldest makes some. */
const REFUSALS = 16;

/** What is kept of one block, and its memory. */
interface Kept<T> {
  readonly content: T;
  bytes: number;
}

export class Sheets<T = unknown> {
  private readonly kept = new Map<number, Kept<T>>();
  private bytes = 0;
  private refused = 0;

  constructor(private readonly room: Room) {}

  /** `undefined` where nothing is kept. */
  get(block: number): T | undefined {
    return this.kept.get(block)?.content;
  }

  /** Keeps it where there is room. */
  keep(block: number, content: T, bytes: number): void {
    if (!this.fits(bytes)) return;
    this.leave(block);
    this.kept.set(block, { content, bytes });
    this.add(bytes);
  }

  /** What is kept of a block is about to become more. @returns whether it may: it may be another one by now, or there is no room */
  grow(block: number, content: T, bytes: number): boolean {
    const kept = this.kept.get(block);
    if (kept?.content !== content || !this.fits(bytes)) return false;
    kept.bytes += bytes;
    this.add(bytes);
    return true;
  }

  /** Forgets what is not wanted any more. */
  drop(isOver: (block: number) => boolean): void {
    for (const block of this.kept.keys()) if (isOver(block)) this.leave(block);
  }

  /** Forgets all if it takes too much. */
  fit(): void {
    if (this.bytes > this.room.limit * SHARE) this.drop(() => true);
  }

  private fits(bytes: number): boolean {
    if (this.bytes + bytes <= this.room.limit * SHARE) return true;
    const [oldest] = this.kept.keys();
    if (++this.refused % REFUSALS === 0 && oldest !== undefined) this.leave(oldest);
    return false;
  }

  private leave(block: number): void {
    this.add(-(this.kept.get(block)?.bytes ?? 0));
    this.kept.delete(block);
  }

  private add(bytes: number): void {
    this.bytes += bytes;
    this.room.used += bytes;
  }
}

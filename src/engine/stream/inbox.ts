/** A queue for one reader, which closes when more waits in it than a limit allows. */
export class Inbox<T> {
  private waiting: T[] = [];
  private closed = false;
  private wake: () => void = () => {};
  private select: (item: T) => T | null = (item) => item;
  /** The reader was too slow: what waited is gone, and nothing more will come. */
  overflowed = false;

  constructor(private readonly limit: number) {}

  put(item: T): void {
    const selected = this.closed ? null : this.select(item);
    if (selected === null) return;
    this.waiting.push(selected);
    if (this.waiting.length > this.limit) this.overflowed = true;
    if (this.overflowed) this.close();
    this.wake();
  }

  /** Keeps only what `select` makes of each item, also of those that wait already; `null` drops one. */
  narrow(select: (item: T) => T | null): void {
    this.select = select;
    this.waiting = this.waiting.map(select).filter((item) => item !== null);
  }

  /** The next item, as soon as there is one; `null` once it is closed. */
  async next(): Promise<T | null> {
    while (!this.closed && this.waiting.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.waiting.shift() ?? null;
  }

  /** Lets go of all that waits, and of the reader. */
  close(): void {
    this.closed = true;
    this.waiting = [];
    this.wake();
  }
}

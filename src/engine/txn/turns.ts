// Turns of being alone, one writer after the other. Writers of one engine run side by side;
// one that lost again and again to its neighbours takes a turn, and they begin after it.
export class Turns {
  private last: Promise<void> | null = null;

  /** The end of all turns taken so far; `null` when nobody has one. */
  get end(): Promise<void> | null {
    return this.last;
  }

  /** Resolves when the turns before it are over, to what ends this one. */
  async take(): Promise<() => void> {
    const before = this.last;
    let end = (): void => {};
    const own = new Promise<void>((resolve) => (end = resolve));
    const all = Promise.all([before, own]).then(() => {
      if (this.last === all) this.last = null;
    });
    this.last = all;
    await before;
    return end;
  }
}

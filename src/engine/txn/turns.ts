// Turns in which a writer runs alone. Writers of one engine usually run side by side; one that has
// lost to its neighbours again and again takes a turn, and those that come begin after it.
export class Turns {
  private last: Promise<void> | null = null;

  /** The end of all turns taken so far; `null` when nobody has one. */
  get end(): Promise<void> | null {
    return this.last;
  }

  /** Takes a turn. Resolves when the turns before it are over, to a function that ends this one. */
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

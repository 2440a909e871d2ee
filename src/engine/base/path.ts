/**
 * A position in a query: object keys and array indexes from the root.
 * A linked list, because positions are made for every node and shown only in errors.
 */
export class Path {
  static readonly root = new Path(null, '');

  private constructor(
    private readonly parent: Path | null,
    private readonly step: string | number,
  ) {}

  /** The position one step below. */
  at(step: string | number): Path {
    return new Path(this, step);
  }

  toArray(): (string | number)[] {
    const steps: (string | number)[] = [];
    for (let path: Path = this; path.parent !== null; path = path.parent) steps.push(path.step);
    return steps.reverse();
  }
}

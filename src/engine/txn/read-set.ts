import type { Key, Span } from '../base/bytes.ts';

/** What a transaction has read: spans of keys. A later commit inside one of them is a conflict. */
export class ReadSet {
  private readonly spans: { from: Key; to: Key }[] = [];

  add(span: Span): void {
    this.spans.push({ ...span });
  }

  /** A span that grows while a cursor moves; the caller sets its ends. */
  grow(from: Key, to: Key): { from: Key; to: Key } {
    const span = { from, to };
    this.spans.push(span);
    return span;
  }

  /** Whether any of the keys was read. */
  touches(keys: Iterable<Key>): boolean {
    return touches(this.merged(), keys);
  }

  /** The spans in order, overlapping ones joined. */
  merged(): readonly Span[] {
    const sorted = this.spans.filter((span) => span.from < span.to).sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
    const joined: { from: Key; to: Key }[] = [];
    for (const span of sorted) {
      const last = joined.at(-1);
      if (last !== undefined && span.from <= last.to) last.to = span.to > last.to ? span.to : last.to;
      else joined.push({ ...span });
    }
    return joined;
  }
}

/** Whether any of the keys lies in one of the spans, which are in order and apart. */
export function touches(spans: readonly Span[], keys: Iterable<Key>): boolean {
  for (const key of keys) {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle] as Span).from <= key) low = middle + 1;
      else high = middle;
    }
    const before = spans[low - 1];
    if (before !== undefined && key < before.to) return true;
  }
  return false;
}

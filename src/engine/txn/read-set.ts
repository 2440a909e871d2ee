import type { Key, Span } from '../base/bytes.ts';

/** What a transaction has read: spans of keys. A later commit inside one of them is a conflict. */
export class ReadSet {
  private readonly spans: Span[] = [];
  /** What was read without making later commits there a conflict. */
  private readonly unchecked: Span[] = [];

  add(...spans: readonly Span[]): void {
    this.spans.push(...spans);
  }

  /** A span that grows from a place while a cursor moves; the caller sets its ends. */
  grow(at: Key, isChecked: boolean): { from: Key; to: Key } {
    const span = { from: at, to: at };
    (isChecked ? this.spans : this.unchecked).push(span);
    return span;
  }

  /** Whether a commit of these keys is a conflict. */
  touches(keys: Iterable<Key>): boolean {
    return touches(joined(this.spans), keys);
  }

  /** All spans in order, overlapping ones joined. */
  merged(): readonly Span[] {
    return joined([...this.spans, ...this.unchecked]);
  }
}

function joined(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.filter((span) => span.from < span.to).sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const apart: { from: Key; to: Key }[] = [];
  for (const span of sorted) {
    const last = apart.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = span.to > last.to ? span.to : last.to;
    else apart.push({ ...span });
  }
  return apart;
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

// Watches whether what a query has read is still as it was.
import type { Span } from '../base/bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import { StorageError } from '../kv/log-store.ts';
import type { Feed, News } from '../txn/feed.ts';
import { touches } from '../txn/read-set.ts';
import type { Commit } from '../txn/record.ts';

/** Most commits that are kept while the query runs; if there are more, it runs again, whatever they wrote. */
const MAX_MEANWHILE = 1_000;
/** A moment to come is waited for in steps of this many milliseconds, as the clock may be set meanwhile. */
const STEP = 1_000;

export class Watch {
  /** What was read; `null` while the query runs. */
  private spans: readonly Span[] | null = null;
  private meanwhile: Commit[] = [];
  private isChanged = false;
  private isOver = false;
  private isClosed = false;
  private wake: () => void = () => {};
  private readonly leave: () => void;

  constructor(
    feed: Feed,
    private readonly platform: Platform,
  ) {
    this.leave = feed.follow((news) => this.take(news));
  }

  /** The query is about to run: whatever comes from now on may or may not be seen by it. */
  begin(): void {
    this.spans = null;
    this.meanwhile = [];
    this.isChanged = false;
  }

  /** It has run. @param snapshot up to here it has seen everything */
  settle(spans: readonly Span[], snapshot: Ts): void {
    this.spans = spans;
    const unseen = this.meanwhile.filter(({ ts }) => ts > snapshot);
    this.meanwhile = [];
    this.isChanged ||= unseen.some((commit) => isIn(spans, commit));
  }

  /**
   * Resolves to `true` when what was read may have changed, or at the given time; to `false` when it was closed.
   * @throws StorageError when nothing more will be heard
   */
  async changed(end: Ts): Promise<boolean> {
    while (!this.isClosed) {
      if (this.isOver) throw new StorageError('lost', 'The database was closed.');
      const left = end - this.platform.now();
      if (this.isChanged || left <= 0) return true;
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      await (end === Infinity ? woken : Promise.race([woken, this.platform.later(Math.min(STEP, left / 1000))]));
    }
    return false;
  }

  close(): void {
    this.leave();
    this.isClosed = true;
    this.wake();
  }

  private take(news: News): void {
    if (news.kind === 'end') this.isOver = true;
    else if (news.kind === 'missed' || this.meanwhile.length >= MAX_MEANWHILE) this.isChanged = true;
    else if (this.spans === null) this.meanwhile.push(news.commit);
    else this.isChanged ||= isIn(this.spans, news.commit);
    if (this.isOver || this.isChanged) this.wake();
  }
}

const isIn = (spans: readonly Span[], { rows }: Commit): boolean => touches(spans, rows.map(({ key }) => key));

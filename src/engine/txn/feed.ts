// Tells those that follow the log of acknowledged commits: in order, and of each one once.
import type { Platform, Ts } from '../base/platform.ts';
import type { RowSource } from '../kv/rows.ts';
import type { Commit } from './record.ts';

export type News =
  | { readonly kind: 'commit'; readonly commit: Commit }
  | Missed
  /** Nothing more will come: the engine was closed, or the database emptied. */
  | { readonly kind: 'end' };

/** Commits that left the log before this engine had read them: their rows stand in blocks. */
export interface Missed {
  readonly kind: 'missed';
  /** They came after this time, and up to that one. */
  readonly after: Ts;
  readonly upTo: Ts;
  /** Where to find their rows, among others that were known before. To be called again when a block of it is gone. */
  rows(): RowSource;
}

/** How often the log is looked at for other engines' commits, milliseconds: word of them may have been lost. */
const LOOK = 1000;

export class Feed {
  private readonly followers = new Set<(news: News) => void>();
  private looking = false;

  constructor(
    private readonly platform: Platform,
    /** Looks at the log, and leads to calls of `tell` for what is new there. */
    private readonly look: () => Promise<void>,
  ) {}

  /** How many follow it. */
  get size(): number {
    return this.followers.size;
  }

  tell(news: News): void {
    for (const follower of [...this.followers]) follower(news);
    if (news.kind === 'end') this.followers.clear();
  }

  /** Tells of everything from now on, until the function it gives is called. */
  follow(follower: (news: News) => void): () => void {
    this.followers.add(follower);
    if (!this.looking) void this.keepLooking();
    return () => this.followers.delete(follower);
  }

  /** Another engine says that it has committed. */
  wake(): void {
    // A log that cannot be read now is looked at again soon, and fails whoever has a request.
    if (this.followers.size > 0) this.look().catch(() => {});
  }

  private async keepLooking(): Promise<void> {
    this.looking = true;
    while (this.followers.size > 0) {
      await this.platform.later(LOOK);
      this.wake();
    }
    this.looking = false;
  }
}

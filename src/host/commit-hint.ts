// Word of commits between the engines of a database in this browser, over a BroadcastChannel.
import type { CommitHint } from '../engine/index.ts';

export interface CommitChannel extends CommitHint {
  close(): void;
}

/** Where the browser has no such channel, nothing is said. */
export function openCommitChannel(database: string): CommitChannel {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, onHint: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(`vivarium-commits:${database}`);
  const hint: CommitChannel = {
    tell: () => channel.postMessage(null),
    onHint: () => undefined,
    close: () => channel.close(),
  };
  channel.onmessage = () => hint.onHint();
  return hint;
}

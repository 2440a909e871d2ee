/**
 * Carries word of a commit from one engine on a store to the others. It may be late or lost:
 * what counts is the log.
 */
export interface CommitHint {
  tell(): void;
  /** Called when another engine has committed. */
  onHint: () => void;
}

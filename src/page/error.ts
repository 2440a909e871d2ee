/** One entry of an error answer. GraphQL entries carry `message` in place of `code` and `description`. */
export interface ErrorEntry {
  /**
   * What kind of error it is, such as `instance not found`. Of `open`, `status`, `reset` and files: `unavailable`, `already open`,
   * `time out`, what a file has against it, or how the storage failed: `blocked` (another tab holds an older version open),
   * `newer-format`, `corrupt`, `quota`, `lost`, `timeout`, `evicted`.
   */
  readonly code?: string;
  readonly description?: string;
  readonly message?: string;
  /** The way into the query to what went wrong: keys of objects and places in arrays. */
  readonly position?: readonly (string | number)[];
  /** What is wrong with single fields, each with its `field`. */
  readonly failures?: readonly ErrorEntry[];
  /** Of a failure: the way into the document. */
  readonly field?: readonly (string | number)[];
  /** What went wrong inside a call. */
  readonly cause?: readonly ErrorEntry[];
  readonly [field: string]: unknown;
}

/** An answer that is not a result: what the status was and which errors the body named. */
export class VivariumError extends Error {
  override readonly name = 'VivariumError';

  constructor(
    /** As over HTTP; 503 when the database could not be opened or reached. */
    readonly status: number,
    /** As the body named them; the body itself as a `description` where it is none of ours. */
    readonly errors: readonly ErrorEntry[],
  ) {
    super(errors.map(describe).join('; ') || `status ${status}`);
  }
}

/** In words, and where in the query; then what is wrong with its fields, or inside a call. */
function describe({ code, description, message, position, field, failures = [], cause = [] }: ErrorEntry): string {
  const place = (field ?? position ?? []).join(' › ');
  const words = (message ?? [code, description].filter(Boolean).join(': ')) + (place && ` (at ${place})`);
  return [words, ...[...failures, ...cause].map(describe)].join('; ');
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error of a host: the database could not be opened, reached or started. */
export function unavailableError(code: string, description: string): VivariumError {
  return new VivariumError(503, [{ code, description }]);
}

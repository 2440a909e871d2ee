/** One entry of an error answer. GraphQL entries carry `message` in place of `code` and `description`. */
export interface ErrorEntry {
  readonly code?: string;
  readonly description?: string;
  readonly message?: string;
  readonly position?: readonly (string | number)[];
  readonly [field: string]: unknown;
}

/** An answer that is not a result: what the status was and which errors the body named. */
export class VivariumError extends Error {
  override readonly name = 'VivariumError';

  constructor(
    /** As over HTTP; 503 when the database could not be opened or reached. */
    readonly status: number,
    readonly errors: readonly ErrorEntry[],
  ) {
    super(errors.map(describe).join('; ') || `status ${status}`);
  }
}

function describe({ code, description, message }: ErrorEntry): string {
  return message ?? [code, description].filter((part) => part !== undefined && part !== '').join(': ');
}

/** The error of a host: the database could not be opened, reached or started. */
export function unavailableError(code: string, description: string): VivariumError {
  return new VivariumError(503, [{ code, description }]);
}

/** Guards our own invariants; a failure is a bug of ours and ends as a 500 without detail. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Closes an exhaustive switch. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}

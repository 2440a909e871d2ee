/** Whether the platform has run out of stack, or of room for one value: a RangeError, in Firefox an InternalError. */
export const isExhaustion = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');

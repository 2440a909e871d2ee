import { same } from '../value/equal.ts';
import type { Value } from '../value/value.ts';

/** Whether a field is the same in two objects, or absent from both. */
export const sameField = (a: Value | undefined, b: Value | undefined): boolean => (a === undefined || b === undefined ? a === b : same(a, b));

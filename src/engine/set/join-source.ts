// What a join makes of the entries of its source: the terms of their targets. Entries with the same
// terms lead to the same target.
import type { Key } from '../base/bytes.ts';
import { termKey } from '../order/term-key.ts';
import type { Value } from '../value/value.ts';
import type { Entry } from './set-op.ts';

/** How many different entries of a source are looked at. */
export const MAX_SOURCE = 100_000;

export const termsOf = ({ values, ref }: Entry): readonly Value[] => (values.length > 0 ? values : [ref]);
export const identityOf = (entry: Entry): Key => termKey(termsOf(entry));

// What an entry of a join's source is to the join: the terms of its target. Entries with the
// same ones lead to the same target.
import type { Key } from '../base/bytes.ts';
import { termKey } from '../order/term-key.ts';
import type { Value } from '../value/value.ts';
import type { Entry } from './set-op.ts';

/** Source entries are looked at up to this many. */
export const MAX_SOURCE = 100_000;

export const termsOf = ({ values, ref }: Entry): readonly Value[] => (values.length > 0 ? values : [ref]);
export const identityOf = (entry: Entry): Key => termKey(termsOf(entry));

import type { Value } from '../value/value.ts';
import type { Entry } from './set-op.ts';

/** What a join makes of an entry of its source: the terms of its target. */
export const termsOf = ({ values, ref }: Entry): readonly Value[] => (values.length > 0 ? values : [ref]);

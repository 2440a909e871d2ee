// Term keys: identity of values as bytes, for index terms and uniqueness.
//
// `match` and unique constraints tell 1 from 1.0 and 0.0 from -0.0, look at the type and not
// at order, and find objects whatever the order of their keys (reference: fql/order.md §4, §5).
import type { Key } from '../base/bytes.ts';
import { beginParts } from '../value/parts.ts';
import { ROOT_SCOPE, type Ref } from '../value/ref.ts';
import type { Value } from '../value/value.ts';
import { doubleKey, longKey } from './scalar-key.ts';
import { itemsKey, type KeyStyle, refKey } from './value-key.ts';

const IDENTITY: KeyStyle = {
  // The legacy kinds keep Longs and Doubles apart, which is all identity asks for.
  collation: 'legacy',
  long: longKey,
  double: doubleKey,
  ref: scopedRefKey,
};

/**
 * Equal exactly when the tuples have the same values of the same types. No tuple's key begins
 * that of another one, not even of a longer one.
 */
export function termKey(values: readonly Value[]): Key {
  beginParts();
  return itemsKey(values, IDENTITY);
}

/** With its database, which order leaves out. */
function scopedRefKey(ref: Ref): Key {
  return refKey(ref) + (ref.scope === ROOT_SCOPE ? '\0' : `\u0001${longKey(BigInt.asIntN(64, ref.scope))}`);
}

import type { Path } from '../../base/path.ts';
import { FqlError } from '../../errors/fql-error.ts';
import { undefinedRef } from '../../form/casts.ts';
import { UnresolvedRef, type Value } from '../../value/value.ts';

/** @throws FqlError one `invalid ref` for each unresolved ref: such a ref has no place in the order */
export function refuseUnresolved(values: readonly Value[], at: Path): void {
  for (const value of values) if (value instanceof UnresolvedRef) return refuse(values, at);
}

function refuse(values: readonly Value[], at: Path): never {
  const failures = values.flatMap((value) => (value instanceof UnresolvedRef ? undefinedRef(value, at).failures : []));
  throw new FqlError(failures);
}

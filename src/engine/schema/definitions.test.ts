import { expect, it } from 'vitest';
import { NATIVE, Ref, ROOT_SCOPE } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import { EXACTNESS, HIDDEN, readIndex } from './definitions.ts';

it.each([
  ['without a mark', undefined, EXACTNESS.least],
  ['with the first mark', true, EXACTNESS.refs],
  ['with that of this build', BigInt(EXACTNESS.paths), EXACTNESS.paths],
  ['with that of a later build', BigInt(EXACTNESS.paths) + 1n, EXACTNESS.paths],
] as const satisfies readonly (readonly [string, Value | undefined, number])[])('entries of an index %s are made as the build did that has made it, as far as this one can', (_which, mark, exactness) => {
  const fields = Obj.from({ name: 'i', [HIDDEN.exactness]: mark });
  expect(readIndex(new Ref(NATIVE.indexes, 1n, ROOT_SCOPE), fields).exactness).toBe(exactness);
});

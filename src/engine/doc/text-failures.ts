// Passwords, secrets and their hashes are text, or not there.
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { Obj, type Value } from '../value/value.ts';

/**
 * What was sent under these names and is no text.
 * @param sent what stands in place of an object is wrong for each name
 * @param path where it stands
 */
export function textFailures(sent: Value, names: readonly string[], path: readonly string[] = []): FieldFailure[] {
  return names.flatMap((name) => {
    if (!(sent instanceof Obj)) return [fieldFailures.type([...path, name], sent, 'Map')];
    const value = sent.get(name) ?? null;
    return value === null || typeof value === 'string' ? [] : [fieldFailures.type([...path, name], value, 'String')];
  });
}

// Checks a document's fields against the rules of its collection.
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { Obj } from '../value/value.ts';
import type { FieldRule, NativeRules } from './native.ts';

/** Unicode letters, digits and a few signs (reference: data/documents.md §6). */
const NAME = /^[;@+$\-_.!~%\p{L}\p{N}\p{M}\p{Pc}]+$/u;

/** The fields that the rules know, in the order they have; everything else is dropped, and so is an object without any. */
export function knownFields(rules: NativeRules, fields: Obj): Obj {
  return fields.filter((key, value) => Object.hasOwn(rules.fields, key) && value !== null && !(value instanceof Obj && value.size === 0));
}

/** What is wrong with the fields of a document as it would be stored. */
export function validate(rules: NativeRules, fields: Obj): FieldFailure[] {
  const failures: FieldFailure[] = [];
  for (const key in rules.fields) {
    const rule = rules.fields[key] as FieldRule;
    const value = fields.get(key);
    if (value === undefined) {
      if (rule.required) failures.push(fieldFailures.required([key]));
    } else if (!rule.accepts(value)) {
      failures.push(fieldFailures.type([key], value, rule.type));
    }
  }
  const name = fields.get('name');
  if (rules.named && typeof name === 'string') failures.push(...nameFailures(name));
  return failures;
}

function nameFailures(name: string): FieldFailure[] {
  if (name === '_') return [fieldFailures.reservedName(['name'], name)];
  return NAME.test(name) ? [] : [fieldFailures.characters(['name'], name)];
}

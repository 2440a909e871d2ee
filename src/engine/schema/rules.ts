// What the fields of a document may be, and the rules of users' documents. Fields are kept in the order they are sent.
import { fieldFailures } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import { Obj, SetValue, Time, type Value } from '../value/value.ts';

export interface FieldRule {
  /** The type as a failure names it. */
  readonly type: string;
  accepts(value: Value): boolean;
  readonly required?: true;
  /** Kept by `replace` when it is not sent again. */
  readonly kept?: true;
}

export type Rules = Readonly<Record<string, FieldRule>>;

// A set is stored as an object, too.
export const DATA: FieldRule = { type: 'Map', accepts: (value) => value instanceof Obj || (value instanceof SetValue && value.describe() instanceof Obj) };
export const TIME: FieldRule = { type: 'Timestamp', accepts: (value) => value instanceof Time };

export const DOCUMENT_RULES: Rules = { data: DATA, constraints: DATA, ttl: TIME };

/** The fields that the rules know, in the order they have; everything else is dropped, and so is an object without any. */
export function knownFields(rules: Rules, fields: Obj): Obj {
  return fields.filter((key, value) => Object.hasOwn(rules, key) && value !== null && !(value instanceof Obj && value.size === 0));
}

/** What is wrong with the fields of a document as it would be stored. */
export function validate(rules: Rules, fields: Obj): FieldFailure[] {
  const failures: FieldFailure[] = [];
  for (const key in rules) {
    const rule = rules[key] as FieldRule;
    const value = fields.get(key);
    if (value === undefined) {
      if (rule.required) failures.push(fieldFailures.required([key]));
    } else if (!rule.accepts(value)) {
      failures.push(fieldFailures.type([key], value, rule.type));
    }
  }
  return failures;
}

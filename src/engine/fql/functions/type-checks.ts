// Type checks (reference: fql/functions.md §12).
import { isRefOf } from '../../errors/type-name.ts';
import { any, isSet } from '../../form/casts.ts';
import type { Example, Form } from '../../form/form.ts';
import type { NativeName } from '../../value/ref.ts';
import {
  Action, Bytes, DateValue, Doc, DocEvent, isArray, Lambda, Obj, Page, Ref, Time, UnresolvedRef, Uuid, type Value,
} from '../../value/value.ts';
import { unary } from './unary.ts';

type Test = (value: Value) => boolean;

/** @param examples arguments as JSON text: one the check accepts, unless that takes data, and one it does not; by its name, the build leaves it out */
function check(name: string, kind: string, examples: readonly [yes: string | null, no: string], test: Test): Form {
  return unary(name, any, {
    effect: 'pure',
    source: 'functions.md §12; ast/functions/TypeCheckFunctions',
    summary: `Whether a value is ${kind}.`,
    examples: examples.flatMap((argument, at): Example[] => (argument === null ? [] : [[`{"${name}":${argument}}`, String(at === 0)]])),
    run: test,
  });
}

const typeOf = (type: 'bigint' | 'number' | 'boolean' | 'string'): Test => (value) => typeof value === type;

const isAnyOf = (...types: readonly (abstract new (...args: never[]) => unknown)[]): Test => (value) =>
  types.some((type) => value instanceof type);

/** A ref into a native collection or a document of it; a native collection's own ref is in `collections`. */
const isIn = (collection: NativeName): Test => (value) => isRefOf(value instanceof Doc ? value.ref : value, collection);

const NATIVE_REF = '{"collections":null}';

export const typeChecks: readonly Form[] = [
  check('is_number', 'an integer or a double', ['1', '"1"'], (value) => typeof value === 'bigint' || typeof value === 'number'),
  check('is_double', 'a double', ['1.0', '1'], typeOf('number')),
  check('is_integer', 'an integer', ['1', '1.0'], typeOf('bigint')),
  check('is_boolean', 'a boolean', ['true', 'null'], typeOf('boolean')),
  check('is_null', 'null', ['null', 'false'], (value) => value === null),
  check('is_bytes', 'a byte string', ['{"@bytes":"AQID"}', '"AQID"'], isAnyOf(Bytes)),
  check('is_timestamp', 'a time', ['{"time":"now"}', '{"date":"2020-02-29"}'], isAnyOf(Time)),
  check('is_date', 'a date', ['{"date":"2020-02-29"}', '{"time":"now"}'], isAnyOf(DateValue)),
  check('is_uuid', 'a UUID', ['{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}', '"5b8ac1f6"'], isAnyOf(Uuid)),
  check('is_string', 'a string', ['"a"', '1'], (value) => typeof value === 'string' || value instanceof Action),
  check('is_array', 'an array', ['[1]', '{"object":{}}'], isArray),
  check('is_object', 'an object, document, page or event', ['{"object":{}}', '[]'], isAnyOf(Obj, Page, Doc, DocEvent)),
  check('is_ref', 'a ref', ['{"collection":"spells"}', '"spells"'], isAnyOf(Ref, UnresolvedRef)),
  check('is_set', 'a set', [NATIVE_REF, '[]'], isSet),
  check('is_doc', 'a ref that leads somewhere, or a document', [NATIVE_REF, '{"object":{}}'], isAnyOf(Ref, Doc)),
  check('is_lambda', 'a lambda', ['{"query":{"lambda":"x","expr":{"var":"x"}}}', '{"object":{}}'], isAnyOf(Lambda)),
  check('is_collection', 'a collection or its ref', [NATIVE_REF, '"spells"'], isIn('collections')),
  check('is_database', 'a database or its ref', [null, NATIVE_REF], isIn('databases')),
  check('is_index', 'an index or its ref', [null, NATIVE_REF], isIn('indexes')),
  check('is_function', 'a user function or its ref', [null, NATIVE_REF], isIn('functions')),
  check('is_key', 'a key or its ref', [null, NATIVE_REF], isIn('keys')),
  check('is_token', 'a token or its ref', [null, NATIVE_REF], isIn('tokens')),
  check('is_credentials', 'credentials or their ref', [null, NATIVE_REF], isIn('credentials')),
  check('is_role', 'a role or its ref', [null, NATIVE_REF], isIn('roles')),
];

// What can be wrong with schema documents alone (reference: fql/errors.md §5–6): loaded with what
// writes them.
import type { Path } from '../base/path.ts';
import { type Field, field, raise } from './codes.ts';
import { FqlError } from './fql-error.ts';

/** A change of the schema that is refused, perhaps for several reasons. */
export const schemaInvalid = (at: Path, reasons: readonly string[]): FqlError =>
  new FqlError(reasons.flatMap((reason) => raise(at, 'schema validation failed', reason).failures));

export const schemaFailures = {
  oneRequired: (at: Field, names: readonly string[]) =>
    field(at, 'value required', `Must provide one of the following: ${names.join(', ')}`),
  missingRef: (at: Field) => field(at, 'invalid reference', 'Reference was not found.'),
  reservedName: (at: Field, name: string) => field(at, 'reserved name', `Invalid name ${name}. Reserved names: _.`),
  characters: (at: Field, name: string) =>
    field(at, 'invalid characters', `The name ${name} uses invalid characters. Valid characters must match: [;@+$\\-_.!~%\\w]+`),
  duplicate: (at: Field) => field(at, 'duplicate value', 'Value is not unique.'),
  bounds: (at: Field, value: bigint, low: number, high: number) =>
    field(at, 'bounds error', `Value ${value} is not in expected range ${low} to ${high}.`),
  negative: (at: Field) => field(at, 'non-negative value required', 'Value must be non-negative.'),
  binding: (at: Field) => field(at, 'invalid binding', 'Field binding must be a pure unary function.'),
  unusedBinding: (at: Field) => field(at, 'unused binding', 'Source binding is not used as a term or value.'),
  indexChange: (at: Field, description: string) => field(at, 'invalid index', description),
  mixedWildcards: (at: Field) =>
    field(at, 'mixed wildcards', (words) => `Cannot mix ${words.collection} refs and wildcards without providing bindings.`),
  multipleBindings: (at: Field) =>
    field(at, 'multiple bindings', (words) => `A ${words.collection} ref may only match one binding.`),
  value: (at: Field, value: string, place: string) => field(at, 'invalid value', `Invalid value \`${value}\` at \`${place}\``),
  arity: (at: Field, actual: number, expected: number) =>
    field(at, 'invalid arity', `Found lambda with arity ${actual} expected ${expected}`),
  tooManyRoles: (at: Field, most: number) =>
    field(at, 'resources exceeded', (words) => `Maximum number of roles per membership ${words.collection} exceeded. Maximum allowed: ${most}.`),
  uri: (at: Field, text: string) => field(at, 'invalid uri', `\`${text}\` is a not valid URI`),
  secret: (at: Field) => field(at, 'invalid secret', `Invalid secret at \`${at.join('.')}\``),
  containerData: (at: Field) =>
    field(
      at,
      'container candidate contains data',
      'cannot make database a container while it contains collections, indexes, or user functions',
    ),
  free: (at: Field, description: string) => field(at, 'validation failure', description),
} as const;

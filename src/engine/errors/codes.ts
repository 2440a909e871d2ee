// Every error of the language: its code, text, status and rank, one constructor each
// (reference: fql/errors.md §4–6). A wording is changed here and nowhere else; what only parts
// tell that are loaded later stands in the files beside this one, or in the one place that tells it.
import type { Path } from '../base/path.ts';
import type { NamedKind } from '../value/ref.ts';
import type { Value } from '../value/value.ts';
import { type Failure, type FieldFailure, FqlError, HttpError, type Text, type Words } from './fql-error.ts';
import { storedTypeName } from './type-name.ts';

const RANK = { parse: 3, argument: 2, permission: 1, rest: 0 } as const;

/** How an error counts among others (as one of the rest, with status 400, if nothing is said), and what lies behind it. */
interface Standing extends Pick<Failure, 'failures' | 'cause'> {
  readonly rank?: keyof typeof RANK;
  readonly status?: number;
}

export function raise(at: Path, code: string, description: Text, { rank = 'rest', status = 400, ...behind }: Standing = {}): FqlError {
  return new FqlError([{ at, code, description, status, rank: RANK[rank], ...behind }]);
}

// --- parsing ---------------------------------------------------------------------------

export const invalidExpression = (at: Path, description: Text): FqlError =>
  raise(at, 'invalid expression', description, { rank: 'parse' });

/** A type that is wrong already in the text of the query. */
export const wrongSyntaxType = (at: Path, expected: readonly string[], provided: string): FqlError =>
  invalidExpression(at, typeText(expected, provided));

export const unknownForm = (at: Path, keys: readonly string[]): FqlError =>
  invalidExpression(at, `No form/function found, or invalid argument keys: { ${keys.join(', ')} }.`);

export const undefinedVariable = (at: Path, name: string): FqlError =>
  invalidExpression(at, `Variable '${name}' is not defined.`);

export const emptyList = (at: Path): FqlError => invalidExpression(at, 'Expression list cannot be empty.');

/** An error of evaluation met while parsing: same text and place, but `invalid expression`. */
export function asParseError(error: unknown): unknown {
  return error instanceof FqlError
    ? new FqlError(
        error.failures.map((failure) => ({ ...failure, code: 'invalid expression', rank: RANK.parse, status: 400 })),
      )
    : error;
}

export const forbiddenEffect = (at: Path, effect: 'read' | 'write', reason: string): FqlError =>
  invalidExpression(at, `Call performs a ${effect}, which is not allowed in ${reason}.`);

// --- arguments -------------------------------------------------------------------------

export const invalidArgument = (at: Path, description: Text): FqlError =>
  raise(at, 'invalid argument', description, { rank: 'argument' });

export const wrongType = (at: Path, expected: readonly string[], provided: string): FqlError =>
  invalidArgument(at, typeText(expected, provided));

/** `A expected, B provided.`, `A or B …`, `A, B, or C …` */
function typeText(expected: readonly string[], provided: string): string {
  const last = expected.at(-1) ?? '';
  const names =
    expected.length < 3 ? expected.join(' or ') : `${expected.slice(0, -1).join(', ')}, or ${last}`;
  return `${names} expected, ${provided} provided.`;
}

export const emptyArray = (at: Path): FqlError => invalidArgument(at, 'Non-empty array expected.');
export const emptySet = (at: Path): FqlError => invalidArgument(at, 'Non-empty set expected.');

export const wrongArity = (at: Path, expected: number, provided: number): FqlError =>
  invalidArgument(at, `Lambda expects an array with ${expected} elements. Array contains ${provided}.`);

/** @param what the argument or its value @param rule what it must be */
export const outOfBounds = (at: Path, what: string, rule: string): FqlError =>
  invalidArgument(at, `${what} must be ${rule}`);

export const divisionByZero = (at: Path): FqlError => invalidArgument(at, 'Illegal division by zero.');

export const cannotCast = (at: Path, provided: string, wanted: string): FqlError =>
  invalidArgument(at, `Cannot cast ${provided} to ${wanted}.`);

export const invalidRegex = (at: Path, pattern: string): FqlError =>
  invalidArgument(at, `Search pattern /${pattern}/ is not a valid regular expression.`);

/** @param allowed the most that the lambda may do here */
export const invalidLambda = (at: Path, allowed: 'pure' | 'read'): FqlError =>
  invalidArgument(
    at,
    `Invalid lambda. Lambda in this context may not ${allowed === 'pure' ? 'read, write,' : 'write'} or call a user function.`,
  );

export const mixedSetsAndArrays = (at: Path): FqlError =>
  invalidArgument(at, 'Arguments cannot be of different types, expected Set or Array.');

export const invalidTimeUnit = (at: Path, unit: string): FqlError => invalidArgument(at, `Invalid time unit '${unit}'.`);
export const incompatibleTimes = (at: Path): FqlError => invalidArgument(at, 'Incompatible time arguments.');

export const noHistory = (at: Path): FqlError => invalidArgument(at, 'Set does not support events history.');

// --- refs, documents, writes -----------------------------------------------------------

/** Uses of a name that means nothing; a document of an undefined collection names the collection. */
export const invalidRef = (at: Path, kind: NamedKind | 'key', name: string): FqlError =>
  raise(at, 'invalid ref', (words) => `Ref refers to undefined ${kind === 'collection' ? words.collection : kind} '${name}'`, { rank: 'argument' });

export const invalidWriteTime = (at: Path): FqlError =>
  raise(at, 'invalid write time', 'Cannot write outside of snapshot time.', { rank: 'argument' });

export const valueNotFound = (at: Path, path: readonly (string | number | bigint)[]): FqlError =>
  raise(at, 'value not found', `Value not found at path [${path.join(',')}].`, { status: 404 });

/** @param what word of a native collection such as `Index`, or undefined for a user document. */
export const instanceNotFound = (at: Path, what?: NativeWord): FqlError =>
  raise(at, 'instance not found', (words) => `${called(what, words)} not found.`, { status: 404 });

export const setNotFound = (at: Path): FqlError => raise(at, 'instance not found', 'Set not found.', { status: 404 });

export const indexInactive = (at: Path, name: string): FqlError =>
  raise(at, 'instance not found', `Index '${name}' is not active.`);

export const alreadyExists = (at: Path, what?: NativeWord): FqlError =>
  raise(at, 'instance already exists', (words) => `${called(what, words)} already exists.`);

export const notUnique = (at: Path): FqlError =>
  raise(at, 'instance not unique', (words) => `${words.document} is not unique.`);

export const validationFailed = (at: Path, failures: readonly FieldFailure[]): FqlError =>
  raise(at, 'validation failed', (words) => `${words.document} data is not valid.`, { failures });

export type NativeWord =
  | 'Database'
  | 'Collection'
  | 'Index'
  | 'Key'
  | 'Token'
  | 'Function'
  | 'Role'
  | 'Credentials'
  | 'Access provider';

/** The older versions have other words for two of them. */
const called = (what: NativeWord | 'Document' = 'Document', words: Words): string => (what === 'Collection' || what === 'Document' ? words[what] : what);

// --- control, calls, identity ----------------------------------------------------------

export const transactionAborted = (at: Path, message: string): FqlError => raise(at, 'transaction aborted', message);

export const callError = (at: Path, cause: readonly Failure[]): FqlError =>
  raise(at, 'call error', 'Calling the function resulted in an error.', { cause });

export const stackOverflow = (at: Path): FqlError =>
  raise(at, 'stack overflow', 'Call stack reached the maximum limit of 200.');

export const permissionDenied = (at: Path): FqlError =>
  raise(at, 'permission denied', 'Insufficient privileges to perform the action.', { rank: 'permission', status: 403 });

export const missingIdentity = (at: Path): FqlError =>
  raise(at, 'missing identity', 'Authentication does not contain an identity');

export const invalidToken = (at: Path): FqlError => raise(at, 'invalid token', 'Token metadata is not accessible.');

export const forbiddenInContainer = (at: Path): FqlError =>
  raise(at, 'invalid object in container', 'Object is not allowed in a container');

// --- fields (`failures`) ---------------------------------------------------------------

export type Field = readonly (string | number)[];
export const field = (at: Field, code: string, description: Text): FieldFailure => ({ field: at, code, description });

export const fieldFailures = {
  required: (at: Field) => field(at, 'value required', 'Required value not found.'),
  type: (at: Field, actual: Value, expected: string) =>
    field(at, 'invalid type', `Invalid type ${storedTypeName(actual)}, expected type ${expected}.`),
  unreadableRef: (at: Field) => field(at, 'invalid reference', 'Cannot read reference.'),
  scopedRef: (at: Field) => field(at, 'invalid reference', 'Reference cannot be scoped.'),
} as const;

// --- protocol --------------------------------------------------------------------------

export const badRequest = (description: string): HttpError => new HttpError(400, 'bad request', description);
export const unauthorized = (): HttpError =>
  new HttpError(401, 'unauthorized', 'Unauthorized', { 'www-authenticate': 'Basic realm="Unauthorized"' });
export const notFound = (): HttpError => new HttpError(404, 'not found', 'Not Found');
export const methodNotAllowed = (allowed: readonly string[]): HttpError =>
  new HttpError(405, 'method not allowed', `Allowed methods are ${allowed.join(', ')}.`, { allow: allowed.join(', ') });
export const contendedTransaction = (): HttpError =>
  new HttpError(
    409,
    'contended transaction',
    'Transaction was aborted due to detection of concurrent modification.',
  );
export const tooLarge = (): HttpError => new HttpError(413, 'request too large', 'Request entity is too large');
export const timedOut = (): HttpError => new HttpError(503, 'time out', 'Read timed out');
export const partMissing = (): HttpError => new HttpError(503, 'unavailable', 'A part of the database that this request needs could not be loaded.');

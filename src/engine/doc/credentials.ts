// Passwords of documents. They are kept as salted hashes in a credentials document, one for
// each document (reference: data/documents.md §2, §5; data/auth.md §6). A part of its own,
// loaded when one is first set or tried.
import { isForeign, isForeignHashOf } from '../auth/secret.ts';
import { fromBase64, toBase64 } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { field } from '../errors/codes.ts';
import type { FieldFailure } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import type { Value } from '../value/value.ts';
import type { Preparation, Prepared } from './preparation.ts';
import { textFailures } from './text-failures.ts';

/** Rounds of PBKDF2. */
const ROUNDS = 100_000;

function hashPassword(password: string, { txn, platform }: EvalContext): MaybePromise<string> {
  const salt = txn.random.bytes(16);
  return andThen(platform.pbkdf2(platform.utf8.encode(password), salt, ROUNDS), (hash) => `${ROUNDS}:${toBase64(salt, 'url')}:${toBase64(hash, 'url')}`);
}

export function passwordMatches(hash: Value | undefined, password: Value | undefined, ctx: EvalContext): MaybePromise<boolean> {
  if (typeof hash !== 'string' || typeof password !== 'string') return false;
  if (isForeign(hash)) return isForeignHashOf(password, hash, ctx);
  const { platform } = ctx;
  const [rounds = '', salt = '', expected = ''] = hash.split(':');
  const saltBytes = fromBase64(salt);
  if (saltBytes === null || !/^[1-9]\d{0,6}$/.test(rounds)) return false;
  return andThen(platform.pbkdf2(platform.utf8.encode(password), saltBytes, Number(rounds)), (actual) => toBase64(actual, 'url') === expected);
}

const isFromServer = ({ caller: { rights } }: EvalContext): boolean => rights === 'server' || rights === 'server-readonly';

/** What is no text among the fields that count from this caller. @param path where the credentials stand */
export const passwordFailures = (sent: Value, ctx: EvalContext, path?: readonly string[]): FieldFailure[] =>
  textFailures(sent, ['password', isFromServer(ctx) ? 'hashed_password' : 'current_password'], path);

/**
 * A credentials document as it is stored: with the hash of a new password, or the one it had.
 * Only servers set a hash, and only they change a password without the old one.
 */
export function prepareCredentials({ fields, params, sent, base }: Preparation, ctx: EvalContext): MaybePromise<Prepared> {
  const isServer = isFromServer(ctx);
  const failures = passwordFailures(sent, ctx);
  if (failures.length > 0) return { fields, failures };
  const password = params.get('password');
  const kept = base?.get('hashed_password');
  if (typeof password !== 'string') {
    const given = isServer ? params.get('hashed_password') : kept;
    return { fields: given === undefined ? fields : fields.with('hashed_password', given), failures: [] };
  }
  const mayChange = isServer || kept === undefined || passwordMatches(kept, params.get('current_password'), ctx);
  return andThen(mayChange, (allowed) => {
    if (!allowed) return { fields, failures: [field(['current_password'], 'invalid password', 'Invalid password at `current_password`.')] };
    return andThen(hashPassword(password, ctx), (hash) => ({ fields: fields.with('hashed_password', hash), failures: [] }));
  });
}

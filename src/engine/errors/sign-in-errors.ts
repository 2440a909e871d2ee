// What is wrong with secrets and passwords that a query presents (reference: fql/errors.md §5).
import type { Path } from '../base/path.ts';
import { raise } from './codes.ts';
import type { FqlError } from './fql-error.ts';

export const noKeyFound = (at: Path, secret: string): FqlError =>
  raise(at, 'instance not found', `No key found for secret ${secret}.`);

export const authenticationFailed = (at: Path): FqlError =>
  raise(at, 'authentication failed', (words) => `The ${words.document} was not found or provided password was incorrect.`);

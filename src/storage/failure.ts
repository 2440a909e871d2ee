// What a browser's error means for us. Named errors of IndexedDB become a `StorageError`;
// anything else is a mistake of ours and passes as it is.
import { StorageError, type StorageErrorCode } from '../engine/kv/log-store.ts';

type Meaning = readonly [code: StorageErrorCode, message: string];

const LOST: Meaning = ['lost', 'the connection to the database was lost'];

/** By the name of the DOMException. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['QuotaExceededError', ['quota', 'there is no room left for more data']],
  ['VersionError', ['newer-format', 'the database was written by a newer version']],
  ['NotFoundError', ['corrupt', 'the database lacks an object store']],
  // A value kept in a file of its own, whose file is gone.
  ['NotReadableError', ['corrupt', 'a stored value cannot be read']],
  ['InvalidStateError', LOST],
  ['AbortError', LOST],
  // WebKit, when its storage process was stopped or the page slept; Chromium, when the disk fails.
  ['UnknownError', LOST],
  ['TimeoutError', LOST],
]);

/**
 * What browsers say while opening where there is no storage for this page at all: Firefox `InvalidStateError` in private
 * windows, before it kept an encrypted database for them; Chromium `UnknownError`, and why, where the user lets a site keep nothing.
 */
const NO_STORAGE = /^(?:Security|NotAllowed|InvalidState)Error|user denied/;

/** @param uncertain whether the failure came so late that a write may have taken effect */
export function failure(error: unknown, uncertain = false): unknown {
  return named(error, MEANINGS.get(nameOf(error)), uncertain);
}

export function openingFailure(error: unknown): unknown {
  return NO_STORAGE.test(String(error)) ? named(error, ['unavailable', 'this page may not store data'], false) : failure(error);
}

/** The error of a transaction that was aborted without a reason. */
export function interrupted(uncertain: boolean): StorageError {
  const [code, message] = LOST;
  return new StorageError(code, message, { uncertain });
}

/** An `add` found its key taken. */
export function isTaken(error: unknown): boolean {
  return nameOf(error) === 'ConstraintError';
}

/** A part of the program cannot be loaded: offline, if nothing has kept the site's files. */
export function partMissing(): never {
  throw new StorageError('unavailable', 'A part of the database could not be loaded.');
}

/** Whether a request failed only because its transaction was aborted. */
export function isAborted(error: unknown): boolean {
  return nameOf(error) === 'AbortError';
}

/** The same failure of a call whose earlier write may have taken effect. */
export function madeUncertain(error: unknown): unknown {
  return error instanceof StorageError ? new StorageError(error.code, error.message, { uncertain: true }) : error;
}

function named(error: unknown, meaning: Meaning | undefined, uncertain: boolean): unknown {
  if (meaning === undefined) return error;
  const [code, message] = meaning;
  const detail = error instanceof DOMException && error.message !== '' ? `${message} (${error.message})` : message;
  return new StorageError(code, detail, { uncertain: uncertain && code === 'lost' });
}

function nameOf(error: unknown): string {
  return error instanceof DOMException ? error.name : '';
}

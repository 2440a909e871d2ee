// What is wrong with the format that a value is put into (reference: fql/errors.md §5).
import type { Path } from '../base/path.ts';
import { invalidArgument } from './codes.ts';
import type { FqlError } from './fql-error.ts';

export const invalidConversion = (at: Path, specifier: string): FqlError =>
  invalidArgument(at, `Invalid conversion format '${specifier}'.`);

export const invalidDateSuffix = (at: Path, specifier: string): FqlError =>
  invalidArgument(at, `Invalid date/time suffix '${specifier}'.`);

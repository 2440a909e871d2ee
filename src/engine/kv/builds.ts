// Which indexes are being built, and how far that is. The log says when a build begins and
// when it is through; in between, the manifest keeps how much of the history is taken in.
import type { Key } from '../base/bytes.ts';
import type { Ts } from '../base/platform.ts';
import type { Scope } from '../value/ref.ts';
import { readBuildKey, VERSIONS_BEGIN, VERSIONS_END } from './keyspace.ts';
import type { Row } from './rows.ts';

export interface Build {
  readonly scope: Scope;
  readonly index: bigint;
  /** The commit that made the index: what was written later has put in its entries itself. */
  readonly commit: Ts;
  /** Rows of V below this key are still to be taken in; it goes down from the last one. */
  readonly left: Key;
  /** Versions taken in. */
  readonly versions: number;
}

/** What a note of the log says. */
export const TO_BUILD = 'c';
export const BUILT = 'd';

export const isSame = (a: Pick<Build, 'scope' | 'index'>, b: Pick<Build, 'scope' | 'index'>): boolean =>
  a.scope === b.scope && a.index === b.index;

/** Whether nothing is left to take in. */
export const isThrough = ({ left }: Build): boolean => left <= VERSIONS_BEGIN;

/** The builds there are after a note about one of them, as a row of a commit. */
export function buildsAfter(builds: readonly Build[], row: Row, commit: Ts): readonly Build[] {
  const named = readBuildKey(row.key);
  if (row.text === BUILT) return builds.filter((build) => !isSame(build, named));
  // The manifest may know of it already, and how far it is.
  return builds.some((build) => isSame(build, named)) ? builds : [...builds, { ...named, commit, left: VERSIONS_END, versions: 0 }];
}

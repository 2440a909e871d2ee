import type { Path } from '../base/path.ts';
import type { Catalog } from '../schema/catalog.ts';
import type { Failure } from '../errors/fql-error.ts';
import type { Ref, Scope } from '../value/ref.ts';
import type { Lambda, Value } from '../value/value.ts';
import type { Wire } from '../wire/version.ts';

/** Those that a `let` or a lambda binds, and those in reach around it. */
export interface Variables {
  readonly own: ReadonlySet<string>;
  readonly outer: Variables | null;
}

export function isBound(name: string, variables: Variables | null): boolean {
  for (let scope = variables; scope !== null; scope = scope.outer) if (scope.own.has(name)) return true;
  return false;
}

/** What the parser knows: names, the API version, who asks, and the variables in reach. */
export interface ParseContext {
  readonly catalog: Catalog;
  readonly wire: Wire;
  readonly variables: Variables | null;
  /** Undefined variables met so far; reported together when nothing else is wrong. */
  readonly undefined: Failure[];
  /** Names used freely since the innermost lambda began; those it does not bind are its captures. */
  readonly used: Set<string>;
  /** Makes a lambda of its text, whose body must be sound and closed, and do no more than it may. @throws FqlError `invalid expression` */
  lambda(params: Value, source: Value, version: string, at: Path, limit?: 'pure' | 'read'): Lambda;
  /** What `self` means in a ref to this collection, if anything. */
  selfRef(collection: number): Ref | null;
  /** Names of the databases from the request's own to the one names are looked up in. */
  readonly within: readonly string[];
  /** The context for names in another database, which is reached by those names. @throws NeedsDatabase */
  inDatabase(scope: Scope, names: readonly string[]): ParseContext;
}

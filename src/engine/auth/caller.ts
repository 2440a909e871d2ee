import type { Ts } from '../base/platform.ts';
import type { Obj } from '../value/obj.ts';
import type { Ref, Scope } from '../value/ref.ts';

/** Built-in roles, strongest first (reference: data/auth.md §5). */
const BUILT_IN_ROLES = ['admin', 'server', 'server-readonly', 'client'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

export function isBuiltInRole(text: unknown): text is BuiltInRole {
  return BUILT_IN_ROLES.some((role) => role === text);
}

/** Whether a database is another one or lies within it, by the names on the way to each. */
export const isWithin = (path: readonly string[], above: readonly string[]): boolean => above.every((name, index) => path[index] === name);

/** Who asks, in which database, with which rights. */
export interface Caller {
  readonly scope: Scope;
  /** Names of the databases from the root to that one. */
  readonly path: readonly string[];
  /** A built-in role, or the user roles that grant what they grant; predicates of roles judge with rights of their own. */
  readonly rights: BuiltInRole | 'judge' | readonly Ref[];
  /** The document a token or a `@doc` scope stands for. */
  readonly identity: Ref | null;
  /** Whether the rights are those of a function that runs for somebody, and not those of the identity. */
  readonly borrows?: true;
  /** The key or token document; `null` for the root secret and for web tokens. */
  readonly credential: Ref | null;
  /** Whether the rights are those of a scope behind the secret. */
  readonly narrowed?: true;
  /** What a web token says. */
  readonly payload?: Obj;
  /** When it expires. */
  readonly until?: Ts;
  /** The credentials of the identity, if it has any. */
  readonly credentials?: Ref;
}

/** Whether it is the root secret that asks, and for itself. */
export const isRoot = ({ credential, narrowed, payload }: Caller): boolean => credential === null && narrowed === undefined && payload === undefined;

/** The document whose own rights count. */
export const subjectOf = ({ identity, borrows }: Caller): Ref | null => (borrows === true ? null : identity);

// What the built-in roles may do, as tables (reference: data/auth.md §5).
import { NATIVE } from '../value/ref.ts';
import type { BuiltInRole } from './caller.ts';

/** What can be done to something; the names of the actions of a privilege. */
export type Act =
  | 'read'
  | 'unrestricted_read'
  | 'history_read'
  | 'create'
  | 'create_with_id'
  | 'write'
  | 'delete'
  | 'history_write'
  | 'call';

/** Collections that only an administrator sees and changes. */
const ADMINISTRATION: ReadonlySet<number> = new Set([
  NATIVE.databases,
  NATIVE.keys,
  NATIVE.roles,
  NATIVE.access_providers,
]);

interface Rights {
  readonly administers: boolean;
  readonly writes: boolean;
  readonly calls: boolean;
  readonly reads: boolean;
  readonly remembers: boolean;
}

const RIGHTS: Readonly<Record<BuiltInRole | 'judge', Rights>> = {
  admin: { administers: true, reads: true, remembers: true, writes: true, calls: true },
  server: { administers: false, reads: true, remembers: true, writes: true, calls: true },
  'server-readonly': { administers: false, reads: true, remembers: true, writes: false, calls: false },
  client: { administers: false, reads: false, remembers: false, writes: false, calls: false },
  judge: { administers: false, reads: true, remembers: false, writes: false, calls: true },
};

/** Where a thing lives, seen from the caller's database. Nobody reaches what is elsewhere. */
export type Reach = 'own' | 'below' | 'elsewhere';

/** Whether documents of the collection are for administrators alone. */
export const isAdministration = (collection: number): boolean => ADMINISTRATION.has(collection);

/** Which of its rights a role needs to do something. */
const NEEDED: Readonly<Record<Act, Exclude<keyof Rights, 'administers'>>> = {
  read: 'reads',
  unrestricted_read: 'reads',
  history_read: 'remembers',
  create: 'writes',
  create_with_id: 'writes',
  write: 'writes',
  delete: 'writes',
  history_write: 'writes',
  call: 'calls',
};

/** Nothing is written from a database above, and no predicate is left to the functions of one below. */
export function builtInAllows(role: BuiltInRole | 'judge', act: Act, collection: number, reach: Reach): boolean {
  const rights = RIGHTS[role];
  if (reach === 'elsewhere' || (!rights.administers && isAdministration(collection))) return false;
  const needed = NEEDED[act];
  return rights[needed] && (reach === 'own' || (needed !== 'writes' && (needed !== 'calls' || role !== 'judge')));
}

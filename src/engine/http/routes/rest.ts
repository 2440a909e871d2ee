// The old REST paths, as addresses (reference: fql/wire.md §5.4). What stands at them is a module
// of its own, loaded when one is first asked for.
import { notFound } from '../../errors/codes.ts';

const NATIVE = ['classes', 'collections', 'databases', 'indexes', 'keys', 'tokens', 'credentials', 'functions', 'roles', 'access_providers'];
const REF = `/(${NATIVE.join('|')})(?:/([^/]+)(?:/([^/]+))?)?`;
const TARGET = new RegExp(`^${REF}$`);

/** What a path leads to. */
export interface RestTarget {
  /** The path as a legacy ref. */
  readonly ref: string;
  readonly isNative: boolean;
  readonly events: boolean;
}

/** `null` when the path is none of the old ones. */
export function restTarget(path: string): RestTarget | null {
  const plain = path.replace(/\/$/, '');
  const events = plain.endsWith('/events');
  const match = TARGET.exec(events ? plain.slice(0, -'/events'.length) : plain);
  if (match === null) return null;
  const parts = match.slice(1, 4).filter((part) => part !== undefined).map(decode);
  return { ref: parts.join('/'), isNative: parts.length === 1, events };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound();
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Methods a target answers to. */
export const restMethods = ({ isNative, events }: RestTarget): readonly string[] => METHODS.slice(0, events ? 1 : isNative ? 2 : undefined);

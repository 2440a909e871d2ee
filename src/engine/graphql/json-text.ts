// The body of an answer as JSON text. The platform's writer cannot write integers beyond the
// exact doubles, and the time of a commit is known only when everything else is.
import type { Ts } from '../base/platform.ts';
import { PendingTs } from '../value/value.ts';

/** @param commit shown where the time of the running transaction was asked for; `null` when nothing was written. */
export function jsonText(value: unknown, commit: Ts | null): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof PendingTs) return commit === null ? 'null' : String(commit);
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, commit)).join(',')}]`;
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item, commit)}`).join(',')}}`;
}

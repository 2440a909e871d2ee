// Cursors of events as clients send and see them, and the places they stand for (reference:
// data/sets.md §7).
import { afterPrefix } from '../base/bytes.ts';
import type { Path } from '../base/path.ts';
import { invalidArgument, wrongType } from '../errors/codes.ts';
import { allOf } from '../errors/fql-error.ts';
import { typeName } from '../errors/type-name.ts';
import { integer, ref, undefinedRef } from '../form/casts.ts';
import { PENDING, tsKey } from '../kv/keyspace.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { meantKey } from '../txn/moment.ts';
import { Action, ACTIONS, type ActionName, DocEvent, isArray, Obj, PendingTs, Ref, UnresolvedRef, type Value } from '../value/value.ts';
import { instantOf } from './position.ts';
import type { Shape } from './shape.ts';
import { around, KEY_END, type Position } from './window.ts';

/** The keys that a cursor may be sent with, in alphabetical order. */
const KEYS = /^(?:action,(?:(?:data,)?(?:document|instance|resource),)?)?ts$|^action,resource,ts,values$/;

const REF_KEYS: ReadonlySet<string> = new Set(['resource', 'instance', 'document']);

/** An event cursor as it was sent: an instant, or part of an event. */
export interface EventCursor {
  readonly position: Position;
  /** How the page shows it again. */
  readonly shown: Value;
}

/**
 * @param shape of the event set
 * @param inclusive whether `{ts}` alone lies before everything of its instant (a document's
 *   history, and API 2.0) or behind the adds of a set
 */
export function eventCursor(cursor: Value, shape: Shape, inclusive: boolean, at: Path): EventCursor {
  const partial = (ts: number, action: ActionName | null, ref: Ref | null, data: Value | undefined): EventCursor =>
    partialEvent(ts, action, ref, data, shape, inclusive);
  const instant = instantOf(cursor);
  if (instant !== null) return { position: { low: tsKey(instant), high: tsKey(instant) }, shown: new DocEvent('cursor', instant, 'create', null, undefined) };
  if (cursor === null) return { position: { low: KEY_END, high: KEY_END }, shown: null };
  if (cursor instanceof DocEvent) return partial(cursor.ts instanceof PendingTs ? PENDING : cursor.ts, cursor.action, cursor.ref, cursor.data);
  if (cursor instanceof UnresolvedRef) throw undefinedRef(cursor, at);
  if (!(cursor instanceof Obj)) throw wrongType(at, ['Object', 'Integer', 'Time', 'Date'], typeName(cursor));
  if (!KEYS.test(cursor.keys.toSorted().join(',')) || cursor.keys.some((key) => key.includes(','))) {
    throw invalidArgument(at, `Cannot create event cursor with keys ${cursor.keys.join(', ')}`);
  }
  const named = cursor.keys.find((key) => REF_KEYS.has(key));
  const [ts, document, action] = allOf(
    () => integer.read(cursor.get('ts') ?? null, at.at('ts')),
    () => (named === undefined ? null : ref.read(cursor.get(named) ?? null, at.at(named))),
    () => actionOf(cursor.get('action'), at.at('action')),
  );
  return partial(Number(ts), action, document, cursor.get('data') ?? cursor.get('values'));
}

function partialEvent(ts: number, action: ActionName | null, ref: Ref | null, data: Value | undefined, shape: Shape, inclusive: boolean): EventCursor {
  const shown = new DocEvent('cursor', ts, action ?? 'create', ref, data);
  const moment = tsKey(ts) + meantKey(action ?? 'add', shape.events ?? 'index');
  if (ref !== null) {
    const values = isArray(data ?? null) ? tupleKey(data as readonly Value[], shape.descending, shape.collation) : '';
    return { position: around(moment + refKey(ref) + values), shown };
  }
  // No set has creates: with this action an instant alone is shown, and sent back.
  const isInstant = action === null ? inclusive : action === 'create' && shape.events !== 'document';
  if (isInstant) return { position: around(tsKey(ts)), shown };
  if (inclusive) return { position: around(moment), shown };
  const behind = afterPrefix(moment);
  return { position: { low: behind, high: behind }, shown };
}

function actionOf(action: Value | undefined, at: Path): ActionName | null {
  if (action === undefined) return null;
  const name = action instanceof Action ? action.name : action;
  const known = ACTIONS.find((candidate) => candidate === name);
  if (known === undefined) throw invalidArgument(at, `String 'create', 'update', or 'delete' expected, ${typeName(action)} provided.`);
  return known;
}

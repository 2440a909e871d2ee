// Cursors of events as clients send and see them, and the places they stand for (reference:
// data/sets.md §7).
import { afterPrefix, type Key } from '../base/bytes.ts';
import type { Path } from '../base/path.ts';
import type { Ts } from '../base/platform.ts';
import { invalidArgument, wrongType } from '../errors/codes.ts';
import { allOf } from '../errors/fql-error.ts';
import { typeName } from '../errors/type-name.ts';
import { integer, ref, undefinedRef } from '../form/casts.ts';
import { PENDING, tsKey } from '../kv/keyspace.ts';
import { refKey, tupleKey } from '../order/order-key.ts';
import { actionKey, type EventOrder } from '../txn/moment.ts';
import { MAX_LONG } from '../value/long.ts';
import { bounded } from '../value/parts.ts';
import { Action, ACTIONS, type ActionName, DocEvent, isArray, Obj, PendingTs, Ref, Time, UnresolvedRef, type Value } from '../value/value.ts';
import { instantOf } from './position.ts';
import type { Shape } from './shape.ts';
import { around, KEY_END, type Position } from './window.ts';

/** The keys that a cursor may be sent with, in alphabetical order. */
const KEYS = /^(?:action,(?:(?:data,)?(?:document|instance),|resource,)?)?ts$|^action,resource,ts,values$/;
/** And those that only version 2.0 shows and takes (brief §4.2). */
const OLD_KEYS = 'action,data,resource,ts';
/** How a cursor is shown that names no document. */
const bare = (ts: bigint, action: ActionName): Value => Obj.of(['ts', ts], ['action', action]);

const REF_KEYS: ReadonlySet<string> = new Set(['resource', 'instance', 'document']);

/** An event cursor as it was sent: an instant, or part of an event. */
export interface EventCursor {
  readonly position: Position;
  /** How the page shows it again. */
  readonly shown: Value;
}

/**
 * @param shape of the event set
 * @param old whether the request is of version 2.0
 */
export function eventCursor(cursor: Value, shape: Shape, old: boolean, at: Path): EventCursor {
  const usual = old ? 'create' : 'add';
  const instant = instantOf(cursor);
  if (instant !== null) {
    // A Long or a time may lie beyond what a number holds exactly.
    const micros = typeof cursor === 'bigint' ? cursor : cursor instanceof Time ? cursor.micros : BigInt(instant);
    return { position: { low: tsKey(instant), high: tsKey(instant) }, shown: bare(micros, usual) };
  }
  if (cursor === null) return { position: { low: KEY_END, high: KEY_END }, shown: old ? null : bare(MAX_LONG, usual) };
  if (cursor instanceof DocEvent) {
    const { action, ref, data } = cursor;
    const ts = cursor.ts instanceof PendingTs ? PENDING : cursor.ts;
    return { position: placeOf({ ts, action, ref, data }, shape, old), shown: new DocEvent('cursor', ts, action, ref, data) };
  }
  if (cursor instanceof UnresolvedRef) throw undefinedRef(cursor, at);
  if (!(cursor instanceof Obj)) throw wrongType(at, ['Object', 'Integer', 'Time', 'Date'], typeName(cursor));
  const keys = cursor.keys.toSorted().join(',');
  if (!(KEYS.test(keys) || (old && keys === OLD_KEYS)) || cursor.keys.some((key) => key.includes(','))) {
    throw invalidArgument(at, `Cannot create event cursor with keys ${cursor.keys.join(', ')}`);
  }
  const named = cursor.keys.find((key) => REF_KEYS.has(key));
  const [micros, document, action] = allOf(
    () => integer.read(cursor.get('ts') ?? null, at.at('ts')),
    () => (named === undefined ? null : ref.read(cursor.get(named) ?? null, at.at(named))),
    () => actionOf(cursor.get('action'), at.at('action')),
  );
  const ts = Number(micros);
  const data = cursor.get('data') ?? cursor.get('values');
  const written = action ?? usual;
  const echo = old || shape.events === 'mixed' ? written : (IN_SETS[written] ?? written);
  const shown = document === null ? bare(micros, echo) : new DocEvent('cursor', ts, echo, document, data);
  return { position: placeOf({ ts, action, ref: document, data }, shape, old), shown };
}

/** How actions of cursors that were written out are shown from version 2.1 on. Sets that may hold documents' own events tell them apart. */
const IN_SETS: Meanings = { create: 'add', delete: 'remove' };

type Meanings = Readonly<Partial<Record<ActionName, ActionName>>>;

/**
 * Which action a cursor means by a name that its set has no events of: sets only know `add` and `remove`,
 * as did version 2.0 for everything.
 */
const MEANT_IN_SETS: Meanings = { ...IN_SETS, update: 'add' };
const MEANINGS: Readonly<Record<EventOrder, Meanings>> = {
  index: MEANT_IN_SETS,
  merged: MEANT_IN_SETS,
  mixed: {},
  document: { add: 'create', remove: 'delete' },
};

/** Where the action of a cursor stands. */
const meantKey = (action: ActionName, order: EventOrder): Key => actionKey(MEANINGS[order][action] ?? action, order);

/** An event, as far as a cursor says what it is. */
interface Named {
  readonly ts: Ts;
  readonly action: ActionName | null;
  readonly ref: Ref | null;
  readonly data: Value | undefined;
}

function placeOf({ ts, action, ref, data }: Named, shape: Shape, old: boolean): Position {
  const moment = tsKey(ts) + meantKey(action ?? 'add', shape.events ?? 'index');
  if (ref !== null) {
    const values = isArray(data ?? null) ? tupleKey(bounded(data as readonly Value[]), shape.descending, shape.collation) : '';
    return around(moment + refKey(ref) + values);
  }
  // Behind the adds of a set, unless `ts` alone lies before everything of its instant.
  if (!old && shape.events !== 'document') {
    const behind = afterPrefix(moment);
    return { low: behind, high: behind };
  }
  // No set has creates: with this action 2.0 shows an instant alone.
  const isInstant = action === null || (action === 'create' && shape.events !== 'document');
  return around(isInstant ? tsKey(ts) : moment);
}

function actionOf(action: Value | undefined, at: Path): ActionName | null {
  if (action === undefined) return null;
  const name = action instanceof Action ? action.name : action;
  const known = ACTIONS.find((candidate) => candidate === name);
  if (known === undefined) throw wrongType(at, ["String 'create', 'update', or 'delete'"], typeName(action));
  return known;
}

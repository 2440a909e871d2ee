// A set as the source of a stream: what enters it and what leaves it. The events of a stream are the
// rows of the set's events, in the order of their keys. Where history was rewritten, it is an event if
// something is in the set now that was not, or the other way round.
import { byKey, type Key, prefixSpan } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { isAdministration } from '../auth/rules.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { collectionEventPrefix, documentPrefix, indexEventPrefix, indexPrefix, PENDING, REF_BYTES } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { termKey } from '../order/term-key.ts';
import { earliestTime } from '../schema/retention.ts';
import type { MatchSet } from '../set/ops/match.ts';
import { countingRows, View } from '../txn/current.ts';
import { readEntry } from '../txn/entry-row.ts';
import { COMMIT_BYTES, readAction, readTime } from '../txn/events.ts';
import { MOMENT_BYTES, readRef } from '../txn/moment.ts';
import { liveFields, readVersion } from '../txn/version.ts';
import { collectionRefOf } from '../value/ref.ts';
import { Action, type ActionName, Doc, Obj, type Ref, UnresolvedRef, type Value } from '../value/value.ts';
import type { Source, StreamEvent } from './event.ts';

/** In what the kinds of sets differ. */
interface Kind {
  readonly scope: bigint;
  /** Of the rows of its events. */
  readonly prefix: Key;
  readonly index: { readonly ref: Value; readonly terms: readonly Value[] };
  earliest(ctx: EvalContext): Ts;
  /** Of the rows that say whether an entry is in it. @param place the event's ref and values, as bytes */
  entryPrefix(place: Key, ref: Ref): Key;
  /** The values of the entry, when such a row says that it is in the set; `null` when not. */
  valuesIn(row: Row, now: Ts): readonly Value[] | null;
  mayRead(ref: Ref, ctx: EvalContext): MaybePromise<boolean>;
}

export function matchSource(set: MatchSet): Source {
  const { index, terms } = set;
  const key = termKey(terms);
  const entries = indexPrefix(index.scope, index.id) + key;
  const source = setSource({
    scope: index.scope,
    prefix: indexEventPrefix(index.scope, index.id) + key,
    index: { ref: index, terms },
    earliest: (ctx) => set.earliest(ctx),
    entryPrefix: (place) => entries + place.slice(REF_BYTES) + place.slice(0, REF_BYTES),
    valuesIn(row, now) {
      const { added, values, ttl } = readEntry(row);
      return added && (ttl === null || ttl > now) ? values : null;
    },
    mayRead: (ref, ctx) =>
      andThen(allows(ctx, 'unrestricted_read', index, [terms]), (free) => {
        if (free && !isAdministration(ref.collection)) return true;
        return andThen(free || allows(ctx, 'read', index, [terms]), (mayMatch) => mayMatch && allows(ctx, 'read', ref));
      }),
  });
  // It may go in the very transaction that changes what is in it.
  const isThere = (ctx: EvalContext): boolean => ctx.catalogOf(index.scope).index(index) !== null;
  return {
    ...source,
    earliest: (ctx) => (isThere(ctx) ? source.earliest(ctx) : -Infinity),
    events: (happening, ctx) => (isThere(ctx) ? source.events(happening, ctx) : []),
  };
}

/** All documents of a collection. */
export function documentsSource(number: number, scope: bigint): Source {
  return setSource({
    scope,
    prefix: collectionEventPrefix(scope, number),
    index: { ref: new UnresolvedRef('index', 'documents_by_collection'), terms: [collectionRefOf({ collection: number, scope })] },
    earliest: (ctx) => earliestTime(number, ctx.catalogOf(scope), ctx.txn.now),
    entryPrefix: (_, { collection, id }) => documentPrefix(scope, collection, id),
    valuesIn: (row, now) => liveFields(readVersion(row), now) && [],
    mayRead: (ref, ctx) => andThen(allows(ctx, 'unrestricted_read', ref, [null]), (free) => free || allows(ctx, 'read', ref)),
  });
}

function setSource(kind: Kind): Source {
  const { prefix, scope } = kind;

  const read = (row: Row) => {
    const key = row.key.slice(prefix.length, -COMMIT_BYTES);
    const place = key.slice(MOMENT_BYTES);
    return { row, place, time: readTime(key), action: readAction(key), ref: readRef(key, MOMENT_BYTES, scope) };
  };
  type Change = ReturnType<typeof read>;

  const eventOf = (action: ActionName, { ref, time }: Change, values: readonly Value[]): StreamEvent => ({
    type: 'set',
    fields: {
      action: new Action(action),
      document: new Doc(ref, time, Obj.empty),
      index: Obj.of(['ref', kind.index.ref], ['terms', kind.index.terms], ['values', values]),
    },
  });

  const valuesAt = ({ place, ref }: Change, snapshot: Ts, ctx: EvalContext): MaybePromise<readonly Value[] | null> => {
    const rows = ctx.txn.rows(prefixSpan(kind.entryPrefix(place, ref)));
    return andThen(countingRows(rows, new View(PENDING, snapshot)).next(), (row) => (row === null ? null : kind.valuesIn(row, snapshot)));
  };

  const rewritten = (change: Change, ts: Ts, ctx: EvalContext): MaybePromise<StreamEvent[]> =>
    andThen(valuesAt(change, ts - 1, ctx), (before) =>
      andThen(valuesAt(change, ts, ctx), (after) => {
        if ((before === null) === (after === null)) return [];
        return [after === null ? eventOf('remove', change, before ?? []) : eventOf('add', change, after)];
      }),
    );

  return {
    span: prefixSpan(prefix),
    earliest: (ctx) => kind.earliest(ctx),
    events({ ts, rows }, ctx) {
      const changes = rows.toSorted(byKey).map(read);
      const settled = new Set(changes.filter(({ time }) => time === ts).map(({ place }) => place));
      const events = mapEach(changes, (change): MaybePromise<StreamEvent[]> => {
        if (!ctx.catalogOf(scope).hasCollection(change.ref.collection)) return [];
        return andThen(kind.mayRead(change.ref, ctx), (allowed) => {
          if (!allowed) return [];
          if (change.time === ts) return [eventOf(change.action, change, readEntry(change.row).values)];
          if (settled.has(change.place)) return [];
          settled.add(change.place);
          return rewritten(change, ts, ctx);
        });
      });
      return andThen(events, (all) => all.flat());
    },
  };
}

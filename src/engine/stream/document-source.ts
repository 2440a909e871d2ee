// A document as the source of a stream: each version that is written, now or into the past.
import { afterPrefix, byKey, prefixSpan } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { stateOf } from '../doc/stage.ts';
import type { EvalContext } from '../form/context.ts';
import { allows } from '../form/permission.ts';
import { documentPrefix, downTs } from '../kv/keyspace.ts';
import type { Row } from '../kv/rows.ts';
import { earliestTime } from '../schema/retention.ts';
import { diffData } from '../set/diff.ts';
import { countingRows, timeOf, View } from '../txn/current.ts';
import { versionAfter } from '../txn/events.ts';
import { readVersion, REMOVED, type Version } from '../txn/version.ts';
import { same } from '../value/equal.ts';
import { Action, Doc, Obj, type PendingTs, type Ref } from '../value/value.ts';
import type { Source, StreamEvent } from './event.ts';

/** @param ref of a user's document: it has no fields that nobody sees */
export function documentSource(ref: Ref): Source {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
  const state = (at: Ts | PendingTs, content: Obj = Obj.empty): Doc => new Doc(ref, at, content);
  return {
    span: prefixSpan(prefix),
    earliest: (ctx) => earliestTime(ref.collection, ctx.catalogOf(ref.scope), ctx.txn.now),
    events({ ts, rows }, ctx) {
      if (!ctx.catalogOf(ref.scope).hasCollection(ref.collection)) return [];
      const newestFirst = rows.toSorted(byKey);
      const times = new Set(newestFirst.map(timeOf));
      const events = mapEach(newestFirst, (row) => eventsOf(row, ts, times, ctx));
      return andThen(events, (all) => permitted(all.flat(), ref, ctx));
    },
  };

  /** @param times of all versions that the transaction wrote, or that are told again already: each gives its own events once */
  function eventsOf(row: Row, ts: Ts, times: Set<Ts>, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    const time = timeOf(row);
    if (time === ts) return versionEvents('version', readVersion(row), ctx);
    const parts = [
      () => removalEvents(time, ts, ctx),
      () => followerEvents(time, ts, times, ctx),
      () => (row.text === REMOVED ? [] : versionEvents('history_rewrite', readVersion(row), ctx)),
    ];
    return andThen(mapEach(parts, (part) => part()), (all) => all.flat());
  }

  /** A version put into the past or taken out of it is the past of the next one, which is told again if it has another past now. */
  function followerEvents(time: Ts, ts: Ts, times: Set<Ts>, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    return andThen(versionAfter(prefix, time, ctx.txn), (next) => {
      if (next === null || times.has(next.time)) return [];
      times.add(next.time);
      return andThen(mapEach([ts - 1, ts], (seen) => versionAt(next.time - 1, seen, ctx)), ([was, is]) =>
        same(was?.fields ?? null, is?.fields ?? null) ? [] : versionEvents('history_rewrite', next, ctx),
      );
    });
  }

  function versionEvents(type: StreamEvent['type'], { time, fields }: Version, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    return andThen(ctx.txn.version(ref, time - 1), (version) => {
      const before = stateOf(version, time);
      const was = before.fields === null ? state(time) : state(before.ts, before.fields);
      const document = fields === null ? was : state(time, fields);
      const changed = diffData(was.fields, document.fields);
      const action = new Action(fields === null ? 'delete' : before.fields === null ? 'create' : 'update');
      return [{ type, fields: { action, document, diff: state(time, changed instanceof Obj ? changed : Obj.empty), prev: was } }];
    });
  }

  /** Of a version that was there until the transaction; it shows no more than when that was. */
  function removalEvents(time: Ts, ts: Ts, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    return andThen(versionAt(time, ts - 1, ctx), (was) => {
      if (was?.time !== time) return [];
      const action = new Action(was.fields === null ? 'delete' : 'create');
      return [{ type: 'history_rewrite', fields: { action, document: state(time) } }];
    });
  }

  /** The version that counts at a time. @param seen the last commit that it may be of */
  function versionAt(time: Ts, seen: Ts, ctx: EvalContext): MaybePromise<Version | null> {
    const rows = ctx.txn.rows({ from: prefix + downTs(time), to: afterPrefix(prefix) });
    return andThen(countingRows(rows, new View(time, seen)).next(), (row) => row && readVersion(row));
  }
}

function permitted(events: readonly StreamEvent[], ref: Ref, ctx: EvalContext): MaybePromise<StreamEvent[]> {
  const checked = mapEach(events, (event) =>
    andThen(allows(ctx, event.type === 'version' ? 'read' : 'history_read', ref), (allowed) => (allowed ? [event] : [])),
  );
  return andThen(checked, (all) => all.flat());
}

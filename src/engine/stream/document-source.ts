// A document as the source of a stream: each version that is written, now or into the past.
import { afterPrefix, byKey, prefixSpan } from '../base/bytes.ts';
import { andThen, mapEach, type MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import { shown } from '../doc/read.ts';
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
import { Action, Doc, Obj, type PendingTs, type Ref } from '../value/value.ts';
import type { Source, StreamEvent } from './event.ts';

export function documentSource(ref: Ref): Source {
  const prefix = documentPrefix(ref.scope, ref.collection, ref.id);
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

  /** @param times of all versions that the transaction wrote: each gives its own events */
  function eventsOf(row: Row, ts: Ts, times: ReadonlySet<Ts>, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    const time = timeOf(row);
    if (time === ts) return mapEach([readVersion(row)], (version) => versionEvent('version', version, ctx));
    const follower = andThen(versionAfter(prefix, time, ctx.txn), (next) => (next === null || times.has(next.time) ? [] : [next]));
    // A version put into the past or taken out of it is the past of the next one, which is told again.
    return andThen(follower, (next) =>
      andThen(mapEach(next, (version) => versionEvent('history_rewrite', version, ctx)), (retold) => {
        if (row.text === REMOVED) return andThen(removalEvent(time, ts, ctx), (removed) => [...removed, ...retold]);
        return andThen(versionEvent('history_rewrite', readVersion(row), ctx), (inserted) => [...retold, inserted]);
      }),
    );
  }

  function versionEvent(type: StreamEvent['type'], { time, fields }: Version, ctx: EvalContext): MaybePromise<StreamEvent> {
    const state = (at: Ts | PendingTs, content: Obj = Obj.empty): Doc => shown(new Doc(ref, at, content));
    return andThen(ctx.txn.version(ref, time - 1), (version) => {
      const before = stateOf(version, time);
      const was = before.fields === null ? state(time) : state(before.ts, before.fields);
      if (fields === null) return { type, fields: { action: new Action('delete'), document: was, diff: state(time), prev: was } };
      const document = state(time, fields);
      if (before.fields === null) return { type, fields: { action: new Action('create'), document, diff: document, prev: was } };
      const changed = diffData(was.fields, document.fields);
      return { type, fields: { action: new Action('update'), document, diff: state(time, changed instanceof Obj ? changed : Obj.empty), prev: was } };
    });
  }

  /** Of a version that was there until the transaction; it shows no more than when that was. */
  function removalEvent(time: Ts, ts: Ts, ctx: EvalContext): MaybePromise<StreamEvent[]> {
    const rows = ctx.txn.rows({ from: prefix + downTs(time), to: afterPrefix(prefix) });
    return andThen(countingRows(rows, new View(time, ts - 1)).next(), (row) => {
      if (row === null || timeOf(row) !== time) return [];
      const action = new Action(readVersion(row).fields === null ? 'delete' : 'create');
      return [{ type: 'history_rewrite', fields: { action, document: new Doc(ref, time, Obj.empty) } }];
    });
  }
}

function permitted(events: readonly StreamEvent[], ref: Ref, ctx: EvalContext): MaybePromise<StreamEvent[]> {
  const checked = mapEach(events, (event) =>
    andThen(allows(ctx, event.type === 'version' ? 'read' : 'history_read', ref), (allowed) => (allowed ? [event] : [])),
  );
  return andThen(checked, (all) => all.flat());
}

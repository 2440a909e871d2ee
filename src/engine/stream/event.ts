// Events of a stream and what a stream is of (reference: data/history.md §8, §9).
import type { Span } from '../base/bytes.ts';
import type { MaybePromise } from '../base/maybe.ts';
import type { Ts } from '../base/platform.ts';
import type { EvalContext } from '../form/context.ts';
import type { Row } from '../kv/rows.ts';
import { Obj, type Value } from '../value/value.ts';

/** The fields that an event can show, in their order. */
export const EVENT_FIELDS = ['action', 'document', 'diff', 'prev', 'index'] as const;
export type EventField = (typeof EVENT_FIELDS)[number];

export interface StreamEvent {
  readonly type: 'version' | 'history_rewrite' | 'set';
  readonly fields: Readonly<Partial<Record<EventField, Value>>>;
}

/** What one transaction did to a source: the rows that it wrote within the source's span. */
export interface Happening {
  readonly ts: Ts;
  readonly rows: readonly Row[];
}

export interface Source {
  /** Where its rows lie. */
  readonly span: Span;
  /** Since when its history is kept. */
  earliest(ctx: EvalContext): Ts;
  /** What happened, as far as the caller may see it. @param ctx a session at the time of the transaction */
  events(happening: Happening, ctx: EvalContext): MaybePromise<readonly StreamEvent[]>;
}

export const message = (type: string, txn: Ts, event: Value): Obj => Obj.of(['type', type], ['txn', BigInt(txn)], ['event', event]);

/** An event as it is sent. @param asked which of its fields are to be shown, in their order */
export const eventMessage = ({ type, fields }: StreamEvent, txn: Ts, asked: readonly EventField[]): Obj =>
  message(type, txn, Obj.from(Object.fromEntries(asked.map((field) => [field, fields[field]]))));

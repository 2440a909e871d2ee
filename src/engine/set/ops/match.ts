import type { Key } from '../../base/bytes.ts';
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { indexInactive, instanceNotFound } from '../../errors/codes.ts';
import type { EvalContext } from '../../form/context.ts';
import { allows } from '../../form/permission.ts';
import { PENDING, REF_BYTES, STAMP_BYTES } from '../../kv/keyspace.ts';
import { termKey } from '../../order/term-key.ts';
import type { IndexDefinition } from '../../schema/definitions.ts';
import { earliestOfIndex } from '../../schema/retention.ts';
import { readEntry } from '../../txn/entry-row.ts';
import { readRef } from '../../txn/moment.ts';
import { dated } from '../../value/dated.ts';
import { Obj, type Ref, type Value } from '../../value/value.ts';
import { RANK } from '../../wire/version.ts';
import { notedEvents } from '../noted-events.ts';
import { type NotedEvents, rowEntries, spanOf } from '../row-entries.ts';
import { type EntryCursor, REFS_ONLY, SetOp, type Shape, type Window } from '../set-op.ts';
import { visible } from '../visible.ts';

/** Whether later writes to what was read are a conflict: not for an index that is not serialized (reference: data/transactions.md §1). */
const isChecked = ({ serialized, unique }: IndexDefinition): boolean => serialized || unique;

/** The entries of an index under one tuple of terms. */
export class MatchSet extends SetOp {
  readonly eventOrder = 'index';

  constructor(
    readonly index: Ref,
    readonly terms: readonly Value[],
    /** Where it was built; errors of reading it are reported there. */
    private readonly at: Path,
  ) {
    super();
  }

  describe(): Obj {
    const [term] = this.terms;
    if (term === undefined) return Obj.of(['match', this.index]);
    return Obj.of(['match', this.index], ['terms', this.terms.length === 1 ? term : this.terms]);
  }

  shape(ctx: EvalContext): Shape {
    const index = this.definition(ctx);
    return { ...REFS_ONLY, descending: index.descending, collation: index.collation };
  }

  earliest(ctx: EvalContext): Ts {
    return earliestOfIndex(this.definition(ctx), ctx.catalogOf(this.index.scope), ctx.txn.now);
  }

  readable(ctx: EvalContext): MaybePromise<boolean> {
    return andThen(this.unrestricted(ctx), (free) => free || allows(ctx, 'read', this.index, [this.terms]));
  }

  open(ctx: EvalContext, window: Window): EntryCursor {
    const index = this.definition(ctx);
    const prefix = index.entriesPrefix + this.termsKey;
    const { now } = ctx;
    ctx.txn.cost.index(prefix, index.partitions);
    const rows = ctx.txn.current(spanOf(prefix, window), window.descending, ctx.validTime, isChecked(index));
    const entries = rowEntries(rows, prefix, (row) => {
      if (row === null) return null;
      const { added, values, ttl } = readEntry(row);
      if (!added || (ttl !== null && ttl <= now)) return undefined;
      const refAt = row.key.length - STAMP_BYTES - REF_BYTES;
      return {
        key: row.key.slice(prefix.length, -STAMP_BYTES),
        split: refAt - prefix.length,
        values,
        ref: readRef(row.key, refAt, index.ref.scope),
      };
    });
    return visible(entries, ctx, this.unrestricted(ctx));
  }

  history(ctx: EvalContext, window: Window): EntryCursor {
    const index = this.definition(ctx);
    const events: NotedEvents = {
      prefix: index.eventsPrefix + this.termsKey,
      scope: index.ref.scope,
      earliest: this.earliest(ctx),
      isChecked: isChecked(index),
      hasValues: index.values.length > 0,
    };
    return visible(notedEvents(ctx, events, window, index.partitions), ctx, this.unrestricted(ctx));
  }

  private get termsKey(): Key {
    return termKey(dated(this.terms, PENDING));
  }

  private unrestricted(ctx: EvalContext): MaybePromise<boolean> {
    return allows(ctx, 'unrestricted_read', this.index, [this.terms]);
  }

  private definition(ctx: EvalContext): IndexDefinition {
    const index = ctx.catalogOf(this.index.scope).index(this.index);
    if (index === null || ctx.catalog.isFresh(this.index)) throw instanceNotFound(this.at, 'Index');
    // One that is being built is not read: only version 2.0 answers with what is there (brief; data/indexes.md §8, §14).
    if (!index.active && ctx.wire.rank > RANK['2.0']) throw indexInactive(this.at, index.name);
    return index;
  }
}

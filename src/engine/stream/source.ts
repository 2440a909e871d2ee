// What a stream can be of (reference: data/history.md §8).
import { Path } from '../base/path.ts';
import { invalidArgument, invalidRef } from '../errors/codes.ts';
import { typeName } from '../errors/type-name.ts';
import type { EvalContext } from '../form/context.ts';
import { DocumentsSet } from '../set/ops/documents.ts';
import { MatchSet } from '../set/ops/match.ts';
import { toSet } from '../set/to-set.ts';
import { FIRST_COLLECTION } from '../value/ref.ts';
import { Doc, Ref, SetValue, UnresolvedRef, type Value } from '../value/value.ts';
import { documentSource } from './document-source.ts';
import type { Source } from './event.ts';
import { documentsSource, matchSource } from './set-source.ts';

/** @throws FqlError `invalid argument`, `invalid ref` */
export function sourceOf(value: Value, ctx: EvalContext): Source {
  if (value instanceof UnresolvedRef) throw invalidRef(Path.root, value.kind, value.name);
  const ref = value instanceof Doc ? value.ref : value;
  if (ref instanceof Ref && ref.collection >= FIRST_COLLECTION) return documentSource(ref);
  const set = value instanceof SetValue ? toSet(value, ctx) : null;
  if (set instanceof MatchSet) {
    set.shape(ctx); // finds out whether its index is there
    return matchSource(set);
  }
  if (set instanceof DocumentsSet && set.number >= FIRST_COLLECTION) return documentsSource(set.number, set.scope);
  throw invalidArgument(Path.root, `Expected a Document Ref or Version, or a Set Ref, got ${typeName(value)}.`);
}

// What a ref is made of: its id, its collection, its database.
import type { EvalContext } from '../form/context.ts';
import { collectionRefOf, namedKindIn, nativeName, type Ref } from '../value/ref.ts';

/** What a step of a path finds in a ref. A name is what it is now: index entries keep the one that was when they were made, as in the original. */
export function refField(ref: Ref, step: string, ctx: EvalContext): Ref | string | undefined {
  if (step === 'class' || step === 'collection') return collectionRefOf(ref);
  if (step === 'id') return refId(ref, ctx);
  return step === 'database' ? refDatabase(ref, ctx) : undefined;
}

/** The id as a string: the name of what has one (and still exists), decimal digits otherwise. */
export function refId(ref: Ref, ctx: EvalContext): string | undefined {
  if (ref.isNativeCollection) {
    const name = nativeName(Number(ref.id));
    return name === 'collections' ? ctx.wire.nativeCollections : name;
  }
  if (namedKindIn(ref.collection) === undefined) return String(ref.id);
  return ctx.catalogOf(ref.scope).definition(ref)?.name;
}

/** The database of a ref from elsewhere. */
export function refDatabase(ref: Ref, ctx: EvalContext): Ref | undefined {
  if (ref.scope === ctx.catalog.scope) return undefined;
  const names = ctx.catalogOf(ref.scope).path.slice(ctx.catalog.path.length);
  return names.reduce<Ref | undefined>((above, name) => {
    const catalog = ctx.catalogOf(above === undefined ? ctx.catalog.scope : above.id);
    return catalog.resolve('database', name) ?? undefined;
  }, undefined);
}

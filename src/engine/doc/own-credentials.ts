// Credentials that are sent with a document (reference: data/documents.md §2).
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { EvalContext } from '../form/context.ts';
import type { Ref } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import { credentialsOf } from './belongings.ts';
import { passwordFailures } from './credentials.ts';
import { merge } from './data.ts';
import type { Prepared } from './preparation.ts';

type Store = (ref: Ref | null, before: Obj | null, wanted: Obj, ctx: EvalContext) => MaybePromise<unknown>;

/**
 * Whoever may write the document sets them, without the old password.
 * @param store writes them, without a ref under a new one
 */
export const withCredentials = (document: Prepared, ref: Ref, sent: Value, ctx: EvalContext, store: Store): Prepared => ({
  ...document,
  failures: [...document.failures, ...passwordFailures(sent, ctx, ['credentials'])],
  follow: () => writeCredentials(ref, sent, ctx, store),
});

function writeCredentials(ref: Ref, sent: Value, ctx: EvalContext, store: Store): MaybePromise<unknown> {
  if (!(sent instanceof Obj)) return undefined;
  const server = ctx.with({ caller: { ...ctx.caller, rights: 'server' } });
  // A hash as it stands counts only from a server.
  const params = ctx.caller.rights === 'server' ? sent : sent.without('hashed_password');
  // Whatever was sent, they are those of this document.
  const own = params.with('instance', ref);
  return andThen(credentialsOf(ref, ctx), (existing) =>
    existing === null ? store(null, null, own, server) : store(existing.ref, existing.fields, merge(existing.fields, own), server),
  );
}

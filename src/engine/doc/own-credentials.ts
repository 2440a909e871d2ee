// Credentials that are sent with a document (reference: data/documents.md §2).
import { andThen, type MaybePromise } from '../base/maybe.ts';
import type { Present } from '../auth/home.ts';
import type { EvalContext } from '../form/context.ts';
import type { Ref } from '../value/ref.ts';
import { Obj, type Value } from '../value/value.ts';
import { credentialsOf } from './belongings.ts';
import { passwordFailures } from './credentials.ts';
import { merge } from './data.ts';
import type { Prepared } from './preparation.ts';

type Store = (existing: Present | null, wanted: Obj, ctx: EvalContext) => MaybePromise<unknown>;

/**
 * Whoever may write the document sets them, without the old password.
 * @param store writes them, under a new ref where there are none
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
  return andThen(credentialsOf(ref, ctx), (existing) => store(existing, existing === null ? own : merge(existing.fields, own), server));
}

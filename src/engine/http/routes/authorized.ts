import { zBase32 } from '../../base/z-base32.ts';
import { writeJson } from '../../value/json.ts';
import { Obj } from '../../value/value.ts';
import type { Answer } from '../answer.ts';
import type { Core, Terms } from '../core.ts';
import { marksOf } from '../marks.ts';
import type { HttpRequest } from '../message.ts';
import { DEFAULTS, NEWEST, requireSecret } from '../terms.ts';
import { observe } from '../transact.ts';

/** Tells which database a secret opens (reference: data/auth.md §10). */
export async function authorized(core: Core, request: HttpRequest): Promise<Answer> {
  const secret = requireSecret(request, core.platform);
  const terms: Terms = { id: request.id, hash: () => marksOf(request).hash, resent: false, sentAt: undefined, secret, wire: NEWEST, limit: { effect: 'read', reason: '' }, ...DEFAULTS };
  await core.log.refresh();
  const scope = await observe(core, terms, () => core.log.beginRead(request.id), ({ ctx }) => ctx.caller.scope);
  return { status: 200, text: writeJson(Obj.of(['account', '0'], ['global_id', zBase32(scope)])) };
}

import { zBase32 } from '../../base/z-base32.ts';
import { writeJson } from '../../value/json.ts';
import { Obj } from '../../value/value.ts';
import { NEWEST } from '../../wire/version.ts';
import type { Answer } from '../answer.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { observe } from '../observe.ts';
import { DEFAULTS, MAY_READ, requireSecret, termsOf } from '../terms.ts';

/** Tells which database a secret opens (reference: data/auth.md §10). */
export async function authorized(core: Core, request: HttpRequest): Promise<Answer> {
  const terms = termsOf(request, NEWEST, MAY_READ, DEFAULTS, requireSecret(request, core.platform));
  await core.log.refresh();
  const scope = await observe(core, terms, () => core.log.beginRead(request.id), ({ ctx }) => ctx.caller.scope);
  return { status: 200, text: writeJson(Obj.of(['account', '0'], ['global_id', zBase32(scope)])) };
}

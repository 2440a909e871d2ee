// Small endpoints without a query (reference: data/auth.md §10).
import { zBase32 } from '../../base/z-base32.ts';
import { unauthorized } from '../../errors/codes.ts';
import type { Caller } from '../../auth/caller.ts';
import { type Presented, presented } from '../../auth/secret.ts';
import { NeedsDatabase } from '../../fql/context.ts';
import type { Scope } from '../../value/ref.ts';
import { writeJson } from '../../value/json.ts';
import { Obj } from '../../value/value.ts';
import type { Answer } from '../answer.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { parameter } from '../parameter.ts';
import { requireSecret } from '../terms.ts';

const SCOPES: Readonly<Record<string, string>> = { write: 'write', global: 'write', read: 'read', local: 'read', all: 'all' };

/** Says that the engine answers; needs no secret. */
export async function ping(core: Core, request: HttpRequest): Promise<Answer> {
  await core.log.refresh();
  const asked = parameter(request, 'scope') ?? 'write';
  const scope = Object.hasOwn(SCOPES, asked) ? SCOPES[asked] : 'node';
  return { status: 200, text: `{"resource":"Scope ${scope} is OK"}`, headers: { 'x-txn-time': String(core.log.lastCommit) } };
}

/** Tells which database a secret opens. */
export async function authorized(core: Core, request: HttpRequest): Promise<Answer> {
  const secret = presented(requireSecret(request, core.platform.utf8), core.platform);
  await core.log.refresh();
  const caller = await callerOf(secret, core, request.id);
  if (caller === null) throw unauthorized();
  return { status: 200, text: writeJson(Obj.of(['account', '0'], ['global_id', zBase32(caller.scope)])) };
}

async function callerOf(secret: Presented, core: Core, id: string): Promise<Caller | null> {
  for (const needed = new Set<Scope>(); ; ) {
    try {
      return await core.caller(secret, core.log.beginRead(id), needed, Infinity);
    } catch (error) {
      if (!(error instanceof NeedsDatabase) || needed.has(error.scope)) throw error;
      needed.add(error.scope);
    }
  }
}

import type { Answer } from '../answer.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { parameter } from '../parameter.ts';

const SCOPES: Readonly<Record<string, string>> = { write: 'write', global: 'write', read: 'read', local: 'read', all: 'all' };

/** Says that the engine answers; needs no secret (reference: data/auth.md §10). Asked whenever a page opens. */
export async function ping(core: Core, request: HttpRequest): Promise<Answer> {
  await core.log.refresh();
  const asked = parameter(request, 'scope') ?? 'write';
  const scope = Object.hasOwn(SCOPES, asked) ? SCOPES[asked] : 'node';
  return { status: 200, text: `{"resource":"Scope ${scope} is OK"}`, headers: { 'x-txn-time': String(core.txnTime) } };
}

// What stands at the old REST paths: each is a query in disguise (reference: fql/wire.md §5.4).
import { isRoot } from '../../auth/caller.ts';
import { Path } from '../../base/path.ts';
import { notFound } from '../../errors/codes.ts';
import { FqlError, HttpError } from '../../errors/fql-error.ts';
import { type Context, parseContext } from '../../fql/context.ts';
import { parseLiteral } from '../../fql/literal.ts';
import { JsonError, readJson } from '../../value/json.ts';
import { Obj, Ref, type Value } from '../../value/value.ts';
import type { Answer } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { parameter } from '../parameter.ts';
import { MAY_WRITE, requestedTerms } from '../terms.ts';
import { answerQuery } from './query.ts';
import type { RestTarget } from './rest.ts';

export async function rest(core: Core, request: HttpRequest, target: RestTarget): Promise<Answer> {
  const terms = requestedTerms(request, core.platform, MAY_WRITE);
  return answerQuery(core, request, terms, ({ ctx }) => queryFor(core, request, target, ctx), inBody);
}

/** What is wrong with the body has its place in the body, which is read before there is a form around it. */
function inBody(error: unknown): unknown {
  if (!(error instanceof FqlError)) return error;
  return new FqlError(
    error.failures.map((failure) => {
      const [params, quote, ...steps] = failure.at.toArray();
      return params === 'params' && quote === 'quote' ? { ...failure, at: steps.reduce((at: Path, step) => at.at(step), Path.root) } : failure;
    }),
  );
}

/** The form that each method calls, and how it is refused for keys, if it is: those are not changed by REST. */
const WRITES: Readonly<Record<string, readonly [form: string, ofKeys?: string]>> = {
  POST: ['create'],
  PUT: ['replace', 'Replacing a key with PUT is not allowed: create a replacement key, then delete this key.'],
  PATCH: ['update', "Updating a key with PATCH is not allowed: use the Update FQL function to change key's user metadata."],
};

/** @throws HttpError `not found` where the path names nothing, whatever the body */
function queryFor(core: Core, request: HttpRequest, { ref, isNative, events }: RestTarget, ctx: Context): Value {
  const at = Obj.of(['@ref', ref]);
  if (!(readable(() => at, ctx) instanceof Ref)) throw notFound();
  if (request.method === 'GET') return isNative || events ? page(request, at, events, ctx) : Obj.of(['get', at]);
  const [form, ofKeys] = WRITES[request.method] ?? [];
  if (form === undefined) return Obj.of(['delete', at]);
  // This is how keys are restored: with the root secret, and no other.
  if (ofKeys !== undefined && ref.startsWith('keys/') && !isRoot(ctx.caller)) throw new HttpError(403, 'forbidden', ofKeys);
  const text = textOf(request, core.platform.utf8);
  return Obj.of([form, at], ['params', Obj.of(['quote', text.trim() === '' ? Obj.empty : readQuery(text)])]);
}

/** A page by the parameters of the URL; cursors are JSON values, times or bare refs, and ignored when they are none of these. */
function page(request: HttpRequest, set: Value, events: boolean, ctx: Context): Value {
  const cursor = (name: string): Value | undefined => {
    const text = parameter(request, name);
    if (text === undefined) return undefined;
    const json = (): Value => readJson(text);
    if (readable(json, ctx) !== undefined) return Obj.of(['quote', json()]);
    const ts = longOf(text);
    if (ts !== undefined) return Obj.of(['object', Obj.of(['ts', ts])]);
    const ref = Obj.of(['@ref', text]);
    return readable(() => ref, ctx) === undefined ? undefined : ref;
  };
  return Obj.from({
    paginate: set,
    size: longOf(parameter(request, 'size')),
    before: cursor('before'),
    after: cursor('after'),
    events: events || undefined,
  });
}

/** What JSON stands for as data; `undefined` where it is none, or has a faulty escape. */
function readable(json: () => Value, ctx: Context): Value | undefined {
  try {
    return parseLiteral(json(), Path.root, parseContext(ctx));
  } catch (error) {
    if (error instanceof FqlError || error instanceof JsonError) return undefined;
    throw error;
  }
}

/** A Long in digits. */
function longOf(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

// What stands at the old REST paths: each is a query in disguise (reference: fql/wire.md §5.4).
import type { Caller } from '../../auth/caller.ts';
import { Path } from '../../base/path.ts';
import { notFound } from '../../errors/codes.ts';
import { FqlError, HttpError } from '../../errors/fql-error.ts';
import { readJson } from '../../value/json.ts';
import { ROOT_SCOPE } from '../../value/ref.ts';
import { Obj, type Value } from '../../value/value.ts';
import type { Answer } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { parameter } from '../parameter.ts';
import { MAY_WRITE } from '../terms.ts';
import { answerQuery, termsOf } from './query.ts';
import { REF, type RestTarget } from './rest.ts';

const LEGACY_REF = new RegExp(`^${REF}(?:/events)?/?$`);

export async function rest(core: Core, request: HttpRequest, target: RestTarget): Promise<Answer> {
  const terms = termsOf(core, request, MAY_WRITE);
  return answerQuery(core, request, terms, ({ ctx }) => queryFor(core, request, target, ctx.caller), (error) => (namesNothing(error) ? notFound() : inBody(error)));
}

/** Whether the failure is that the path leads nowhere: its ref stands right under the form, those of the body below `params`. */
const namesNothing = (error: unknown): boolean =>
  error instanceof FqlError &&
  error.failures.every(({ at, code }) => {
    const [form, ...below] = at.toArray();
    return form !== undefined && form !== 'params' && below.length === 0 && (code === 'invalid ref' || code === 'invalid expression');
  });

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

function queryFor(core: Core, request: HttpRequest, { ref, isNative, events }: RestTarget, { scope, credential }: Caller): Value {
  const at = Obj.of(['@ref', ref]);
  if (request.method === 'GET') return isNative || events ? page(request, at, events) : Obj.of(['get', at]);
  const [form, ofKeys] = WRITES[request.method] ?? [];
  if (form === undefined) return Obj.of(['delete', at]);
  // This is how keys are restored: with the root secret, and no other.
  const isRoot = scope === ROOT_SCOPE && credential === null;
  if (ofKeys !== undefined && ref.startsWith('keys/') && !isRoot) throw new HttpError(403, 'forbidden', ofKeys);
  const text = textOf(request, core.platform.utf8);
  return Obj.of([form, at], ['params', Obj.of(['quote', text.trim() === '' ? Obj.empty : readQuery(text)])]);
}

/** A page by the parameters of the URL; cursors are JSON values or bare refs, and ignored when they are neither. */
function page(request: HttpRequest, set: Value, events: boolean): Value {
  const size = parameter(request, 'size');
  const cursor = (name: string): Value | undefined => {
    const text = parameter(request, name);
    if (text === undefined) return undefined;
    try {
      return Obj.of(['quote', readJson(text)]);
    } catch {
      return LEGACY_REF.test(`/${text}`) ? Obj.of(['@ref', text]) : undefined;
    }
  };
  const before = cursor('before');
  return Obj.from({
    paginate: set,
    size: size !== undefined && /^-?\d+$/.test(size) ? BigInt(size) : undefined,
    events: events || undefined,
    before,
    after: before === undefined ? cursor('after') : undefined,
  });
}

// What stands at the old REST paths: each is a query in disguise (reference: fql/wire.md §5.4).
import type { Caller } from '../../auth/caller.ts';
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
import { isLegacyRef, type RestTarget } from './rest.ts';

export async function rest(core: Core, request: HttpRequest, target: RestTarget): Promise<Answer> {
  const terms = termsOf(core, request, MAY_WRITE);
  return answerQuery(core, request, terms, ({ ctx }) => queryFor(core, request, target, ctx.caller), (error) => (namesNothing(error) ? notFound() : error));
}

/** Whether it is the path that leads nowhere: it stands right under the form; the body's refs stand below `params`. */
const namesNothing = (error: unknown): boolean =>
  error instanceof FqlError &&
  error.failures.every(({ at, code }) => {
    const [form, ...below] = at.toArray();
    return form !== undefined && form !== 'params' && below.length === 0 && (code === 'invalid ref' || code === 'invalid expression');
  });

function queryFor(core: Core, request: HttpRequest, { ref, isNative, events }: RestTarget, { scope, credential }: Caller): Value {
  // This is how keys are restored: with the root secret, and no other.
  const isRoot = scope === ROOT_SCOPE && credential === null;
  if (!isRoot && /^P(?:UT|ATCH)keys\//.test(request.method + ref)) throw new HttpError(403, 'forbidden', 'Keys are changed by queries.');
  const at = Obj.of(['@ref', ref]);
  const params = (): Value => {
    const text = textOf(request, core.platform.utf8);
    return Obj.of(['quote', text.trim() === '' ? Obj.empty : readQuery(text)]);
  };
  switch (request.method) {
    case 'GET':
      return isNative || events ? page(request, at, events) : Obj.of(['get', at]);
    case 'POST':
      return Obj.of(['create', at], ['params', params()]);
    case 'PUT':
      return Obj.of(['replace', at], ['params', params()]);
    case 'PATCH':
      return Obj.of(['update', at], ['params', params()]);
    default:
      return Obj.of(['delete', at]);
  }
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
      return isLegacyRef(text) ? Obj.of(['@ref', text]) : undefined;
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

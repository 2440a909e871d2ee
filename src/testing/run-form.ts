// Runs forms on plain arguments, without parser, database or caller: enough for functions
// that only compute. Whole queries with all the rest run in the examples test of fql/.
import { type MaybePromise, mapEach, andThen } from '../engine/base/maybe.ts';
import { Path } from '../engine/base/path.ts';
import { type Failure, FqlError } from '../engine/errors/fql-error.ts';
import type { EvalContext } from '../engine/form/context.ts';
import type { Form, Lazy, Param } from '../engine/form/form.ts';
import { fromBase64 } from '../engine/base/bytes.ts';
import { readJson, writeJson } from '../engine/value/json.ts';
import { parseDate, parseTime } from '../engine/value/time.ts';
import { Bytes, DateValue, isArray, Obj, Time, Uuid, type Value } from '../engine/value/value.ts';
import { WIRE_VERSIONS } from '../engine/wire/version.ts';

/** A context for forms that only compute: its budget never ends. */
export function stubContext(changes: Partial<EvalContext> = {}): EvalContext {
  const context = {
    wire: WIRE_VERSIONS['4'],
    validTime: null,
    limit: { effect: 'write', reason: '' },
    depth: 0,
    budget: { steps: 0, step: () => undefined },
    with: (more: Partial<EvalContext>) => stubContext({ ...changes, ...more }),
    ...changes,
  };
  return context as unknown as EvalContext;
}

/**
 * The result of a query as JSON text, or its first error as `code: description @ path`.
 * A query is JSON; objects whose keys are those of a form are calls of it.
 */
export async function runForm(forms: readonly Form[], query: string, ctx: EvalContext = stubContext()): Promise<string> {
  try {
    return show(await evaluate(forms, readJson(query), ctx, Path.root));
  } catch (error) {
    if (!(error instanceof FqlError)) throw error;
    return error.failures.map((failure) => showFailure(failure, ctx)).join('; ');
  }
}

function showFailure({ at, code, description }: Failure, ctx: EvalContext): string {
  const text = typeof description === 'string' ? description : description(ctx.wire.words);
  return `${code}: ${text} @ ${at.toArray().join('.')}`;
}

const ESCAPES: Readonly<Record<string, (payload: string) => Value>> = {
  '@ts': (text) => parseTime(text),
  '@date': (text) => parseDate(text),
  '@bytes': (text) => new Bytes(fromBase64(text) ?? new Uint8Array()),
  '@uuid': (text) => new Uuid(text),
};

function evaluate(forms: readonly Form[], query: Value, ctx: EvalContext, at: Path): MaybePromise<Value> {
  if (isArray(query)) return mapEach(query, (item, index) => evaluate(forms, item, ctx, at.at(index)));
  if (!(query instanceof Obj)) return query;
  const [key = '', payload = null] = query.entries()[0] ?? [];
  const escape = ESCAPES[key];
  if (escape !== undefined && typeof payload === 'string') return escape(payload);
  if (key === 'quote') return payload;
  if (key === 'object' && payload instanceof Obj) {
    const values = mapEach(payload.entries(), ([name, value]) => evaluate(forms, value, ctx, at.at('object').at(name)));
    return andThen(values, (results) => new Obj(payload.keys, results));
  }
  const form = forms.find((candidate) => takes(candidate, query.keys));
  if (form === undefined) throw new Error(`no form of the family takes { ${query.keys.join(', ')} }`);
  return call(forms, form, query, ctx, at);
}

function takes(form: Form, keys: readonly string[]): boolean {
  return keys.every((key) => form.keys.includes(key)) && form.keys.every((key) => keys.includes(key) || isOptional(form.params[key]));
}

const isOptional = (param: Param | undefined): boolean => param?.optional === true;

function call(forms: readonly Form[], form: Form, query: Obj, ctx: EvalContext, at: Path): MaybePromise<Value> {
  const values = mapEach(form.keys, (key): MaybePromise<unknown> => {
    const expression = query.get(key);
    const param = form.params[key];
    if (expression === undefined || param === undefined) return undefined;
    if ('lazy' in param) return { at: at.at(key), evaluate: () => evaluate(forms, expression, ctx, at.at(key)) } satisfies Lazy;
    return andThen(evaluate(forms, expression, ctx, at.at(key)), (value) => param.read(value, at.at(key)));
  });
  return andThen(values, (args) => form.run(Object.fromEntries(form.keys.map((key, index) => [key, args[index]])) as never, ctx, at));
}

function show(value: Value): string {
  return writeJson(plain(value));
}

function plain(value: Value): Value {
  if (isArray(value)) return value.map(plain);
  if (value instanceof Obj) return new Obj(value.keys, value.values.map(plain));
  if (value instanceof Time) return Obj.of(['@ts', value.toString()]);
  if (value instanceof DateValue) return Obj.of(['@date', value.toString()]);
  if (value instanceof Uuid) return Obj.of(['@uuid', value.text]);
  return value;
}

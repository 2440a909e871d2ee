// Runs forms on plain arguments, without parser or database: enough for functions
// that only compute. Whole queries with all the rest run in the examples test of fql/.
import { andThen, mapEach, type MaybePromise } from '../engine/base/maybe.ts';
import { Path } from '../engine/base/path.ts';
import { wrongArity } from '../engine/errors/codes.ts';
import { type Failure, FqlError } from '../engine/errors/fql-error.ts';
import type { Caller } from '../engine/auth/caller.ts';
import type { EvalContext } from '../engine/form/context.ts';
import type { Effect } from '../engine/form/effect.ts';
import type { Form, Lazy, Param } from '../engine/form/form.ts';
import { fromBase64 } from '../engine/base/bytes.ts';
import { readJson, writeJson } from '../engine/value/json.ts';
import { parseDate, parseTime } from '../engine/value/time.ts';
import { Action, Bytes, DateValue, isArray, Lambda, Obj, Page, Ref, Time, Uuid, type Value } from '../engine/value/value.ts';
import { RANK, WIRE_VERSIONS, type WireId } from '../engine/wire/version.ts';

const ADMIN: Caller = { scope: 0n, path: [], rights: 'admin', identity: null, credential: null };

/** A context for forms that only compute: its budget never ends, and what they cost nobody asks. */
export function stubContext(changes: Partial<EvalContext> = {}): EvalContext {
  const context = {
    wire: WIRE_VERSIONS['4'],
    validTime: null,
    now: 0,
    limit: { effect: 'write', reason: '' },
    unveiled: false,
    caller: ADMIN,
    depth: 0,
    txn: { cost: { begin: () => undefined } },
    budget: { steps: 0, levels: 0, step: () => undefined, move: () => undefined, spent: () => undefined, characters: 0, nest: (work: () => unknown) => work() },
    effectOf: (): Effect => 'pure',
    directly: () => null,
    apply: (lambda: Lambda, argument: Value, at: Path) => (lambda.code as Body)(argument, at),
    with: (more: Partial<EvalContext>) => stubContext({ ...changes, ...more }),
    ...changes,
  };
  return context as unknown as EvalContext;
}

/** The body of a lambda that `runForm` made. */
type Body = (argument: Value, at: Path) => MaybePromise<Value>;

type Variables = ReadonlyMap<string, Value>;

interface Run {
  readonly forms: readonly Form[];
  readonly ctx: EvalContext;
  readonly variables: Variables;
}

/**
 * The result of a query as JSON text, or its errors as `code: description @ path`.
 * A query is JSON; objects whose keys are those of a form are calls of it.
 * @param variables what `{"var": name}` stands for, for values that have no JSON
 */
export async function runForm(
  forms: readonly Form[],
  query: string,
  ctx: EvalContext = stubContext(),
  variables: Readonly<Record<string, Value>> = {},
): Promise<string> {
  try {
    return show(await evaluate({ forms, ctx, variables: new Map(Object.entries(variables)) }, readJson(query), Path.root));
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

function evaluate(run: Run, query: Value, at: Path): MaybePromise<Value> {
  if (isArray(query)) return mapEach(query, (item, index) => evaluate(run, item, at.at(index)));
  if (!(query instanceof Obj)) return query;
  const [key = '', payload = null] = query.entries()[0] ?? [];
  const escape = ESCAPES[key];
  if (escape !== undefined && typeof payload === 'string') return escape(payload);
  if (key === 'quote') return payload;
  if (key === 'var' && typeof payload === 'string') return run.variables.get(payload) ?? null;
  if (key === 'object' && payload instanceof Obj) {
    const values = mapEach(payload.entries(), ([name, value]) => evaluate(run, value, at.at('object').at(name)));
    return andThen(values, (results) => new Obj(payload.keys, results));
  }
  const form = run.forms.find((candidate) => takes(candidate, query.keys) && knows(candidate, run.ctx));
  if (form === undefined) throw new Error(`no form of the family takes { ${query.keys.join(', ')} }`);
  return call(run, form, query, at);
}

function takes(form: Form, keys: readonly string[]): boolean {
  return keys.every((key) => form.keys.includes(key)) && form.keys.every((key) => keys.includes(key) || isOptional(form.params[key]));
}

function knows({ since, until }: Form, { wire }: EvalContext): boolean {
  return RANK[(since ?? '2.0') as WireId] <= wire.rank && wire.rank <= RANK[(until ?? '4') as WireId];
}

const isOptional = (param: Param | undefined): boolean => param !== undefined && 'optional' in param && param.optional === true;

function call(run: Run, form: Form, query: Obj, at: Path): MaybePromise<Value> {
  const values = mapEach(form.keys, (key): MaybePromise<unknown> => {
    const expression = query.get(key);
    const param = form.params[key];
    return expression === undefined || param === undefined ? undefined : argument(run, param, expression, at.at(key));
  });
  return andThen(values, (args) => form.code.run(Object.fromEntries(form.keys.map((key, index) => [key, args[index]])) as never, run.ctx, at));
}

function argument(run: Run, param: Param, expression: Value, at: Path): MaybePromise<unknown> {
  const lazy = (item: Value, place: Path): Lazy => ({ at: place, evaluate: () => evaluate(run, item, place) });
  if ('lazyList' in param) return isArray(expression) ? expression.map((item, index) => lazy(item, at.at(index))) : [lazy(expression, at)];
  if ('lazy' in param) return lazy(expression, at);
  if ((param.syntax === 'lambda' || param.syntax === 'shown lambda') && expression instanceof Obj) return lambdaOf(run, expression, at);
  return andThen(evaluate(run, expression, at), (value) => param.read(value, at));
}

function lambdaOf(run: Run, lambda: Obj, at: Path): Lambda {
  const params = (lambda.get('lambda') ?? '_') as string | readonly string[];
  const source = lambda.get('expr') ?? null;
  const body: Body = (given, place) => {
    const values = typeof params === 'string' ? [given] : isArray(given) ? given : [given];
    const names = typeof params === 'string' ? [params] : params;
    if (names.length !== values.length) throw wrongArity(place.at('lambda'), names.length, values.length);
    const bound = names.map((name, index) => [name, values[index] as Value] as const);
    return evaluate({ ...run, variables: new Map([...run.variables, ...bound]) }, source, at.at('expr'));
  };
  return new Lambda(params, source, run.ctx.wire.lambdaStamp, null, body);
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
  if (value instanceof Action) return value.name;
  if (value instanceof Ref) return Obj.of(['@ref', `${value.collection}/${value.id}`]);
  if (value instanceof Page) {
    const { before, after, data } = value;
    return plain(Obj.from({ before, after, data }));
  }
  return value;
}

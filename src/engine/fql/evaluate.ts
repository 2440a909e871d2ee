// Expressions to values. Synchronous as long as nothing has to wait.
import { fold, type MaybePromise, andThen } from '../base/maybe.ts';
import type { Path } from '../base/path.ts';
import { forbiddenEffect, stackOverflow, wrongArity } from '../errors/codes.ts';
import { type Failure, failuresOf, FqlError } from '../errors/fql-error.ts';
import type { EvalContext } from '../form/context.ts';
import { LEVELS_PER_STACK } from '../form/budget.ts';
import { exceeds } from '../form/effect.ts';
import type { Expr, LambdaCode } from '../form/expr.ts';
import type { Lazy, Slot } from '../form/form.ts';
import { type Env, isArray, Lambda, Obj, type Value } from '../value/value.ts';

export const MAX_DEPTH = 200;

export function evaluate(expr: Expr, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  if (expr.kind === 'literal') return expr.value;
  if (expr.kind === 'var') return lookUp(expr.name, env);
  if (expr.kind === 'lambda') return closure(expr.code, env);
  // As `budget.nest` does it, without a closure for every node.
  const { budget } = ctx;
  if (budget.levels >= LEVELS_PER_STACK) return Promise.resolve().then(() => evaluate(expr, env, ctx));
  budget.levels++;
  try {
    if (expr.kind === 'call') return evaluateCall(expr, env, ctx);
    if (expr.kind === 'let') return evaluateLet(expr, env, ctx);
    if (expr.kind === 'array') return evaluateAll(expr.items, env, ctx);
    return andThen(evaluateAll(expr.values, env, ctx), (values) => new Obj(expr.keys, values));
  } finally {
    budget.levels--;
  }
}

function lookUp(name: string, env: Env | null): Value {
  for (let frame = env; frame !== null; frame = frame.outer) if (frame.name === name) return frame.value;
  throw new Error(`variable ${name} is not bound`); // the parser has made sure that it is
}

/** All members, in order; the failures of every one that fails, together. */
const evaluateAll = (items: readonly Expr[], env: Env | null, ctx: EvalContext): MaybePromise<Value[]> => gather(items, 0, [], [], env, ctx);

// This and `callFrom` are plain loops rather than folds: here queries spend their time, and their stack.
function gather(items: readonly Expr[], from: number, values: Value[], failures: Failure[], env: Env | null, ctx: EvalContext): MaybePromise<Value[]> {
  for (let at = from; at < items.length; at++) {
    try {
      const value = evaluate(items[at] as Expr, env, ctx);
      if (value instanceof Promise) {
        const taken = value.then(
          (ready) => values.push(ready),
          (error: unknown) => failures.push(...failuresOf(error)),
        );
        return taken.then(() => gather(items, at + 1, values, failures, env, ctx));
      }
      values.push(value);
    } catch (error) {
      failures.push(...failuresOf(error));
    }
  }
  if (failures.length > 0) throw new FqlError(failures);
  return values;
}

function evaluateLet(expr: Extract<Expr, { kind: 'let' }>, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  const bound = fold(expr.bindings, env, (outer, { name, value }) =>
    andThen(evaluate(value, outer, ctx), (result): Env => ({ name, value: result, outer })),
  );
  return andThen(bound, (inner) => evaluate(expr.body, inner, ctx));
}

function evaluateCall(expr: Extract<Expr, { kind: 'call' }>, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  const { effect } = expr.code;
  if (exceeds(effect, ctx.limit.effect)) throw forbiddenEffect(expr.at, EFFECT_WORDS[effect], ctx.limit.reason);
  return callFrom(0, {}, expr, env, ctx);
}

/** Evaluates the arguments from one on, and runs the form with all of them. */
function callFrom(from: number, args: Record<string, unknown>, expr: Extract<Expr, { kind: 'call' }>, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  const { slots, run } = expr.code;
  for (let at = from; at < slots.length; at++) {
    const slot = slots[at] as Slot;
    const { key } = slot;
    const value = argument(slot, expr.args[at], env, ctx);
    if (value instanceof Promise) return value.then((ready: unknown) => callFrom(at + 1, { ...args, [key]: ready }, expr, env, ctx));
    args[key] = value;
  }
  const pause = ctx.budget.step();
  return pause instanceof Promise ? pause.then(() => run(args, ctx, expr.at)) : run(args, ctx, expr.at);
}

const EFFECT_WORDS = { pure: 'nothing', observe: 'an observation', read: 'a read', write: 'a write' } as const;

function argument({ takes, read }: Slot, expr: Expr | undefined, env: Env | null, ctx: EvalContext): MaybePromise<unknown> {
  if (expr === undefined) return undefined;
  if (takes === 'lazy list') {
    const items = expr.kind === 'array' ? expr.items : [expr];
    return items.map((item, index) => lazyOf(item, expr.at.at(index), env, ctx));
  }
  if (takes === 'lazy') return lazyOf(expr, expr.at, env, ctx);
  // Of a literal every time the same, as in a lambda's body: a path, a bound.
  if (expr.kind === 'literal') return (expr.cast ??= read(expr.value, expr.at));
  const value = evaluate(expr, env, ctx);
  return value instanceof Promise ? value.then((ready) => read(ready, expr.at)) : read(value, expr.at);
}

const lazyOf = (expr: Expr, at: Path, env: Env | null, ctx: EvalContext): Lazy => ({
  at,
  evaluate: (other = ctx) => evaluate(expr, env, other),
});

/** A lambda with the variables its body uses. */
function closure(code: LambdaCode, env: Env | null): Lambda {
  return new Lambda(code.params, code.source, code.version, capture(code.free, env), code);
}

/** The innermost frame of each name, and no others: what a lambda keeps when it is stored. */
function capture(names: readonly string[], env: Env | null): Env | null {
  return names.reduce<Env | null>((outer, name) => ({ name, value: lookUp(name, env), outer }), null);
}

/** Applies a lambda's code to one argument. @param at of the application: what has no place in the body is reported there */
export function applyCode(lambda: Lambda, code: LambdaCode, argument: Value, at: Path, ctx: EvalContext): MaybePromise<Value> {
  if (ctx.depth >= MAX_DEPTH) throw stackOverflow(at);
  const env = bind(code.params, argument, lambda.env, at);
  const pause = ctx.budget.step();
  return pause instanceof Promise ? pause.then(() => evaluate(code.body, env, ctx.deeper())) : evaluate(code.body, env, ctx.deeper());
}

/** A name takes the whole argument, `_` nothing; an array of names takes an array apart. */
function bind(params: string | readonly string[], argument: Value, outer: Env | null, at: Path): Env | null {
  if (typeof params === 'string') return frame(params, argument, outer);
  const values = isArray(argument) ? argument : [argument];
  if (values.length !== params.length) throw wrongArity(at.at('lambda'), params.length, values.length);
  return params.reduce<Env | null>((rest, name, index) => frame(name, values[index] as Value, rest), outer);
}

const frame = (name: string, value: Value, rest: Env | null): Env | null => (name === '_' ? rest : { name, value, outer: rest });

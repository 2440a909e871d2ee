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
  switch (expr.kind) {
    case 'literal': return expr.value;
    case 'var': return lookUp(expr.name, env);
    case 'lambda': return closure(expr.code, env);
    default:
  }
  // As `budget.nest` does it, without a closure for every node.
  const { budget } = ctx;
  if (budget.levels >= LEVELS_PER_STACK) return Promise.resolve().then(() => evaluate(expr, env, ctx));
  budget.levels++;
  try {
    switch (expr.kind) {
      case 'call': return callFrom(0, {}, expr, env, ctx);
      case 'let': return evaluateLet(expr, env, ctx);
      case 'array': return gather(expr.items, 0, [], null, env, ctx);
      case 'object': return andThen(gather(expr.values, 0, [], null, env, ctx), (values) => new Obj(expr.keys, values));
    }
  } finally {
    budget.levels--;
  }
}

function lookUp(name: string, env: Env | null): Value {
  for (let frame = env; frame !== null; frame = frame.outer) if (frame.name === name) return frame.value;
  throw new Error(`variable ${name} is not bound`); // the parser has made sure that it is
}

/**
 * All members, in order, or the failures of all that fail, together. This and `callFrom` are plain
 * loops rather than folds, as this is where queries spend their time, and their stack.
 */
function gather(items: readonly Expr[], from: number, values: Value[], before: Failure[] | null, env: Env | null, ctx: EvalContext): MaybePromise<Value[]> {
  let failures = before;
  for (let at = from; at < items.length; at++) {
    try {
      const item = items[at] as Expr;
      const value = item.kind === 'literal' ? item.value : evaluate(item, env, ctx);
      if (value instanceof Promise) {
        const failed = failures;
        return value.then(
          (ready) => {
            values.push(ready);
            return gather(items, at + 1, values, failed, env, ctx);
          },
          (error: unknown) => gather(items, at + 1, values, [...(failed ?? []), ...failuresOf(error)], env, ctx),
        );
      }
      values.push(value);
    } catch (error) {
      (failures ??= []).push(...failuresOf(error));
    }
  }
  if (failures !== null) throw new FqlError(failures);
  return values;
}

function evaluateLet(expr: Extract<Expr, { kind: 'let' }>, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  const bound = fold(expr.bindings, env, (outer, { name, value }) =>
    andThen(evaluate(value, outer, ctx), (result): Env => ({ name, value: result, outer })),
  );
  return andThen(bound, (inner) => evaluate(expr.body, inner, ctx));
}

/** Evaluates the arguments from one on, and runs the form with all of them. */
function callFrom(from: number, args: Record<string, unknown>, expr: Extract<Expr, { kind: 'call' }>, env: Env | null, ctx: EvalContext): MaybePromise<Value> {
  const { slots, effect, steps, run } = expr.code;
  if (effect !== 'pure' && exceeds(effect, ctx.limit.effect)) throw forbiddenEffect(expr.at, effect, ctx.limit.reason);
  for (let at = from; at < slots.length; at++) {
    const given = expr.args[at];
    // An optional one that was left out.
    if (given === undefined) continue;
    const { key, takes, read } = slots[at] as Slot;
    let value: unknown;
    if (takes !== 'value') value = takes === 'lazy' ? lazyOf(given, given.at, env, ctx) : lazyListOf(given, env, ctx);
    // The cast of a literal gives the same every time, as for a path in a lambda's body, so it is kept.
    else if (given.kind === 'literal') value = read === null ? given.value : (given.cast ??= read(given.value, given.at));
    else {
      const result = given.kind === 'array' ? gather(given.items, 0, [], null, env, ctx) : evaluate(given, env, ctx);
      value = read === null ? result : result instanceof Promise ? result.then((ready) => read(ready, given.at)) : read(result, given.at);
    }
    if (value instanceof Promise) return value.then((ready: unknown) => callFrom(at + 1, { ...args, [key]: ready }, expr, env, ctx));
    args[key] = value;
  }
  const pause = ctx.budget.step(steps);
  return pause instanceof Promise ? pause.then(() => run(args, ctx, expr.at)) : run(args, ctx, expr.at);
}

const lazyOf = (expr: Expr, at: Path, env: Env | null, ctx: EvalContext): Lazy => ({
  at,
  evaluate: (other = ctx) => evaluate(expr, env, other),
});

function lazyListOf(expr: Expr, env: Env | null, ctx: EvalContext): readonly Lazy[] {
  const items = expr.kind === 'array' ? expr.items : [expr];
  return items.map((item, index) => lazyOf(item, expr.at.at(index), env, ctx));
}

/** A lambda with the variables its body uses. */
function closure(code: LambdaCode, env: Env | null): Lambda {
  return new Lambda(code.params, code.source, code.version, capture(code.free, env), code);
}

/** The innermost frame of each name, and no others: what a lambda keeps when it is stored. */
function capture(names: readonly string[], env: Env | null): Env | null {
  return names.reduce<Env | null>((outer, name) => ({ name, value: lookUp(name, env), outer }), null);
}

/** Applies a lambda's code to one argument, which a single name takes whole; `_` takes nothing. @param at of the application, where errors are reported that have no place in the body */
export function applyCode(lambda: Lambda, code: LambdaCode, argument: Value, at: Path, ctx: EvalContext): MaybePromise<Value> {
  if (ctx.depth >= MAX_DEPTH) throw stackOverflow(at);
  const { params } = code;
  const env = typeof params !== 'string' ? bindEach(params, argument, lambda.env, at) : params === '_' ? lambda.env : { name: params, value: argument, outer: lambda.env };
  const pause = ctx.budget.step();
  const inner = ctx.deeper();
  return pause instanceof Promise ? pause.then(() => evaluate(code.body, env, inner)) : evaluate(code.body, env, inner);
}

/** An array of names takes an array apart. */
function bindEach(params: readonly string[], argument: Value, outer: Env | null, place: Path): Env | null {
  const values = isArray(argument) ? argument : [argument];
  if (values.length !== params.length) throw wrongArity(place.at('lambda'), params.length, values.length);
  let env = outer;
  for (let at = 0; at < params.length; at++) {
    const name = params[at] as string;
    if (name !== '_') env = { name, value: values[at] as Value, outer: env };
  }
  return env;
}

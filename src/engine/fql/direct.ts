// The direct evaluation of a lambda over documents (see form/direct.ts).
import type { Direct, Part } from '../form/direct.ts';
import type { Expr, LambdaCode } from '../form/expr.ts';
import { Doc, type Env, UnresolvedRef, type Value } from '../value/value.ts';

/** Deeper ones are left to the evaluator, which knows how much the stack holds. */
const DEEPEST = 16;

/** `null` where a part of the body has none. @param env what the lambda has captured */
export function directly({ params, body }: LambdaCode, env: Env | null): Direct | null {
  // `_` takes nothing.
  if (typeof params !== 'string' || params === '_') return null;
  const partOf = (expr: Expr, depth: number): Part => {
    const isArgument = expr.kind === 'var' && expr.name === params;
    const literal = expr.kind === 'literal' ? expr.value : undefined;
    const items = expr.kind === 'array' ? expr.items.map((item) => partOf(item, depth)) : [];
    return { direct: isArgument ? null : directOf(expr, depth), literal, items, isArgument };
  };
  const directOf = (expr: Expr, depth: number): Direct | null => {
    if (expr.kind === 'literal') return constant(expr.value);
    if (expr.kind === 'var') return captured(expr.name, env);
    if (expr.kind !== 'call' || expr.form.direct === undefined || depth > DEEPEST) return null;
    return expr.form.direct(expr.args.map((arg) => arg && partOf(arg, depth + 1)));
  };
  return partOf(body, 0).direct;
}

/** What is wrong with a ref that leads nowhere is for the evaluator to say, and what is in a document it can tell. */
const constant = (value: Value): Direct | null => (value instanceof UnresolvedRef || value instanceof Doc ? null : () => value);

function captured(name: string, env: Env | null): Direct | null {
  for (let frame = env; frame !== null; frame = frame.outer) if (frame.name === name) return constant(frame.value);
  return null;
}

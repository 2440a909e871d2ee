// The direct evaluation of a lambda over documents (see form/direct.ts).
import type { Direct, Inside } from '../form/direct.ts';
import type { Expr, LambdaCode } from '../form/expr.ts';
import { type Env, UnresolvedRef } from '../value/value.ts';

/** Deeper ones are left to the evaluator, which knows how much the stack holds. */
const DEEPEST = 16;

/** `null` where a part of the body has none. @param env what the lambda has captured */
export function directly({ params, body }: LambdaCode, env: Env | null): Direct | null {
  if (typeof params !== 'string') return null;
  const isArgument = (expr: Expr): boolean => expr.kind === 'var' && expr.name === params;
  const within = (depth: number): Inside => ({
    isArgument,
    of(expr) {
      switch (expr.kind) {
        case 'literal': return expr.value instanceof UnresolvedRef ? null : constant(expr.value);
        case 'var': return isArgument(expr) ? null : captured(expr.name, env);
        case 'call': return depth < DEEPEST ? (expr.form.direct?.(expr.args, within(depth + 1)) ?? null) : null;
        default: return null;
      }
    },
  });
  return within(0).of(body);
}

const constant = (value: ReturnType<Direct>): Direct => () => value;

function captured(name: string, env: Env | null): Direct | null {
  for (let frame = env; frame !== null; frame = frame.outer) if (frame.name === name) return constant(frame.value);
  return null;
}

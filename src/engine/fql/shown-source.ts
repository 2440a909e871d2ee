// Bodies of lambdas as the service shows them: the keys of every form stand in the form's own order,
// however they were written, and escapes are replaced by what they mean, which each version then shows
// in its own way (reference: fql/wire.md §2; the original's ast/Expression).
import { Path } from '../base/path.ts';
import { UnresolvedRef } from '../value/ref.ts';
import { isArray, Obj, type Value } from '../value/value.ts';
import { bindingsAsObject } from '../wire/encode.ts';
import { escapeOf } from './literal.ts';
import type { ParseContext } from './parse-context.ts';
import { findForm } from './registry.ts';

/** @param source of an expression that the parser has taken */
export function shownSource(source: Value, ctx: ParseContext): Value {
  if (isArray(source)) return each(source, ctx, shownSource);
  if (!(source instanceof Obj)) return source;
  if (escapeOf(source) !== null) return data(source, ctx);
  if (source.size === 1) {
    const [key = ''] = source.keys;
    const inside = source.values[0] as Value;
    if (key === 'quote') return Obj.of(['quote', data(inside, ctx)]);
    if (key === 'object') return Obj.of(['object', fields(inside, ctx)]);
    // What it holds is an expression like any other.
    if (key === '@obj') return shownSource(inside, ctx);
  }
  // So errors inside a function name a binding by its name alone.
  if (source.has('let')) return bindingsAsObject(Obj.of(['let', bindings(source.get('let') ?? null, ctx)], ['in', shownSource(source.get('in') ?? null, ctx)]));
  const form = findForm(source.keys, ctx.wire);
  const keys = form?.keys ?? (source.has('lambda') ? LAMBDA : source.keys);
  const ordered: [string, Value][] = [];
  for (const key of keys) {
    const value = source.get(key);
    if (value === undefined) continue;
    const shown = shownSource(value, ctx);
    // An operand that stands for a list of one is shown as that list.
    const param = form?.params[key];
    ordered.push([key, param !== undefined && 'lazyList' in param && !isArray(shown) ? [shown] : shown]);
  }
  return Obj.of(...ordered);
}

/** A lambda is no form: it stands only where one is taken. */
const LAMBDA: readonly string[] = ['lambda', 'expr'];

/**
 * Literals, with escapes replaced by what they mean. `@obj` stays, as what it holds may look like another escape; so
 * does a ref by a name that is not known yet, which the lambda looks up when it runs.
 */
function data(source: Value, ctx: ParseContext): Value {
  if (isArray(source)) return each(source, ctx, data);
  if (!(source instanceof Obj)) return source;
  const inside = source.size === 1 ? source.get('@obj') : undefined;
  if (inside instanceof Obj) return Obj.of(['@obj', new Obj(inside.keys, each(inside.values, ctx, data))]);
  const value = escapeOf(source)?.(source.values[0] as Value, Path.root, ctx);
  if (value === undefined) return new Obj(source.keys, each(source.values, ctx, data));
  return value instanceof UnresolvedRef ? source : value;
}

function each(sources: readonly Value[], ctx: ParseContext, shown: (source: Value, ctx: ParseContext) => Value): Value[] {
  const all: Value[] = [];
  for (const source of sources) all.push(shown(source, ctx));
  return all;
}

/** An object of expressions: its keys are names, and keep their order. */
function fields(source: Value, ctx: ParseContext): Value {
  if (!(source instanceof Obj)) return source;
  const inside = source.size === 1 ? source.get('@obj') : undefined;
  return inside === undefined ? new Obj(source.keys, each(source.values, ctx, shownSource)) : Obj.of(['@obj', fields(inside, ctx)]);
}

function bindings(source: Value, ctx: ParseContext): Value {
  return isArray(source) ? source.map((binding) => fields(binding, ctx)) : fields(source, ctx);
}

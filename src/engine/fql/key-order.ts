// Bodies of lambdas as the service shows them: the keys of every form in the form's own order,
// however they were written. What is data stays as it stands (reference: fql/wire.md §2; the
// original's ast/Expression).
import { isArray, Obj, type Value } from '../value/value.ts';
import type { Wire } from '../wire/version.ts';
import { escapeOf } from './literal.ts';
import { findForm } from './registry.ts';

/** @param source of an expression that the parser has taken */
export function inKeyOrder(source: Value, wire: Wire): Value {
  if (isArray(source)) return each(source, wire);
  if (!(source instanceof Obj) || escapeOf(source) !== null || source.has('quote')) return source;
  if (source.size === 1 && (source.has('object') || source.has('@obj'))) {
    const [key = ''] = source.keys;
    const inside = source.values[0] as Value;
    return new Obj([key], [key === 'object' ? fields(inside, wire) : inKeyOrder(inside, wire)]);
  }
  if (source.has('let')) return Obj.of(['let', bindings(source.get('let') ?? null, wire)], ['in', inKeyOrder(source.get('in') ?? null, wire)]);
  const form = findForm(source.keys, wire);
  const keys = form?.keys ?? (source.has('lambda') ? LAMBDA : source.keys);
  const ordered: [string, Value][] = [];
  for (const key of keys) {
    const value = source.get(key);
    if (value === undefined) continue;
    const shown = inKeyOrder(value, wire);
    // One operand that stands for a list of it is shown as that list.
    const param = form?.params[key];
    ordered.push([key, param !== undefined && 'lazyList' in param && !isArray(shown) ? [shown] : shown]);
  }
  return Obj.of(...ordered);
}

/** A lambda is no form: it stands only where one is taken. */
const LAMBDA: readonly string[] = ['lambda', 'expr'];

function each(sources: readonly Value[], wire: Wire): Value[] {
  const ordered: Value[] = [];
  for (const source of sources) ordered.push(inKeyOrder(source, wire));
  return ordered;
}

/** An object of expressions: its keys are names, and keep their order. */
function fields(source: Value, wire: Wire): Value {
  if (!(source instanceof Obj)) return source;
  const inside = source.size === 1 ? source.get('@obj') : undefined;
  return inside === undefined ? new Obj(source.keys, each(source.values, wire)) : Obj.of(['@obj', fields(inside, wire)]);
}

function bindings(source: Value, wire: Wire): Value {
  return isArray(source) ? source.map((binding) => fields(binding, wire)) : fields(source, wire);
}

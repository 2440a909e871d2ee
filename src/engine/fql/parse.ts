// JSON to expressions. An object is matched on its exact key set; the whole tree is parsed
// before anything runs. Which errors are reported together follows the reference
// (fql/functions.md §1): of a list those of its first failing member, of `let` and lambda
// all, undefined variables all but only when nothing else is wrong.
import { Path } from '../base/path.ts';
import { emptyList, invalidExpression, undefinedVariable, unknownForm, wrongSyntaxType } from '../errors/codes.ts';
import { type Failure, failuresOf, FqlError } from '../errors/fql-error.ts';
import { typeName } from '../errors/type-name.ts';
import type { Cast } from '../form/casts.ts';
import { type Effect, stronger } from '../form/effect.ts';
import type { Expr, LambdaCode } from '../form/expr.ts';
import type { Form, Param } from '../form/form.ts';
import { areKeys, perKeys } from '../value/known-keys.ts';
import { isArray, Obj, type Value } from '../value/value.ts';
import { type Wire, WIRE_VERSIONS } from '../wire/version.ts';
import { shownSource } from './shown-source.ts';
import { escapeOf, parseLiteral } from './literal.ts';
import { isBound, type ParseContext } from './parse-context.ts';
import { findForm } from './registry.ts';

/** Parses a whole query. @throws FqlError `invalid expression` */
export function parseQuery(json: Value, ctx: ParseContext): Expr {
  const expr = parse(json, Path.root, ctx);
  if (ctx.undefined.length > 0) throw new FqlError(ctx.undefined);
  return expr;
}

function parse(json: Value, at: Path, ctx: ParseContext): Expr {
  if (json === null || typeof json !== 'object') return literal(json, at);
  if (isArray(json)) return parseArray(json, at, ctx);
  if (!(json instanceof Obj)) return literal(json, at);
  const { syntax, form, args } = (READINGS[ctx.wire.rank] as typeof READINGS[number])(json.keys);
  if (syntax !== undefined) return syntax(json, at, ctx);
  if (form !== null) return call(form, args, json, at, ctx);
  const escape = escapeOf(json);
  if (escape !== null) return literal(escape(json.values[0] as Value, at, ctx), at);
  throw unknownForm(at, json.keys);
}

/** How objects with the same keys are read. */
interface Reading {
  readonly syntax: Parser<Obj> | undefined;
  readonly form: Form | null;
  readonly args: readonly Arg[];
}

/** A parameter of a form, and the place of its argument among the values of an object; -1 where it was left out. */
interface Arg {
  readonly key: string;
  readonly place: number;
  readonly read: Parser;
  /** Whether something that is no array is read as an expression. */
  readonly single: boolean;
}

function readingOf(keys: readonly string[], wire: Wire): Reading {
  const syntax = SYNTAX.find(([names]) => areKeys(keys, names))?.[1];
  const form = syntax === undefined ? findForm(keys, wire) : null;
  const args = form?.keys.map((key): Arg => {
    const param = form.params[key] as Param;
    return { key, place: keys.indexOf(key), read: readerOf(param), single: 'lazyList' in param && param.single };
  });
  return { syntax, form, args: args ?? [] };
}

/** By the rank of the version. */
const READINGS: ((keys: readonly string[]) => Reading)[] = [];
for (const wire of Object.values(WIRE_VERSIONS)) READINGS[wire.rank] = perKeys((keys) => readingOf(keys, wire));

const literal = (value: Value, at: Path): Expr => ({ kind: 'literal', at, effect: 'pure', value, cast: undefined });

// Functions below that call themselves have loops instead of `map`: a query of 1,000 levels must fit
// on a worker's stack, and every function between two levels takes some of it.

function parseArray(json: readonly Value[], at: Path, ctx: ParseContext): Expr {
  const items: Expr[] = [];
  for (let index = 0; index < json.length; index++) items.push(parse(json[index] as Value, at.at(index), ctx));
  const values = valuesOf(items);
  return values === null ? { kind: 'array', at, effect: effectOf(items), items } : literal(values, at);
}

/** The values where all are literal; else `null`. */
function valuesOf(items: readonly Expr[]): Value[] | null {
  const values: Value[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as Expr;
    if (item.kind !== 'literal') return null;
    values.push(item.value);
  }
  return values;
}

/** The strongest of all. */
function effectOf(parts: readonly Expr[]): Effect {
  let effect: Effect = 'pure';
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as Expr;
    if (part.effect !== 'pure') effect = stronger(effect, part.effect);
  }
  return effect;
}

/** Forms that are syntax rather than functions, by their keys. */
const SYNTAX: readonly (readonly [keys: readonly string[], Parser<Obj>])[] = [
  [['@obj'], (json, at, ctx) => parse(wrapped(json.values[0] as Value, at), at.at('@obj'), ctx)],
  [['var'], parseVar],
  [['let', 'in'], parseLet],
  [['object'], parseObject],
];

function parseVar(json: Obj, at: Path, ctx: ParseContext): Expr {
  const name = json.get('var') ?? null;
  if (typeof name !== 'string') throw wrongSyntaxType(at.at('var'), ['String'], typeName(name));
  if (!isBound(name, ctx.variables)) ctx.undefined.push(...undefinedVariable(at, name).failures);
  ctx.used.add(name);
  return { kind: 'var', at, effect: 'pure', name };
}

/** The bindings of a `let`, and the context that its body is read in. */
interface LetHead {
  readonly bindings: readonly { readonly name: string; readonly value: Expr }[];
  readonly bound: ReadonlySet<string>;
  readonly inner: ParseContext;
  readonly failures: Failure[];
}

function parseLet(json: Obj, at: Path, ctx: ParseContext): Expr {
  const head = parseBindings(json, at, ctx);
  let body: Expr | null = null;
  try {
    body = parse(json.get('in') ?? null, at.at('in'), head.inner);
  } catch (error) {
    head.failures.push(...failuresOf(error));
  }
  return letOf(head, body, at, ctx);
}

function parseBindings(json: Obj, at: Path, ctx: ParseContext): LetHead {
  const failures: Failure[] = [];
  const bindings: { name: string; value: Expr }[] = [];
  // Grows with the bindings: each sees those before it.
  const bound = new Set<string>();
  const inner: ParseContext = { ...ctx, used: new Set(), variables: { own: bound, outer: ctx.variables } };
  for (const { name, json: value, at: place, expected } of letBindings(json.get('let') ?? null, at.at('let'), at, ctx)) {
    try {
      if (expected !== undefined) throw wrongSyntaxType(place, [expected], typeName(value));
      bindings.push({ name, value: parse(value, place, inner) });
    } catch (error) {
      failures.push(...failuresOf(error));
    }
    useFree(inner.used, bound, ctx);
    inner.used.clear();
    bound.add(name);
  }
  return { bindings, bound, inner, failures };
}

/** @throws FqlError the failures of all bindings and of the body together */
function letOf({ bindings, bound, inner, failures }: LetHead, body: Expr | null, at: Path, ctx: ParseContext): Expr {
  if (body === null || failures.length > 0) throw new FqlError(failures);
  useFree(inner.used, bound, ctx);
  return { kind: 'let', at, effect: effectOf([...bindings.map(({ value }) => value), body]), bindings, body };
}

/** What is used within and not bound there comes from around. */
function useFree(used: ReadonlySet<string>, bound: ReadonlySet<string>, around: ParseContext): void {
  for (const name of used) if (!bound.has(name)) around.used.add(name);
}

interface Binding {
  readonly name: string;
  readonly json: Value;
  readonly at: Path;
  /** Where something else stands: it is told beside what is wrong with the others. */
  readonly expected?: 'Object' | 'Array';
}

/** An object, perhaps wrapped in `@obj`, or an array of objects with one key each. */
function letBindings(json: Value, at: Path, formAt: Path, ctx: ParseContext): Binding[] {
  if (isArray(json)) {
    return json.map((item, index) => {
      const place = at.at(index);
      if (!(item instanceof Obj) || item.size !== 1) return { name: '', json: item, at: place, expected: 'Object' };
      const name = item.keys[0] as string;
      return { name, json: item.values[0] as Value, at: place.at(name) };
    });
  }
  if (!(json instanceof Obj)) return [{ name: '', json, at, expected: 'Array' }];
  return plainFields(json, at, formAt, ctx).entries().map(([name, value]) => ({ name, json: value, at: at.at(name) }));
}

/** The payload of `object`: an object whose values are expressions. */
function parseObject(form: Obj, formAt: Path, ctx: ParseContext): Expr {
  const json = form.values[0] as Value;
  // With one key it might be wrapped, or an escape.
  if (json instanceof Obj && json.keys.length !== 1 && areScalars(json.values)) return literal(json, formAt);
  const at = formAt.at('object');
  if (!(json instanceof Obj)) throw wrongSyntaxType(at, ['Object'], typeName(json));
  const fields = plainFields(json, at, formAt, ctx);
  const values: Expr[] = [];
  for (let index = 0; index < fields.size; index++) values.push(parse(fields.values[index] as Value, at.at(fields.keys[index] as string), ctx));
  const known = valuesOf(values);
  if (known !== null) return literal(new Obj(fields.keys, known), formAt);
  return { kind: 'object', at: formAt, effect: effectOf(values), keys: fields.keys, values };
}

/** Whether all values are scalars, as those of most objects are. */
function areScalars(values: readonly Value[]): boolean {
  for (let index = 0; index < values.length; index++) if (typeof values[index] === 'object' && values[index] !== null) return false;
  return true;
}

/** The fields of an object that may stand in `@obj`, and may be no other escape. */
function plainFields(json: Obj, at: Path, formAt: Path, ctx: ParseContext): Obj {
  const inner = json.size === 1 ? json.get('@obj') : undefined;
  if (inner !== undefined) return wrapped(inner, at);
  const escape = escapeOf(json);
  if (escape !== null) throw wrongSyntaxType(formAt, ['Object'], typeName(escape(json.values[0] as Value, at, ctx)));
  return json;
}

function wrapped(json: Value, at: Path): Obj {
  if (!(json instanceof Obj)) throw invalidExpression(at, 'Invalid object.');
  return json;
}

function call(form: Form, params: readonly Arg[], json: Obj, at: Path, ctx: ParseContext): Expr {
  const args: (Expr | undefined)[] = [];
  let { effect } = form;
  for (let index = 0; index < params.length; index++) {
    const { key, place, read, single } = params[index] as Arg;
    if (place < 0) {
      args.push(undefined);
      continue;
    }
    const given = json.values[place] as Value;
    const arg = single && !isArray(given) ? parse(given, at.at(key), ctx) : read(given, at.at(key), ctx);
    args.push(arg);
    if (arg.effect !== 'pure') effect = stronger(effect, arg.effect);
  }
  return { kind: 'call', at, effect, form, code: form.code, args };
}

type Parser<Json extends Value = Value> = (json: Json, at: Path, ctx: ParseContext) => Expr;

function readerOf(param: Param): Parser {
  if ('lazyList' in param) return operands;
  return 'lazy' in param || param.syntax === undefined ? parse : ARGUMENTS[param.syntax];
}

/** A list of expressions. One that may stand for a list of one does not come here: it is read as any other expression. */
function operands(json: Value, at: Path, ctx: ParseContext): Expr {
  if (!isArray(json)) throw wrongSyntaxType(at, ['Array'], typeName(json));
  if (json.length === 0) throw emptyList(at);
  const items: Expr[] = [];
  for (let index = 0; index < json.length; index++) items.push(parse(json[index] as Value, at.at(index), ctx));
  return { kind: 'array', at, effect: effectOf(items), items };
}

/** How arguments are read that are not ordinary expressions. */
const ARGUMENTS: Readonly<Record<NonNullable<Cast<unknown>['syntax']>, Parser>> = {
  lambda: parseLambda,
  'shown lambda': (json, at, ctx) => shown(parseLambda(json, at, ctx), ctx),
  // It does not run here.
  'stored lambda': (json, at, ctx) => ({ ...shown(parseLambda(json, at, ctx), ctx), effect: 'pure' }),
  literal: (json, at, ctx) => literal(parseLiteral(json, at, ctx), at),
  // A faulty lambda is read again as an expression, so it shows as an unknown form.
  'lambda or expression': (json, at, ctx) => {
    if (!(json instanceof Obj) || !json.has('lambda')) return parse(json, at, ctx);
    try {
      return shown(parseLambda(json, at, ctx), ctx);
    } catch (error) {
      // Throws what is no failure of the query.
      failuresOf(error);
      return parse(json, at, ctx);
    }
  },
};

type LambdaExpr = Extract<Expr, { kind: 'lambda' }>;

/** A lambda that may be shown or stored, with its body in the form in which that is done. */
const shown = (lambda: LambdaExpr, ctx: ParseContext): LambdaExpr => ({ ...lambda, code: { ...lambda.code, source: shownSource(lambda.code.source, ctx) } });

function parseLambda(json: Value, at: Path, ctx: ParseContext): LambdaExpr {
  if (!(json instanceof Obj)) throw wrongSyntaxType(at, ['Lambda'], typeName(json));
  const params = json.get('lambda');
  const body = json.get('expr');
  if (params === undefined || body === undefined || json.size !== 2) {
    throw unknownForm(at, json.keys);
  }
  const code = parseLambdaCode(params, body, at, ctx, ctx.wire.lambdaStamp);
  return { kind: 'lambda', at, effect: code.effect, code };
}

/** @throws FqlError the failures of parameters and body together */
export function parseLambdaCode(params: Value, source: Value, at: Path, ctx: ParseContext, version: string): LambdaCode {
  // What goes before and after stands in functions of its own: this one is on the stack at every level of nested lambdas.
  const scope = lambdaScope(params, at, ctx);
  const body = scope.failures.length === 0 ? parse(source, at.at('expr'), scope.inner) : failWith(scope, source);
  return lambdaCode(scope, body, source, version);
}

/** The inside of a lambda, and where it stands. */
interface LambdaScope {
  readonly at: Path;
  readonly outer: ParseContext;
  readonly names: string | readonly string[];
  readonly own: ReadonlySet<string>;
  readonly inner: ParseContext;
  readonly failures: Failure[];
}

function lambdaScope(params: Value, at: Path, ctx: ParseContext): LambdaScope {
  const failures: Failure[] = [];
  const names = lambdaParams(params, at.at('lambda'), failures);
  // `_` takes nothing, so nothing can be had of it.
  const own = new Set((typeof names === 'string' ? [names] : names).filter((name) => name !== '_'));
  return { at, outer: ctx, names, own, inner: { ...ctx, used: new Set(), variables: { own, outer: ctx.variables } }, failures };
}

function lambdaCode({ at, outer, names, own, inner }: LambdaScope, body: Expr, source: Value, version: string): LambdaCode {
  const free = [...inner.used].filter((name) => !own.has(name));
  for (const name of free) outer.used.add(name);
  return { at, params: names, body, effect: body.effect, source, version, free };
}

/** The failures of parameters, with those of the body after them. */
function failWith({ at, failures, inner }: LambdaScope, source: Value): never {
  try {
    parse(source, at.at('expr'), inner);
  } catch (error) {
    failures.push(...failuresOf(error));
  }
  throw new FqlError(failures);
}

function lambdaParams(params: Value, at: Path, failures: Failure[]): string | readonly string[] {
  if (typeof params === 'string') return params;
  if (!isArray(params)) {
    failures.push(...wrongSyntaxType(at, ['String', 'Array'], typeName(params)).failures);
    return [];
  }
  return params.filter((name, index): name is string => {
    if (typeof name === 'string') return true;
    failures.push(...wrongSyntaxType(at.at(index), ['String'], typeName(name)).failures);
    return false;
  });
}

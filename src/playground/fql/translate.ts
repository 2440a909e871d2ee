// FQL as one writes it with the JavaScript driver: `Map(Paginate(Documents(Collection("x"))), ref => Get(ref))`.
// The text is parsed and never run as JavaScript. It may hold literals, calls of the driver's
// functions and functions that stand for lambdas; the driver's own functions make the query of them.
import { javascriptLanguage } from '@codemirror/lang-javascript';
import type { SyntaxNode } from '@lezer/common';
import { query } from 'faunadb';
import type { Mistake } from '../editor/mistake.ts';
import { unquoted } from './unquoted.ts';

/** The query as JSON of version 4, or the first mistake in its text. */
export type Translation = { readonly json: string } | { readonly mistake: Mistake };

/** Parameters of the functions around a place, by name. */
type Scope = Readonly<Record<string, unknown>>;
type Function = (...values: unknown[]) => unknown;

// The driver's types name each function with its own parameters; here one is called by its name.
const { wrap, arity: _arity, ...callable } = query as unknown as Readonly<Record<string, Function>> & { readonly wrap: Function };

/** The driver's functions by their names in FQL. */
export const functions: Readonly<Record<string, Function>> = callable;

const grammar = javascriptLanguage.parser.configure({ top: 'SingleExpression' });

class Mistaken extends Error {
  constructor(
    readonly place: Pick<SyntaxNode, 'from' | 'to'>,
    message: string,
  ) {
    super(message);
  }
}

export function translate(text: string): Translation {
  try {
    const { topNode } = grammar.parse(text);
    const [expression] = partsOf(topNode);
    if (expression === undefined || (expression.type.isError && expression.from === expression.to)) throw new Mistaken(expression ?? topNode, 'There is no query here');
    checkSyntax(topNode, text);
    const asked = queryIn(expression, text);
    const value = reader(text)(asked, {});
    if (value === undefined) throw new Mistaken(asked, 'There is no query here');
    return { json: JSON.stringify(made(asked, 'Lambda', () => wrap(value))) };
  } catch (error) {
    if (!(error instanceof Mistaken)) throw error;
    return { mistake: { from: error.place.from, to: error.place.to, message: error.message } };
  }
}

/** The query in what an application does with it, as documentation shows it: `await client.query(…)`, `client.query(…).then(…)`. */
function queryIn(node: SyntaxNode, source: string): SyntaxNode {
  const textOf = ({ from, to }: SyntaxNode): string => source.slice(from, to);
  const [first, list] = partsOf(node);
  const within = /^(?:Await|Parenthesized)Expression$/.test(node.name) ? partsOf(node).at(-1) : undefined;
  if (within !== undefined) return queryIn(within, source);
  if (node.name !== 'CallExpression' || first?.name !== 'MemberExpression' || list === undefined) return node;
  const [object = node, property = first] = partsOf(first);
  const method = textOf(property);
  const [query, options] = partsOf(list);
  if (/^(?:then|catch|finally)$/.test(method)) {
    if (/\.\s*query\s*\(/.test(textOf(list))) throw new Mistaken(list, 'One query runs at a time: this one would not be sent');
    return queryIn(object, source);
  }
  if (method !== 'query') return node;
  if (query === undefined) throw new Mistaken(list, 'There is no query here');
  if (options !== undefined) throw new Mistaken(options, 'Options are not taken: the secret stands below the editor');
  return query;
}

function checkSyntax(top: SyntaxNode, source: string): void {
  // A semicolon may end it, as in a script.
  const last = partsOf(top).findLast(({ from, to }) => from < to);
  const end = last?.type.isError === true && source.slice(last.from, last.to) === ';' ? last.from : Infinity;
  const cursor = top.cursor();
  do {
    const { from, to } = cursor;
    if (!cursor.type.isError || from >= end) continue;
    if (source.slice(from).trim() === '') throw new Mistaken({ from, to }, 'The query ends too early');
    const found = /^\s*(\w+|.)/su.exec(source.slice(from))?.[1];
    throw new Mistaken({ from, to }, `${found} is not expected here`);
  } while (cursor.next());
}

const BETWEEN = /^(?:[()[\]{}:.]|Arrow|LineComment|BlockComment)$/;

/** What a node is made of, without marks and comments. */
function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  let separated = 0;
  for (let part = node.firstChild; part !== null; part = part.nextSibling) {
    if (BETWEEN.test(part.name)) continue;
    if (part.name !== ',') parts.push(part);
    else if (parts.length > separated) separated = parts.length;
    else throw new Mistaken(part, 'Nothing stands before this comma');
  }
  return parts;
}

/** Reads expressions of a text as the values that the driver's functions take. */
function reader(source: string) {
  const textOf = ({ from, to }: SyntaxNode): string => source.slice(from, to);

  const string = (node: SyntaxNode): string => {
    try {
      return unquoted(textOf(node));
    } catch {
      throw new Mistaken(node, 'The last of all characters is \\u{10FFFF}');
    }
  };

  const read = (node: SyntaxNode, scope: Scope): unknown => {
    const kind = KINDS[node.name];
    if (kind === undefined) throw new Mistaken(node, `${textOf(node)} cannot stand in a query`);
    return kind(node, scope);
  };

  const readAll = (node: SyntaxNode, scope: Scope): unknown[] => partsOf(node).map((part) => read(part, scope));

  const property = (node: SyntaxNode, scope: Scope): [string, unknown] => {
    const [key, value] = partsOf(node);
    if (key === undefined || !/^(?:PropertyDefinition|String|Number)$/.test(key.name)) throw new Mistaken(node, 'A field has a name and a value');
    const name = key.name === 'PropertyDefinition' ? textOf(key) : String(read(key, scope));
    if (name === '__proto__') throw new Mistaken(key, 'The driver loses a field of this name: write the query as JSON');
    return [name, value === undefined ? variable(key, scope) : read(value, scope)];
  };

  const variable = (node: SyntaxNode, scope: Scope): unknown => {
    const name = textOf(node);
    if (Object.hasOwn(scope, name)) return scope[name];
    if (name === 'undefined') return undefined;
    throw new Mistaken(node, Object.hasOwn(functions, name) ? `${name} is a function: call it` : `${name} is not defined; variables of Let and Lambda are Var("${name}")`);
  };

  const call = (node: SyntaxNode, scope: Scope): unknown => {
    const [callee, list] = partsOf(node);
    // As `Get`, `q.Get` or `faunadb.query.Get`.
    const name = callee === undefined ? '' : /^(?:\w+\s*\.\s*)*(\w+)$/.exec(textOf(callee))?.[1];
    if (name === undefined || callee === undefined || list === undefined) throw new Mistaken(node, 'Only functions of FQL can be called');
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called === undefined) throw new Mistaken(callee, `There is no function ${name}${similar(name)}`);
    const values = readAll(list, scope);
    return made(node, name, () => called(...values));
  };

  /** A function that the driver makes a lambda of. */
  const lambda = (node: SyntaxNode, scope: Scope): unknown => {
    const parameters = partsOf(node.getChild('ParamList') ?? node);
    const names = parameters.map((parameter) => {
      if (parameter.name !== 'VariableDefinition') throw new Mistaken(parameter, 'A parameter is a name');
      return textOf(parameter);
    });
    const body = bodyOf(node);
    const apply = (...values: unknown[]): unknown => read(body, { ...scope, ...Object.fromEntries(names.map((name, at) => [name, values[at]])) });
    // The driver finds the names of parameters in the function's text.
    return Object.defineProperties(apply, { length: { value: names.length }, toString: { value: () => `(${names.join(', ')}) => 0` } });
  };

  const KINDS: Readonly<Record<string, (node: SyntaxNode, scope: Scope) => unknown>> = {
    ArrayExpression: readAll,
    ArrowFunction: lambda,
    BooleanLiteral: (node) => textOf(node) === 'true',
    CallExpression: call,
    FunctionExpression: lambda,
    null: () => null,
    Number: (node) => number(node, textOf(node)),
    ObjectExpression: (node, scope) => Object.fromEntries(partsOf(node).map((part) => property(part, scope))),
    ParenthesizedExpression: (node, scope) => partsOf(node).map((part) => read(part, scope))[0],
    String: string,
    TemplateString: (node) => {
      const inserted = node.getChild('Interpolation');
      if (inserted !== null) throw new Mistaken(inserted, 'A text is put together by Concat or Format');
      return string(node);
    },
    UnaryExpression: (node, scope) => {
      const [operator = node, operand] = partsOf(node);
      const sign = textOf(operator);
      if (sign !== '-' && sign !== '+') throw new Mistaken(operator, `${sign} cannot stand in a query${sign === '!' ? ': use Not' : ''}`);
      if (operand?.name !== 'Number') throw new Mistaken(node, 'Only numbers have a sign');
      const value = read(operand, scope) as number;
      return sign === '-' ? -value : value;
    },
    VariableName: variable,
  };
  return read;
}

function number(node: SyntaxNode, text: string): number {
  const plain = text.replaceAll('_', '');
  const value = Number(plain);
  if (!Number.isFinite(value)) throw new Mistaken(node, `${text} is not a number that FQL has`);
  // With a point or an exponent it is a double, which may be as large.
  if (/^(?:\d+|0[box].+)$/i.test(plain) && !Number.isSafeInteger(value)) throw new Mistaken(node, `${text} is too large for JavaScript: use ToInteger("${BigInt(plain)}")`);
  return value;
}

/** What a function gives: its expression, or what its only statement returns. */
function bodyOf(node: SyntaxNode): SyntaxNode {
  const body = partsOf(node).at(-1);
  if (body === undefined) throw new Mistaken(node, 'A lambda gives an expression');
  if (body.name !== 'Block') return body;
  const [statement, another] = partsOf(body);
  const [, returned] = statement?.name === 'ReturnStatement' ? partsOf(statement) : [];
  if (returned === undefined || another !== undefined) throw new Mistaken(body, 'A lambda gives an expression, or returns one as its only statement');
  return returned;
}

/** What the driver makes with its function of this name, for what stands at the place. */
function made(place: SyntaxNode, name: string, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    throw error instanceof Mistaken ? error : new Mistaken(place, refusal(name, error));
  }
}

/** Why the driver's function does not take its arguments. */
function refusal(name: string, error: unknown): string {
  const { min, max, actual, message } = error as { readonly min?: number | null; readonly max?: number | null; readonly actual?: number; readonly message: string };
  if (actual === undefined) return `${name}: ${message}`;
  const wanted = max === null ? `at least ${min}` : min === null || min === max ? `${max}` : `${min} to ${max}`;
  return `${name} takes ${wanted} argument${(max ?? min) === 1 ? '' : 's'}, not ${actual}`;
}

function similar(name: string): string {
  const meant = Object.keys(functions).find((known) => known.toLowerCase() === name.replaceAll('_', '').toLowerCase());
  return meant === undefined ? '' : `; FQL has ${meant}`;
}

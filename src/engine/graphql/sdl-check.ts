// What a schema definition may not say. Texts are those of the gateway's library where it
// had one (reference: graphql/graphql.md §1.3, §9.1, §11); the rest are ours.
import {
  type ASTNode, type ConstDirectiveNode, type DefinitionNode, type DocumentNode, type FieldDefinitionNode, type GraphQLError,
  type InputValueDefinitionNode, Kind, type NameNode, type NamedTypeNode, print, type TypeNode,
} from 'graphql';
import { type DirectiveEntry, DIRECTIVES, type Place } from './directives/index.ts';
import { baseName, type Model, SCALARS } from './model.ts';
import { capitalize, inputName, partialInputName } from './names.ts';
import { type DefiningNode, isEnum, isExtension, isInput, isObject, nodesByType } from './sdl-types.ts';
import { didYouMean } from './suggestions.ts';
import { violation } from './violation.ts';

/** By how the kinds of their nodes begin. */
const UNSUPPORTED = ['UnionType', 'InterfaceType', 'ScalarTypeExtension', 'DirectiveDefinition', 'OperationDefinition', 'FragmentDefinition'];

const unsupported = (node: DefinitionNode): string => `Unsupported GraphQL type ${print(node)}`;

const ROOTS = ['Query', 'Mutation'];

/** What kinds of types a name may stand for, and where. */
interface Names {
  /** Types of results. */
  readonly output: ReadonlySet<string>;
  /** Types of arguments and of fields of inputs. */
  readonly input: ReadonlySet<string>;
  /** Types with a collection. */
  readonly collections: ReadonlySet<string>;
  /** What may be extended, by kind. */
  readonly defined: Readonly<Record<Kinds, ReadonlySet<string>>>;
}

type Kinds = 'object' | 'input' | 'enum';

type Report = (message: string, ...nodes: ASTNode[]) => void;

/** Enough to mend a schema; a hostile one could have any number. */
const MAX_PROBLEMS = 100;

/** The first problems of a document; none means it can become a model. */
export function checkSdl(document: DocumentNode, known: Model): readonly GraphQLError[] {
  const problems: GraphQLError[] = [];
  const report: Report = (message, ...nodes) => {
    if (problems.length < MAX_PROBLEMS) problems.push(violation(message, ...nodes));
  };
  const names = namesOf(document, known);
  const defined = new Map<string, NameNode>();
  for (const node of document.definitions) {
    if (problems.length === MAX_PROBLEMS) return problems;
    if (UNSUPPORTED.some((kind) => node.kind.startsWith(kind))) report(unsupported(node), node);
    else checkDefinition(node, names, defined, report);
  }
  for (const [isKind, kind, member] of KINDS) {
    for (const nodes of nodesByType<DefiningNode>(document.definitions, isKind)) {
      const [first] = nodes;
      const type = first.name.value;
      const members = nodes.flatMap((node): readonly Member[] => (isEnum(node) ? node.values : node.fields) ?? []);
      // An extension adds to what is known. `type Query` alone is a start for those of other files.
      if (members.length === 0 && !isExtension(first) && !ROOTS.includes(type)) {
        report(`${kind} '${type}' must define one or more ${member}s.`, first);
      }
      checkDoubles(members, `${kind} '${type}'`, member, report);
    }
  }
  return problems;
}

function namesOf({ definitions }: DocumentNode, known: Model): Names {
  const here = (nodes: readonly DefiningNode[]): string[] => nodes.map((node) => node.name.value);
  const before = (types: readonly { readonly name: string }[]): string[] => types.map((type) => type.name);
  const objects = definitions.filter(isObject).filter((node) => !ROOTS.includes(node.name.value));
  const defined = new Set(here(objects.filter((node) => !isExtension(node))));
  const embedded = new Set([
    ...here(objects.filter((node) => has(node.directives, 'embedded'))),
    ...before(known.embedded).filter((name) => !defined.has(name)),
  ]);
  const types = [...here(objects), ...before(known.collections), ...before(known.embedded)];
  const enums = [...here(definitions.filter(isEnum)), ...before(known.enums)];
  const generated = types.flatMap((name) => [inputName(name), partialInputName(name)]);
  const inputs = [...here(definitions.filter(isInput)), ...before(known.inputs), ...generated];
  const whole = (nodes: readonly DefiningNode[]): string[] => here(nodes.filter((node) => !isExtension(node)));
  return {
    defined: {
      object: new Set([...ROOTS, ...defined, ...before(known.collections), ...before(known.embedded)]),
      input: new Set([...whole(definitions.filter(isInput)), ...before(known.inputs)]),
      enum: new Set([...whole(definitions.filter(isEnum)), ...before(known.enums)]),
    },
    output: new Set([...SCALARS, ...enums, ...types]),
    input: new Set([...SCALARS, ...enums, ...inputs]),
    collections: new Set(types.filter((name) => !embedded.has(name))),
  };
}

function checkDefinition(node: DefinitionNode, names: Names, defined: Map<string, NameNode>, report: Report): void {
  if ('operationTypes' in node) {
    for (const { operation, type } of node.operationTypes ?? []) {
      const wanted = capitalize(operation);
      if (type.name.value !== wanted) report(`The type of the operation '${operation}' must be named '${wanted}'.`, type);
    }
  }
  if (!('name' in node) || node.name === undefined) return;
  const name = node.name.value;
  const earlier = defined.get(name);
  if (!isExtension(node)) {
    if (earlier !== undefined) report(`Type '${name}' is defined more than once.`, earlier, node.name);
    defined.set(name, node.name);
  }
  const kind = isObject(node) ? 'object' : isInput(node) ? 'input' : 'enum';
  if (isExtension(node) && !names.defined[kind].has(name)) report(`Cannot extend type '${name}' because it is not defined.`, node.name);
  checkName(node.name, report);
  const isScalar = (SCALARS as readonly string[]).includes(name);
  if (node.kind === Kind.SCALAR_TYPE_DEFINITION) {
    if (!isScalar) report(unsupported(node), node);
  } else if (isScalar) report(`Type '${name}' is defined more than once.`, node.name);
  if (isObject(node)) {
    if (name === 'Subscription') return report('Subscriptions are not supported.', node);
    if ((node.interfaces ?? []).length > 0) report('Interface types are not supported.', node);
    checkUses(node.directives, 'object type', report);
    if (has(node.directives, 'embedded') && has(node.directives, 'generateUDFResolvers')) {
      report(`Directive 'generateUDFResolvers' may not be used on the embedded type '${name}'.`, node);
    }
    for (const field of node.fields ?? []) checkField(name, field, names, report);
  } else if (isInput(node)) {
    // The gateway took any directive on inputs, where they mean nothing, as schemas show that applications were deployed with.
    checkUses(node.directives, null, report);
    for (const field of node.fields ?? []) checkArgument(field, null, names, report);
  } else if (isEnum(node)) {
    checkUses(node.directives, 'enum', report);
    for (const value of node.values ?? []) checkUses(value.directives, 'enum value', report);
  }
}

/** Types by what they consist of. */
const KINDS = [
  [isObject, 'Object type', 'field'],
  [isInput, 'Input type', 'field'],
  [isEnum, 'Enum type', 'value'],
] as const;

function checkField(type: string, field: FieldDefinitionNode, names: Names, report: Report): void {
  checkName(field.name, report);
  checkUses(field.directives, 'field', report);
  checkTypeName(field.type, names.output, report);
  checkDoubles(field.arguments ?? [], `Field '${type}.${field.name.value}'`, 'argument', report);
  for (const argument of field.arguments ?? []) checkArgument(argument, 'argument', names, report);
  if (!ROOTS.includes(type) || has(field.directives, 'resolver')) return;
  const result = named(field.type).name.value;
  if (type === 'Mutation') {
    report(`Field 'Mutation.${field.name.value}' needs the directive 'resolver'.`, field);
  } else if (names.output.has(result) && !names.collections.has(result)) {
    report(`Field 'Query.${field.name.value}' of type '${result}' needs the directive 'resolver', because '${result}' has no collection.`, field);
  }
}

function checkArgument(argument: InputValueDefinitionNode, on: string | null, names: Names, report: Report): void {
  checkName(argument.name, report);
  checkUses(argument.directives, on, report);
  checkTypeName(argument.type, names.input, report);
}

function checkName(name: NameNode, report: Report): void {
  if (name.value.startsWith('_')) report(`Name '${name.value}' must not begin with '_'.`, name);
}

function checkTypeName(type: TypeNode, allowed: ReadonlySet<string>, report: Report): void {
  const node = named(type);
  if (!allowed.has(node.name.value)) {
    report(`Unknown type '${node.name.value}'.${didYouMean(node.name.value, [...allowed])}`, node);
  }
}

/** @param on of what definition they are, in the words of messages; `null` for one that takes any */
function checkUses(uses: readonly ConstDirectiveNode[] = [], on: string | null, report: Report): void {
  for (const node of uses) {
    const entry = DIRECTIVES.find((candidate) => candidate.name === node.name.value);
    if (entry === undefined) report(`Unknown directive '${node.name.value}'.`, node);
    else if (on !== null && ![entry.on, entry.alsoOn].some((place) => place !== undefined && PLACES[place] === on)) report(`Directive '${entry.name}' may not be used on ${on} definition.`, node);
    else checkArguments(node, entry, report);
  }
}

const PLACES: Readonly<Record<Place, string>> = { OBJECT: 'object type', FIELD_DEFINITION: 'field', ENUM_VALUE: 'enum value' };

function checkArguments(node: ConstDirectiveNode, entry: DirectiveEntry, report: Report): void {
  for (const argument of node.arguments ?? []) {
    const wanted = entry.args.find((candidate) => candidate.name === argument.name.value);
    const kind = wanted && baseName(wanted.type) === 'Boolean' ? Kind.BOOLEAN : Kind.STRING;
    if (wanted === undefined) {
      const near = didYouMean(argument.name.value, entry.args.map(({ name }) => name));
      report(`Unknown argument '${argument.name.value}' on directive '${entry.name}'.${near}`, argument);
    } else if (argument.value.kind !== kind) {
      report(`Argument '${wanted.name}' of directive '${entry.name}' has a wrong type.`, argument.value);
    }
  }
  for (const wanted of entry.args) {
    // `@index` without a name was accepted on fields of types.
    const required = 'NotNull' in wanted.type && wanted.default === undefined && entry.name !== 'index';
    if (required && !(node.arguments ?? []).some((argument) => argument.name.value === wanted.name)) {
      report(`Directive '${entry.name}' argument '${wanted.name}' of type 'String!' is required but not provided.`, node);
    }
  }
}

interface Member {
  readonly name: NameNode;
}

function checkDoubles(nodes: readonly Member[], owner: string, kind: string, report: Report): void {
  const seen = new Map<string, NameNode>();
  for (const { name } of nodes) {
    const earlier = seen.get(name.value);
    if (earlier !== undefined) report(`${owner} can include ${kind} '${name.value}' only once.`, earlier, name);
    seen.set(name.value, name);
  }
}

const has = (uses: readonly ConstDirectiveNode[] | undefined, name: string): boolean =>
  (uses ?? []).some((use) => use.name.value === name);

function named(type: TypeNode): NamedTypeNode {
  return type.kind === Kind.NAMED_TYPE ? type : named(type.type);
}

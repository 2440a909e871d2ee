// SDL text → model, as written: nothing filled in yet, names checked (see sdl-check.ts).
import { isExhaustion } from '../base/exhaustion.ts';
import {
  Kind, parse, print, type ConstDirectiveNode, type DefinitionNode, type DocumentNode, type EnumValueDefinitionNode, type FieldDefinitionNode, GraphQLError,
  type InputValueDefinitionNode, type TypeNode, visit,
} from 'graphql';
import {
  type Argument, byName, described, type DirectiveUse, directive, EMPTY_MODEL, type EnumType, type EnumValue, type Field, type InputType, type Model, type ObjectType,
  type RootName, type TypeRef,
} from './model.ts';
import { checkSdl } from './sdl-check.ts';
import { type DefiningNode, isEnum, isExtension, isInput, isObject, nodesByType } from './sdl-types.ts';
import { syntaxText } from './messages.ts';
import { renderError } from './violation.ts';

/** A schema definition that cannot be imported; the message is what the client reads. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/**
 * Reads a schema definition.
 * @param known what the database already has: its types may be used without being defined again.
 * @throws ImportError syntax, unknown or doubled names, misplaced directives, what is not supported
 */
export function readSdl(text: string, known: Model = EMPTY_MODEL): Model {
  const document = parseSdl(text);
  requireShallow(document);
  const problems = checkSdl(document, known);
  if (problems.length > 0) throw new ImportError(problems.map((problem) => renderError(problem)).join('\n'));
  return toModel(document.definitions, known);
}

/** Far above any real schema; bounds the work for one that is made to hurt. */
const MAX_TOKENS = 500_000;
/** Of the parsed definition. What is imported is stored, and what is stored must be readable again. */
const MAX_NESTING = 100;
const tooDeep = (): ImportError => new ImportError('The schema definition is nested too deeply.');

function parseSdl(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (error instanceof GraphQLError) throw new ImportError(renderError(error, syntaxText(error)));
    // The parser recurses: a text nested to exhaust the stack is a bad one.
    if (isExhaustion(error)) throw tooDeep();
    throw error;
  }
}

function requireShallow(document: DocumentNode): void {
  let depth = 0;
  visit(document, {
    enter() {
      if (++depth > MAX_NESTING) throw tooDeep();
    },
    leave() {
      depth--;
    },
  });
}

function toModel(definitions: readonly DefinitionNode[], known: Model): Model {
  const objects = typesOf(definitions, isObject, [...known.collections, ...known.embedded], (head, nodes, old): ObjectType => ({
    ...head,
    fields: byName(old?.fields ?? [], nodes.flatMap((node) => node.fields ?? []).map(toField)),
    directives: byName(old?.directives ?? [], nodes.flatMap((node) => toUses(node.directives))),
  }));
  const rootFields = (root: RootName): readonly Field[] => objects.find((type) => type.name === root)?.fields ?? [];
  const types = objects.filter((type) => type.name !== 'Query' && type.name !== 'Mutation');
  return {
    collections: types.filter((type) => directive(type, 'embedded') === undefined),
    embedded: types.filter((type) => directive(type, 'embedded') !== undefined),
    enums: typesOf(definitions, isEnum, known.enums, (head, nodes, old): EnumType => ({
      ...head, values: byName(old?.values ?? [], nodes.flatMap((node) => node.values ?? []).map(toValue)),
    })),
    inputs: typesOf(definitions, isInput, known.inputs, (head, nodes, old): InputType => ({
      ...head, fields: byName(old?.fields ?? [], nodes.flatMap((node) => node.fields ?? []).map(toArgument)),
    })),
    query: rootFields('Query'),
    mutation: rootFields('Mutation'),
  };
}

/** The types of one kind. What is only extended adds to what is known, and takes the place of its namesakes there. */
function typesOf<N extends DefiningNode, T extends Head>(
  definitions: readonly DefinitionNode[], isKind: (node: DefinitionNode) => node is N, known: readonly T[],
  typeOf: (head: Head, nodes: readonly N[], old: T | undefined) => T,
): readonly T[] {
  return nodesByType(definitions, isKind).map((nodes) => {
    const [first] = nodes;
    const old = isExtension(first) ? known.find((type) => type.name === first.name.value) : undefined;
    return typeOf({ ...described(old ?? {}), ...headOf(first) }, nodes, old);
  });
}

interface Head {
  readonly name: string;
  readonly description?: string;
}

interface Named {
  readonly name: { readonly value: string };
  readonly description?: { readonly value: string } | undefined;
}

const headOf = (node: Named): Head => ({
  name: node.name.value,
  ...(node.description && { description: node.description.value }),
});

const toValue = (node: EnumValueDefinitionNode): EnumValue => ({ ...headOf(node), directives: toUses(node.directives) });

const toField = (node: FieldDefinitionNode): Field => ({
  ...headOf(node),
  directives: toUses(node.directives),
  type: toTypeRef(node.type),
  arguments: (node.arguments ?? []).map(toArgument),
});

const toArgument = (node: InputValueDefinitionNode): Argument => ({
  ...headOf(node),
  type: toTypeRef(node.type),
  ...(node.defaultValue && { default: print(node.defaultValue) }),
});

function toTypeRef(node: TypeNode): TypeRef {
  if (node.kind === Kind.NAMED_TYPE) return { Named: node.name.value };
  if (node.kind === Kind.LIST_TYPE) return { List: toTypeRef(node.type) };
  return { NotNull: toTypeRef(node.type) };
}

/** Written twice, a directive counts once. */
function toUses(nodes: readonly ConstDirectiveNode[] = []): DirectiveUse[] {
  const uses = nodes.map((node) => ({
    name: node.name.value,
    args: Object.fromEntries(
      (node.arguments ?? []).flatMap(({ name, value }) =>
        value.kind === Kind.STRING || value.kind === Kind.BOOLEAN ? [[name.value, value.value] as const] : [],
      ),
    ),
  }));
  return uses.filter((use, at) => uses.findIndex((other) => other.name === use.name) === at);
}

// SDL text → model, as written: nothing filled in yet, names checked (see sdl-check.ts).
import { isExhaustion } from '../base/exhaustion.ts';
import {
  Kind, parse, print, type ConstDirectiveNode, type DefinitionNode, type DocumentNode, type EnumValueDefinitionNode,
  type FieldDefinitionNode, GraphQLError, type InputValueDefinitionNode, type TypeNode, visit,
} from 'graphql';
import {
  type Argument, type DirectiveUse, directive, EMPTY_MODEL, type EnumType, type Field, type InputType, type Model, type ObjectType,
  type TypeRef,
} from './model.ts';
import { checkSdl } from './sdl-check.ts';
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
  return toModel(document.definitions);
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

function toModel(definitions: readonly DefinitionNode[]): Model {
  const objects = new Map<string, ObjectType>();
  const inputs = new Map<string, InputType>();
  const enums = new Map<string, EnumType>();
  for (const node of definitions) {
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION: {
        const old = objects.get(node.name.value);
        const fields = [...(old?.fields ?? []), ...(node.fields ?? []).map(toField)];
        const directives = [...(old?.directives ?? []), ...toUses(node.directives)];
        objects.set(node.name.value, { ...head(node), ...described(old), fields, directives });
        break;
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_EXTENSION: {
        const old = inputs.get(node.name.value);
        const fields = [...(old?.fields ?? []), ...(node.fields ?? []).map(toArgument)];
        inputs.set(node.name.value, { ...head(node), ...described(old), fields });
        break;
      }
      case Kind.ENUM_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_EXTENSION: {
        const old = enums.get(node.name.value);
        const values = [...(old?.values ?? []), ...(node.values ?? []).map(head)];
        enums.set(node.name.value, { ...head(node), ...described(old), values });
        break;
      }
    }
  }
  const { Query: query, Mutation: mutation, ...rest } = Object.fromEntries(objects);
  const types = Object.values(rest);
  return {
    collections: types.filter((type) => directive(type, 'embedded') === undefined),
    embedded: types.filter((type) => directive(type, 'embedded') !== undefined),
    enums: [...enums.values()],
    inputs: [...inputs.values()],
    query: query?.fields ?? [],
    mutation: mutation?.fields ?? [],
  };
}

interface Named {
  readonly name: { readonly value: string };
  readonly description?: { readonly value: string } | undefined;
}

const head = (node: Named | EnumValueDefinitionNode): { name: string; description?: string } => ({
  name: node.name.value,
  ...(node.description && { description: node.description.value }),
});

/** An extension keeps the description of what it extends. */
const described = (old: { readonly description?: string } | undefined): { description?: string } =>
  old?.description === undefined ? {} : { description: old.description };

const toField = (node: FieldDefinitionNode): Field => ({
  ...head(node),
  directives: toUses(node.directives),
  type: toTypeRef(node.type),
  arguments: (node.arguments ?? []).map(toArgument),
});

const toArgument = (node: InputValueDefinitionNode): Argument => ({
  ...head(node),
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

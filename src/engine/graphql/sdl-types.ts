// The types a schema definition speaks of. What extends a type belongs to it, wherever it
// stands in the text.
import {
  type DefinitionNode, type EnumTypeDefinitionNode, type EnumTypeExtensionNode, type InputObjectTypeDefinitionNode,
  type InputObjectTypeExtensionNode, type ObjectTypeDefinitionNode, type ObjectTypeExtensionNode,
} from 'graphql';

export type ObjectNode = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;
export type InputNode = InputObjectTypeDefinitionNode | InputObjectTypeExtensionNode;
export type EnumNode = EnumTypeDefinitionNode | EnumTypeExtensionNode;
export type DefiningNode = ObjectNode | InputNode | EnumNode;

export const isObject = (node: DefinitionNode): node is ObjectNode => node.kind.startsWith('ObjectType');
export const isInput = (node: DefinitionNode): node is InputNode => node.kind.startsWith('InputObjectType');
export const isEnum = (node: DefinitionNode): node is EnumNode => node.kind.startsWith('EnumType');
export const isExtension = (node: DefinitionNode): boolean => node.kind.endsWith('Extension');

/** For each type of a kind its nodes: the definition, if there is one, before what extends it. */
export function nodesByType<N extends DefiningNode>(
  definitions: readonly DefinitionNode[], isKind: (node: DefinitionNode) => node is N,
): readonly (readonly [N, ...N[]])[] {
  const types = new Map<string, [N, ...N[]]>();
  for (const node of definitions.filter(isKind).sort((a, b) => Number(isExtension(a)) - Number(isExtension(b)))) {
    const others = types.get(node.name.value);
    if (others === undefined) types.set(node.name.value, [node]);
    else others.push(node);
  }
  return [...types.values()];
}

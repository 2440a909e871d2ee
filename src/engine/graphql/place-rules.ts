// What the library's own rules find, too, but tell with other words or at other places than the gateway did.
import {
  type ASTNode, type ASTVisitor, type DirectiveNode, type FieldNode, getNamedType, isLeafType, type NameNode, type ValidationContext,
} from 'graphql';
import { violation } from './violation.ts';

/** Fields have a selection where their type has fields; what is spread is there. */
export function SelectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      const type = context.getType();
      if (type == null) return;
      const named = getNamedType(type);
      if (isLeafType(named) !== (node.selectionSet !== undefined)) return;
      // The one type is named, the other as it is declared.
      const text = isLeafType(named) ? `of type '${named.name}' must not` : `of type '${String(type)}' must`;
      context.reportError(violation(`Field '${node.name.value}' ${text} have a sub selection.`, node));
    },
    FragmentSpread(node) {
      const name = node.name.value;
      if (context.getFragment(name) == null) context.reportError(violation(`Unknown fragment '${name}'.`, node));
    },
  };
}

/** Operations, fragments, variables and arguments go by names of their own: each further one is told of. */
export function UniqueRule(context: ValidationContext): ASTVisitor {
  const among = (text: string, isFirstShown = false) => {
    const known = new Map<string, ASTNode>();
    return (node: ASTNode, name: NameNode | undefined): void => {
      const first = name && known.get(name.value);
      if (first !== undefined) context.reportError(violation(`There ${text} named '${name?.value}'.`, ...(isFirstShown ? [first] : []), node));
      else if (name !== undefined) known.set(name.value, node);
    };
  };
  const operation = among('can only be one operation');
  const fragment = among('can only be one fragment');
  const checkArguments = (node: FieldNode | DirectiveNode): void => {
    const argument = among('can be only one argument');
    for (const given of node.arguments ?? []) argument(given, given.name);
  };
  return {
    OperationDefinition(node) {
      operation(node, node.name);
      const variable = among('can be only one variable', true);
      for (const definition of node.variableDefinitions ?? []) variable(definition, definition.variable.name);
    },
    FragmentDefinition: (node) => fragment(node, node.name),
    Field: checkArguments,
    Directive: checkArguments,
  };
}

// Names of fields, arguments and types in a query against those there are, in the words of the
// gateway. The library's own rules do the same but take other names for those that were meant.
import { type ASTNode, type ASTVisitor, isExecutableDefinitionNode, type NameNode, type ValidationContext } from 'graphql';
import { didYouMean } from './suggestions.ts';
import { violation } from './violation.ts';

export function NameRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema();
  const unknown = (node: ASTNode & { readonly name: NameNode }, message: string, options: readonly string[]): void =>
    context.reportError(violation(message + didYouMean(node.name.value, options), node));
  return {
    Field(node) {
      const parent = context.getParentType();
      if (parent == null || context.getFieldDef() != null) return;
      const known = 'getFields' in parent ? Object.keys(parent.getFields()) : [];
      unknown(node, `Cannot query field '${node.name.value}' on type '${parent.name}'.`, known);
    },
    // What an unknown one is given is not for the field it stands at.
    Directive: () => (context.getDirective() == null ? false : undefined),
    Argument(node) {
      const directive = context.getDirective();
      const field = context.getFieldDef();
      const owner = directive ?? field;
      if (owner == null || context.getArgument() != null) return;
      const place = directive == null ? `field '${owner.name}' of type '${context.getParentType()?.name}'` : `directive '${owner.name}'`;
      unknown(node, `Unknown argument '${node.name.value}' on ${place}.`, owner.args.map(({ name }) => name));
    },
    NamedType(node, _key, parent, _path, ancestors) {
      const definition = (ancestors[2] ?? parent) as ASTNode;
      if (!schema.getType(node.name.value) && isExecutableDefinitionNode(definition)) {
        unknown(node, `Unknown type '${node.name.value}'.`, Object.keys(schema.getTypeMap()));
      }
    },
  };
}

// Literals in a query against the types they are given for, in the words of the gateway. The
// library's own rule does the same but names neither the expected type nor the reason so.
import {
  type ASTVisitor, getNamedType, getNullableType, type GraphQLEnumType, GraphQLError, type GraphQLInputType, isEnumType, isInputObjectType,
  isLeafType, isListType, isNonNullType, isRequiredInputField, Kind, print, type ValidationContext, type ValueNode,
} from 'graphql';
import { literalReason } from './scalars.ts';
import { nearest, orList } from './suggestions.ts';
import { violation } from './violation.ts';

export function ValueRule(context: ValidationContext): ASTVisitor {
  /** Checks a literal. `false` keeps the visitor from looking into one that is wrong already. */
  const check = (node: ValueNode): false | undefined => {
    const expected = context.getInputType();
    if (expected == null) return undefined;
    const reason = literalProblem(expected, node);
    if (reason === null) return undefined;
    const details = reason === '' ? '' : ` ${reason}`;
    context.reportError(violation(`Expected type '${expectedName(expected, node)}', found '${print(node)}'.${details}`, node));
    return false;
  };
  return {
    ListValue: (node) => (isListType(getNullableType(context.getParentInputType())) ? undefined : (check(node), false)),
    ObjectValue(node) {
      const type = getNamedType(context.getInputType());
      if (!isInputObjectType(type)) return check(node), false;
      for (const field of Object.values(type.getFields())) {
        const given = node.fields.some((candidate) => candidate.name.value === field.name);
        if (isRequiredInputField(field) && !given) {
          const text = `Field '${type.name}.${field.name}' of required type '${String(field.type)}' was not provided.`;
          context.reportError(violation(text, node));
        }
      }
      return undefined;
    },
    ObjectField(node) {
      const parent = getNamedType(context.getParentInputType());
      if (context.getInputType() != null || !isInputObjectType(parent)) return;
      const near = nearest(node.name.value, Object.keys(parent.getFields()));
      const end = near.length === 0 ? '.' : `; Did you mean ${orList(near)}?`;
      context.reportError(violation(`Field '${node.name.value}' is not defined by type '${parent.name}'${end}`, node));
    },
    NullValue(node) {
      const expected = context.getInputType();
      if (isNonNullType(expected)) context.reportError(violation(`Expected type '${String(expected)}', found 'null'.`, node));
    },
    EnumValue: check,
    IntValue: check,
    FloatValue: check,
    StringValue: check,
    BooleanValue: check,
  };
}

/** For an unknown enum value the gateway named the enum itself, as if it were required, in lists and where it may be missing, too. */
function expectedName(expected: GraphQLInputType, node: ValueNode): string {
  const type = getNamedType(expected);
  return isEnumType(type) && node.kind === Kind.ENUM ? `${type.name}!` : String(expected);
}

/** Why a literal is not of the type; empty when there is nothing to add, `null` when it fits. */
function literalProblem(expected: GraphQLInputType, node: ValueNode): string | null {
  const type = getNamedType(expected);
  if (!isLeafType(type)) return '';
  if (isEnumType(type)) {
    const known = enumValues(type);
    if (node.kind === Kind.ENUM) return known.includes(node.value) ? null : unknownEnumValue(node.value, type.name, known);
    // The quotes of a string count, too.
    const near = nearest(print(node), known);
    return near.length === 0 ? '' : unknownEnumValue(print(node), type.name, near);
  }
  const builtIn = literalReason(type.name, node);
  if (builtIn !== null) return builtIn;
  try {
    type.parseLiteral(node);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}

export const enumValues = (type: GraphQLEnumType): readonly string[] => type.getValues().map((value) => value.name);

export const unknownEnumValue = (value: string, type: string, known: readonly string[]): string =>
  `Enum value '${value}' is undefined in enum type '${type}'. Known values are: ${known.join(', ')}.`;

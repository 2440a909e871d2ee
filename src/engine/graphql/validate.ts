// Validation of a query. The library's own `validate` brings every rule there is with it,
// those of schema definitions too; the rules here are what a query needs.
import {
  type DocumentNode, ExecutableDefinitionsRule, FragmentsOnCompositeTypesRule, type GraphQLError, type GraphQLSchema,
  Kind, KnownDirectivesRule, LoneAnonymousOperationRule, MaxIntrospectionDepthRule, NoFragmentCyclesRule,
  NoUndefinedVariablesRule, NoUnusedFragmentsRule, NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule, PossibleFragmentSpreadsRule, ProvidedRequiredArgumentsRule, TypeInfo,
  UniqueDirectivesPerLocationRule, UniqueInputFieldNamesRule,
  ValidationContext, type ValidationRule, VariablesAreInputTypesRule, VariablesInAllowedPositionRule, visit,
  visitInParallel, visitWithTypeInfo,
} from 'graphql';
import { NameRule } from './name-rule.ts';
import { SelectionRule, UniqueRule } from './place-rules.ts';
import { ValueRule } from './value-rule.ts';

const RULES: readonly ValidationRule[] = [
  ExecutableDefinitionsRule, UniqueRule, LoneAnonymousOperationRule, NameRule, FragmentsOnCompositeTypesRule,
  VariablesAreInputTypesRule, SelectionRule,
  NoUnusedFragmentsRule, PossibleFragmentSpreadsRule, NoFragmentCyclesRule, NoUndefinedVariablesRule,
  NoUnusedVariablesRule, KnownDirectivesRule, UniqueDirectivesPerLocationRule, ValueRule,
  ProvidedRequiredArgumentsRule, VariablesInAllowedPositionRule, OverlappingFieldsCanBeMergedRule, UniqueInputFieldNamesRule,
  MaxIntrospectionDepthRule,
];

/** Enough to mend a query; a hostile one could have any number. */
const MAX_ERRORS = 100;

/** Ends it: names that may have been meant are not looked for in vain. */
const ENOUGH = new Error('enough');

export function validateQuery(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, (error) => {
    const [definition, use] = error.nodes ?? [];
    // A variable of no type of inputs is not held against its uses as well.
    if (use !== undefined && definition?.kind === Kind.VARIABLE_DEFINITION && errors.some(({ nodes }) => nodes?.[0] === definition.type)) return;
    if (errors.push(error) === MAX_ERRORS) throw ENOUGH;
  });
  try {
    visit(document, visitWithTypeInfo(types, visitInParallel(RULES.map((rule) => rule(context)))));
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return errors;
}

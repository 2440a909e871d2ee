// Validation of a query. The library's own `validate` brings every rule there is with it,
// those of schema definitions too; the rules here are what a query needs.
import {
  type DocumentNode, ExecutableDefinitionsRule, FieldsOnCorrectTypeRule, FragmentsOnCompositeTypesRule, type GraphQLError, type GraphQLSchema,
  KnownArgumentNamesRule, KnownDirectivesRule, KnownFragmentNamesRule, KnownTypeNamesRule, LoneAnonymousOperationRule,
  MaxIntrospectionDepthRule, NoFragmentCyclesRule, NoUndefinedVariablesRule, NoUnusedFragmentsRule, NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule, PossibleFragmentSpreadsRule, ProvidedRequiredArgumentsRule, ScalarLeafsRule, TypeInfo,
  UniqueArgumentNamesRule, UniqueDirectivesPerLocationRule, UniqueFragmentNamesRule, UniqueInputFieldNamesRule, UniqueOperationNamesRule,
  UniqueVariableNamesRule, ValidationContext, type ValidationRule, VariablesAreInputTypesRule, VariablesInAllowedPositionRule, visit,
  visitInParallel, visitWithTypeInfo,
} from 'graphql';
import { ValueRule } from './value-rule.ts';

const RULES: readonly ValidationRule[] = [
  ExecutableDefinitionsRule, UniqueOperationNamesRule, LoneAnonymousOperationRule, KnownTypeNamesRule, FragmentsOnCompositeTypesRule,
  VariablesAreInputTypesRule, ScalarLeafsRule, FieldsOnCorrectTypeRule, UniqueFragmentNamesRule, KnownFragmentNamesRule,
  NoUnusedFragmentsRule, PossibleFragmentSpreadsRule, NoFragmentCyclesRule, UniqueVariableNamesRule, NoUndefinedVariablesRule,
  NoUnusedVariablesRule, KnownDirectivesRule, UniqueDirectivesPerLocationRule, KnownArgumentNamesRule, UniqueArgumentNamesRule, ValueRule,
  ProvidedRequiredArgumentsRule, VariablesInAllowedPositionRule, OverlappingFieldsCanBeMergedRule, UniqueInputFieldNamesRule,
  MaxIntrospectionDepthRule,
];

/** Enough to mend a query; a hostile one could have any number. */
const MAX_ERRORS = 100;

export function validateQuery(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, (error) => {
    if (errors.length < MAX_ERRORS) errors.push(error);
  });
  visit(document, visitWithTypeInfo(types, visitInParallel(RULES.map((rule) => rule(context)))));
  return errors;
}

import { describe, expect, it } from 'vitest';
import { decapitalize, relationCandidate, relationInputName, resolverPageName, smaller } from './names.ts';

describe('names made from the schema', () => {
  it('lower-case the first letter only', () => {
    expect(decapitalize('TokenContract')).toBe('tokenContract');
    expect(decapitalize('ERC721ImportResult')).toBe('eRC721ImportResult');
  });

  it('take the smaller candidate by code units, where capitals come before the underscore', () => {
    expect(smaller(relationCandidate('Token', 'contract'), relationCandidate('TokenContract', 'tokens'))).toBe('tokenContract_tokens');
  });

  it('join type and field', () => {
    expect(relationInputName('User', 'todos')).toBe('UserTodosRelation');
    expect(resolverPageName('Query', 'findResources')).toBe('QueryFindResourcesPage');
  });
});

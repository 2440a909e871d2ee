import { describe, expect, it } from 'vitest';
import { inWords } from './override.ts';

describe('what an import with override deletes', () => {
  it('is nothing where nothing was imported', () => {
    expect(inWords({ collections: [], indexes: 0, functions: 0 }, [])).toBe('');
  });

  it('is told with the numbers of documents', () => {
    expect(inWords({ collections: ['Todo'], indexes: 1, functions: 0 }, [1])).toBe('the collection Todo (1 document) and 1 index');
    expect(inWords({ collections: ['City', 'Country'], indexes: 9, functions: 2 }, [10_001, 0])).toBe(
      'the collections City (more than 10,000 documents), Country (0 documents), 9 indexes and 2 functions',
    );
  });

  it('names some of many', () => {
    const collections = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    expect(inWords({ collections, indexes: 0, functions: 0 }, collections.map(() => 2))).toMatch(/^the collections A \(2 documents\), .* F \(2 documents\) and 2 more with their documents$/);
  });
});

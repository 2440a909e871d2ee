import { describe, expect, it } from 'vitest';
import { found } from './entries.ts';
import type { Family, FunctionEntry } from './entries.ts';

const entry = (name: string, summary: string, ...keys: string[]): FunctionEntry => ({
  name,
  signatures: [{ parameters: keys.map((key) => ({ key, takes: 'Any', optional: false, many: false })), effect: 'pure', summary, examples: [] }],
});

const families: readonly Family[] = [
  { title: 'Writing', functions: [entry('create_index', 'Creates an index.', 'create_index'), entry('create', 'Creates a document.', 'create', 'params')] },
  { title: 'Time and date', functions: [entry('time_add', 'A time so much later.', 'time_add', 'offset', 'unit')] },
];
const names = (words: string): string[] => [...found(families, words)].map(({ name }) => name);

describe('searching the functions', () => {
  it('finds every word, wherever it is said', () => {
    expect(names('')).toEqual(['create_index', 'create', 'time_add']);
    expect(names('writing')).toEqual(['create_index', 'create']);
    expect(names('document create')).toEqual(['create']);
    expect(names('unit, time')).toEqual(['time_add']);
    expect(names('create unit')).toEqual([]);
  });

  it('takes a name in the spelling of drivers, and in words', () => {
    for (const words of ['create_index', 'CreateIndex', 'createIndex', 'CREATE INDEX', '_create_index_']) expect([words, names(words)]).toEqual([words, ['create_index']]);
    expect(names('TimeAdd')).toEqual(['time_add']);
  });

  it('takes letters that keyboards of other languages make of the same ones', () => {
    for (const words of ['create İndex', 'create ındex', 'ｃｒｅａｔｅ　ｉｎｄｅｘ']) expect([words, names(words)]).toEqual([words, ['create_index']]);
  });
});

import { describe, expect, it } from 'vitest';
import { nearest, orList } from './suggestions.ts';

describe('names that may have been meant', () => {
  it.each([
    ['', ['a', 'ab'], ['a']],
    ['input', [], []],
    ['abc', ['a', 'ab', 'abc'], ['abc', 'ab']],
    // Half of the longer name may differ.
    ['ab', ['abcd', 'abcde'], ['abcd']],
    ['abcdef', ['abc', 'ab'], ['abc']],
    // Neighbours change places at once, a letter changes its case as it changes to any other.
    ['descritpion', ['descriptionn', 'description'], ['description', 'descriptionn']],
    ['ba', ['ab'], ['ab']],
    ['users', ['USERS', 'Users'], ['Users']],
    // Those as near as each other stay as they were.
    ['wibe', ['wied', 'wire', 'wide', 'wine'], ['wire', 'wide', 'wine', 'wied']],
  ])('%s of %j', (input, options, near) => {
    expect(nearest(input, options)).toEqual(near);
  });

  it.each([
    ['a', 'a'],
    ['ab', 'a or b'],
    ['abc', 'a, b or c'],
    ['abcdef', 'a, b, c, d or e'],
  ])('%s as a list', (names, text) => {
    expect(orList([...names])).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { jsonMistake } from './json-mistake.ts';

describe('a mistake in JSON', () => {
  it('is none in a value, nor in nothing', () => {
    for (const text of ['{"a":[1,true,null,"b"]}', ' 1 ', '', ' \n']) expect(jsonMistake(text)).toBeNull();
  });

  it('is marked where it is, however short the text', () => {
    // The bar is where the mark has to be.
    for (const marked of ['{"a": |}', '{"a":1, |}', '[1 |2]', '|Get(Ref("a"))', '{"a":\n  [1,\n  |oops]}', '{"add":|', '{"a":1}|}', '{"a":"\\|x"}']) {
      const text = marked.replace('|', '');
      expect([text, jsonMistake(text)?.from]).toEqual([text, marked.indexOf('|')]);
    }
  });

  it('is marked as the word it begins with', () => {
    const marked = (text: string) => { const { from = 0, to = 0 } = jsonMistake(text) ?? {}; return text.slice(from, to); };
    expect([marked('[1, oops]'), marked('{"a": }'), marked('{"a":')]).toEqual(['oops', '}', '']);
  });
});

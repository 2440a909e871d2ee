import { describe, expect, it } from 'vitest';
import { operationAt } from './operation.ts';

/** The cursor is at the bar. */
const at = (marked: string) => operationAt(marked.replace('|', ''), marked.indexOf('|'));

describe('the operation at the cursor', () => {
  it('needs no name where there is only one', () => {
    expect(at('{ a |}')).toBeUndefined();
    expect(at('query A { a |} fragment B on C { d }')).toBeUndefined();
    expect(at('|')).toBeUndefined();
  });

  it('is the one it stands in, or the last before it', () => {
    expect(at('query A { a | } mutation B { b }')).toBe('A');
    expect(at('query A { a } | mutation B { b }')).toBe('A');
    expect(at('query A { a } |mutation B { b }')).toBe('B');
    expect(at('query A { a } mutation B { b }\n\n|')).toBe('B');
    expect(at('query A { a } fragment F on T { f | } query B { b }')).toBe('A');
  });

  it('is the first where the cursor is before all', () => {
    expect(at('# two |\nquery A { a } query B { b }')).toBe('A');
  });

  it('is found past strings, comments, variables, defaults and directives', () => {
    const first = 'query A($x: In = { y: [1] }, $s: String = "} query X {") @d(a: { b: 1 }) { a(s: """ } \\""" query Y { """) # } query Z {\n }';
    expect(at(`${first} query B { b | }`)).toBe('B');
    expect(at(`${first.replace('@d', '|@d')} query B { b }`)).toBe('A');
    expect(at('query query { a } query fragment { b | }')).toBe('fragment');
  });

  it('has no name where none is written', () => {
    expect(at('{ a | } query B { b }')).toBeUndefined();
    expect(at('query @d { a | } query B { b }')).toBeUndefined();
  });

  it('does not mind a text that is not finished', () => {
    expect(at('query A { a } query B { b } query C { c(|')).toBe('B');
    expect(at('} query A { a } query B { b| } """ query C { c }')).toBe('B');
  });
});

import { describe, expect, it } from 'vitest';
import { layOut, prettyJson } from './json-text.ts';

const text = (json: string) => layOut(json)?.map((token) => token.text).join('') ?? null;

describe('laying out JSON', () => {
  it('keeps what fits on one line', () => {
    expect(text('{"@ref":"classes/spells/1"}')).toBe('{ "@ref": "classes/spells/1" }');
    expect(text('[1,[],{},[2,null]]')).toBe('[1, [], {}, [2, null]]');
  });

  it('breaks what does not, from the outside in', () => {
    const long = 'a'.repeat(37);
    expect(text(`{"resource":{"ts":1,"data":{"name":"${long}","more":[1,2]}}}`)).toBe(
      ['{', '  "resource": {', '    "ts": 1,', `    "data": { "name": "${long}", "more": [1, 2] }`, '  }', '}'].join('\n'),
    );
  });

  it('breaks at the columns there are', () => {
    const lines = (columns: number) => layOut('{"a":[1,2],"b":3}', columns)?.map((token) => token.text).join('').split('\n');
    expect(lines(23)).toEqual(['{ "a": [1, 2], "b": 3 }']);
    expect(lines(14)).toEqual(['{', '  "a": [1, 2],', '  "b": 3', '}']);
  });

  it('never breaks a tagged value of ordinary length', () => {
    const ref = { '@ref': { id: '361000000000000016', collection: { '@ref': { id: 'a-long-name', collection: { '@ref': { id: 'collections' } } } } } };
    expect(prettyJson([ref])).toBe(
      '[\n  { "@ref": { "id": "361000000000000016", "collection": { "@ref": { "id": "a-long-name", "collection": { "@ref": { "id": "collections" } } } } } }\n]',
    );
  });

  it('does not touch numbers, escapes and the order of keys', () => {
    expect(text('{"b":9007199254740993,"a":1.0,"1":-1E+400,"c":"\\u00e9\\n"}')).toBe(
      '{ "b": 9007199254740993, "a": 1.0, "1": -1E+400, "c": "\\u00e9\\n" }',
    );
  });

  it('names the kinds of tokens', () => {
    expect(layOut('{"@ts":null}')).toEqual([
      { kind: 'mark', text: '{' },
      { kind: 'space', text: ' ' },
      { kind: 'tag', text: '"@ts"' },
      { kind: 'mark', text: ': ' },
      { kind: 'atom', text: 'null' },
      { kind: 'space', text: ' ' },
      { kind: 'mark', text: '}' },
    ]);
  });

  it('says when a text is not JSON', () => {
    for (const not of ['', '{', '[1,]', '{"a" 1}', '1 2', 'Schema imported', '"a', ']', '{"a":}']) {
      expect([not, layOut(not)]).toEqual([not, null]);
    }
  });

  it('gives up on a nesting deeper than the stack instead of failing', () => {
    expect(layOut('['.repeat(200_000))).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { withoutDocs } from './form-docs.ts';

/** White space is left where the documentation was. */
const strip = (code: string): string => withoutDocs(code).replace(/\s+/g, ' ').trim();

describe('documentation of forms', () => {
  it('goes from definitions, wherever it stands in them', () => {
    expect(strip("form({ summary: 'Adds.', effect: 'pure', examples: [['{\"add\":1}', '1']], run, source: SOURCE, });")).toBe(
      "form({ effect: 'pure', run, });",
    );
  });

  it('goes from what is handed to helpers that take it', () => {
    expect(strip("const one = (name, summary, run, ...examples) => form({ name, summary, examples, run }); one('abs', 'Size.', Math.abs, ['a', 'b'], ['c']);")).toBe(
      "const one = (name, summary, run, ...examples) => form({ name, run }); one('abs', 0 , Math.abs, 0 , 0 );",
    );
    expect(strip("function two(summary: string, name: string) {} two('Text.', 'abs');")).toBe(
      "function two(summary: string, name: string) {} two(0 , 'abs');",
    );
  });

  it('leaves objects alone that have no summary', () => {
    const code = "Obj.from({ source, examples: [] }); index.source;";
    expect(strip(code)).toBe(code);
  });

  it('leaves all else at its place', () => {
    const code = "form({ summary: 'A\\nB',\n  run });";
    expect(withoutDocs(code).indexOf('run')).toBe(code.indexOf('run'));
  });
});

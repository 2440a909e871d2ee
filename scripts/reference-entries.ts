// The registry as the data of the function reference.
import type { Form, Param } from '../src/engine/form/form.ts';
import { EXAMPLE_WORLD } from '../src/engine/fql/example-world.ts';
import { FAMILIES } from '../src/engine/fql/functions/index.ts';
import { SYNTAX_FORMS, type SyntaxForm } from '../src/engine/fql/syntax-docs.ts';
import type { Family, FunctionEntry, Parameter, Signature } from '../src/playground/reference/entries.ts';

const TITLES: Readonly<Record<keyof typeof FAMILIES, string>> = {
  basics: 'Basic forms',
  logic: 'Logic and comparison',
  paths: 'Paths',
  collections: 'Arrays, pages and sets',
  folds: 'Folds',
  objects: 'Objects',
  refs: 'Refs',
  sets: 'Sets',
  reads: 'Reading',
  writes: 'Writing',
  identities: 'Keys, tokens and identity',
  time: 'Time and date',
  numbers: 'Numbers',
  trigonometry: 'Trigonometry and logarithms',
  strings: 'Strings',
  conversions: 'Conversion',
  typeChecks: 'Type checks',
};

/** The query that makes what the examples are about. */
export const WORLD = `{"do":[${EXAMPLE_WORLD.join(',')}]}`;

export function referenceFamilies(): readonly Family[] {
  const syntax: Family = { title: 'Syntax', functions: SYNTAX_FORMS.map(syntaxEntry) };
  const families = (Object.keys(TITLES) as (keyof typeof FAMILIES)[]).map((key): Family => ({ title: TITLES[key], functions: byName(FAMILIES[key]) }));
  return [syntax, ...families];
}

function syntaxEntry({ keys, summary, examples }: SyntaxForm): FunctionEntry {
  const parameters = Object.entries(keys).map(([key, takes]): Parameter => ({ key, takes, optional: false, many: false }));
  const shown = examples.map(([query, answer]) => ({ query, answer }));
  return { name: parameters[0]?.key ?? '', signatures: [{ parameters, effect: 'pure', summary, examples: shown }] };
}

/** Forms of one name stand together. */
function byName(forms: readonly Form[]): readonly FunctionEntry[] {
  const names = [...new Set(forms.map(({ name }) => name))];
  return names.map((name) => ({ name, signatures: forms.filter((form) => form.name === name).map(signatureOf) }));
}

function signatureOf({ params, effect, since, until, summary, examples }: Form): Signature {
  return {
    parameters: Object.entries(params).map(([key, param]) => parameterOf(key, param)),
    effect,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    summary,
    examples: examples.map(([query, answer]) => ({ query, answer: steadied(answer) })),
  };
}

function parameterOf(key: string, param: Param): Parameter {
  const optional = 'optional' in param && param.optional === true;
  if ('lazyList' in param) return { key, takes: 'Expression', optional, many: true };
  if ('lazy' in param) return { key, takes: 'Expression', optional, many: false };
  const takes = param.syntax === 'literal' ? 'Data as it stands' : listed(param.names);
  return { key, takes, optional, many: param.many === true };
}

const listed = (names: readonly string[]): string => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);

/** The examples' own words for times become a time. */
const steadied = (answer: string): string => answer.replace(/:TS\b/g, ':1577836800001000').replace(/\[TS\b/g, '[1577836800001000');

// What the function reference says of the forms that are syntax: the parser reads them itself,
// so they have no entry in the registry. The examples run as tests, like those of all others.
import type { Example } from '../form/form.ts';

export interface SyntaxForm {
  /** The form's keys, with what may stand under each; the first one names the form. */
  readonly keys: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly examples: readonly Example[];
}

export const SYNTAX_FORMS: readonly SyntaxForm[] = [
  {
    keys: { object: 'Object of expressions' },
    summary: 'An object whose values are expressions. One with keys that begin with `@` stands in `@obj`.',
    examples: [
      ['{"object":{"sum":{"add":[1,2]},"name":"three"}}', '{"sum":3,"name":"three"}'],
      ['{"object":{"@obj":{"@home":1}}}', '{"@obj":{"@home":1}}'],
    ],
  },
  {
    keys: { let: 'Object of expressions, or array of objects with one key each', in: 'Expression' },
    summary: 'Binds names one after the other, each seen by those after it, and gives the value of `in`.',
    examples: [
      ['{"let":{"x":2,"y":{"add":[{"var":"x"},1]}},"in":[{"var":"x"},{"var":"y"}]}', '[2,3]'],
      ['{"let":[{"x":1},{"x":{"add":[{"var":"x"},1]}}],"in":{"var":"x"}}', '2'],
    ],
  },
  {
    keys: { var: 'Name' },
    summary: 'The value that a name was bound to by `let` or by a lambda around it.',
    examples: [['{"let":{"x":"bound"},"in":{"var":"x"}}', '"bound"']],
  },
  {
    keys: { lambda: 'Name, or array of names', expr: 'Expression' },
    summary: 'A function, written where one is taken. A name takes the whole argument, an array of names takes an array apart, and `_` takes nothing.',
    examples: [
      ['{"map":{"lambda":"x","expr":{"multiply":[2,{"var":"x"}]}},"collection":[1,2,3]}', '[2,4,6]'],
      ['{"map":{"lambda":["_","b"],"expr":{"var":"b"}},"collection":[[1,2],[3,4]]}', '[2,4]'],
    ],
  },
];

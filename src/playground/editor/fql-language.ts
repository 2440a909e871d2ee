// FQL as code: JavaScript's colours, the mistakes that keep it from being a query, and the names
// there are, of functions and of what the database holds.
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { functions, translate } from '../fql/translate.ts';
import { lint } from './mistake.ts';

/** Names of what there is in the database, by the function that takes one. */
export type SchemaNames = Readonly<Record<string, readonly string[]>>;

const FUNCTIONS: readonly Completion[] = Object.keys(functions).map((label) => ({ label, type: 'function' }));

/** @param names asked at every completion */
export const fql = (names: () => SchemaNames): Extension => [
  javascriptLanguage,
  linter(lint((text) => (text.trim() === '' ? null : mistakeOf(text))), { delay: 400 }),
  autocompletion({ override: [completion(names)], icons: false }),
  keymap.of(completionKeymap),
];

function mistakeOf(text: string) {
  const translation = translate(text);
  return 'mistake' in translation ? translation.mistake : null;
}

const completion = (names: () => SchemaNames) => (context: CompletionContext): CompletionResult | null => {
  const { state, pos, explicit } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  if (node.name === 'String') {
    const callee = calleeOf(node);
    const known = names()[callee === null ? '' : state.sliceDoc(callee.from, callee.to).replace(/^.*\./s, '')];
    return known === undefined ? null : { from: node.from + 1, options: known.map((label) => ({ label })), validFor: /^[^"'`]*$/ };
  }
  const word = context.matchBefore(/\w*$/);
  const isName = /^(?:VariableName|PropertyName)$/.test(node.name);
  return word === null || (!explicit && !(isName && word.text !== '')) ? null : { from: word.from, options: FUNCTIONS, validFor: /^\w*$/ };
};

/** What is called with this argument. */
function calleeOf(argument: SyntaxNode): SyntaxNode | null {
  const list = argument.parent;
  return list?.name === 'ArgList' ? (list.parent?.firstChild ?? null) : null;
}

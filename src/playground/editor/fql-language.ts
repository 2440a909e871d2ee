// FQL as code: JavaScript's colours, the mistakes that keep it from being a query, and the names
// there are, of functions and of what the database holds.
import { autocompletion } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { functions, translate } from '../fql/translate.ts';
import { lint } from './mistake.ts';

/** Names of what there is in the database, by the function that takes one. */
export type SchemaNames = Readonly<Record<string, readonly string[]>>;

const FUNCTIONS: readonly Completion[] = Object.keys(functions).map((label) => ({ label, type: 'function' }));

/** An expression alone, so that the braces around the whole are those of an object. */
export const language = javascriptLanguage.configure({ top: 'SingleExpression' });

/** @param names asked at every completion */
export const fql = (names: () => SchemaNames): Extension => [
  language,
  linter(lint((text) => (text.trim() === '' ? null : mistakeOf(text))), { delay: 400 }),
  autocompletion({ override: [completion(names)], icons: false }),
];

function mistakeOf(text: string) {
  const translation = translate(text);
  return 'mistake' in translation ? translation.mistake : null;
}

/** What fits at a place in the text. */
export const completion = (names: () => SchemaNames) => (context: CompletionContext): CompletionResult | null => {
  const { state, pos, explicit } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  if (node.name === 'String') {
    const callee = calleeOf(node);
    const name = callee === null ? '' : state.sliceDoc(callee.from, callee.to);
    const all = names();
    const known = Object.hasOwn(all, name) ? all[name] : undefined;
    return known === undefined ? null : { from: node.from + 1, options: known.map((label) => ({ label })), validFor: /^[^"'`]*$/ };
  }
  const word = context.matchBefore(/\w*$/);
  const isName = /^(?:VariableName|PropertyName)$/.test(node.name);
  return word === null || (!explicit && !(isName && word.text !== '')) ? null : { from: word.from, options: FUNCTIONS, validFor: /^\w*$/ };
};

/** What is called with this argument: its name, without what it belongs to. */
function calleeOf(argument: SyntaxNode): SyntaxNode | null {
  const list = argument.parent;
  const callee = list?.name === 'ArgList' ? list.parent?.firstChild : null;
  return callee?.lastChild ?? callee ?? null;
}

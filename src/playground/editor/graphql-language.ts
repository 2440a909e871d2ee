// GraphQL documents and schema definitions, coloured line by line. A tokenizer of forty lines
// does for that what a grammar of sixty kilobytes would.
import type { StringStream } from '@codemirror/language';
import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { isolatedTokens } from './isolated-tokens.ts';

interface State {
  /** Inside `""" … """`, which may span lines. */
  isBlockString: boolean;
  depth: number;
}

const KEYWORD =
  /^(?:query|mutation|subscription|fragment|on|type|input|enum|scalar|interface|union|directive|extend|schema|implements)\b/;

function endBlockString(stream: StringStream, state: State): string {
  if (stream.skipTo('"""')) {
    stream.match('"""');
    state.isBlockString = false;
  } else {
    stream.skipToEnd();
  }
  return 'string';
}

function token(stream: StringStream, state: State): string | null {
  if (state.isBlockString) return endBlockString(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('#')) {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match('"""')) {
    state.isBlockString = true;
    return endBlockString(stream, state);
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
  if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^[$@][_A-Za-z]\w*/)) return stream.current().startsWith('$') ? 'variableName' : 'meta';
  if (stream.match(/^(?:true|false|null)\b/)) return 'atom';
  if (stream.match(KEYWORD)) return 'keyword';
  if (stream.match(/^[A-Z]\w*/)) return 'typeName';
  if (stream.match(/^[_a-z]\w*/)) return 'propertyName';
  const mark = stream.next();
  if (mark === '{' || mark === '(' || mark === '[') state.depth++;
  if (mark === '}' || mark === ')' || mark === ']') state.depth = Math.max(0, state.depth - 1);
  return 'punctuation';
}

const language = StreamLanguage.define<State>({
  name: 'graphql',
  startState: () => ({ isBlockString: false, depth: 0 }),
  copyState: (state) => ({ ...state }),
  token,
  indent: ({ depth }, after, { unit }) => Math.max(0, depth - (/^\s*[})\]]/.test(after) ? 1 : 0)) * unit,
  languageData: {
    commentTokens: { line: '#' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*[})\]]$/,
  },
});

export const graphql: Extension = [language, isolatedTokens('string', 'comment')];

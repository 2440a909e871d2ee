// Where a text that should be JSON is not.
import { jsonLanguage } from '@codemirror/lang-json';
import type { Mistake } from './mistake.ts';

/** The first mistake, in the browser's words; `null` where there is none, or no text. */
export function jsonMistake(text: string): Mistake | null {
  if (text.trim() === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    // Nothing else is thrown there.
    const { message } = error as SyntaxError;
    const named = /at position (\d+)/.exec(message)?.[1];
    const at = named === undefined ? placeOf(text) : Number(named);
    // Of a word all, so that it can be seen and pointed at.
    return { from: at, to: at + (/^(?:\w+|.)/su.exec(text.slice(at))?.[0].length ?? 0), message };
  }
}

/** By the editor's parser: browsers do not all name the position, nor for every text. */
function placeOf(text: string): number {
  const cursor = jsonLanguage.parser.parse(text).cursor();
  do {
    if (cursor.type.isError) return cursor.from;
  } while (cursor.next());
  return text.length;
}

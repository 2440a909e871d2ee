// JSON laid out and in colours. What a line has no room for goes on below it, further in than the line began.
import { make } from './dom.ts';
import { LINE } from './json-text.ts';
import type { Token } from './json-text.ts';

/** Lines that are laid out together, once they are about to be seen. */
const TOGETHER = 100;

/** @param columns of a line: no more than half of them stay empty before what goes on */
export function jsonView(tokens: readonly Token[], columns = LINE): DocumentFragment {
  const view = new DocumentFragment();
  let lines = 0;
  let part: HTMLElement;
  const begin = (indent: number): HTMLElement => {
    const line = make('span', { class: 'line', style: `--indent: ${Math.min(indent, columns / 2)}` });
    const isNew = lines % TOGETHER === 0;
    if (isNew) part = make('span', { class: 'part' });
    if (lines++ > 0) (isNew ? view : part).append('\n');
    if (isNew) view.append(part);
    part.append(line);
    return line;
  };
  let line = begin(0);
  for (const { kind, text } of tokens) {
    const isBreak = kind === 'space' && text.startsWith('\n');
    if (isBreak) line = begin(text.length - 1);
    // Marks are of the line's own colour: each element costs time.
    line.append(isBreak ? text.slice(1) : kind === 'mark' || kind === 'space' ? text : make('span', { class: kind }, text));
  }
  return view;
}

// The answer of the last request: status and time, its errors one by one, the body laid out.
import type { Answer } from './api.ts';
import { errorsOf } from './answer-errors.ts';
import type { ShownError } from './answer-errors.ts';
import { byId, make } from './dom.ts';
import { layOut } from './json-text.ts';

/** Beyond this many characters a body is shown as it came: thousands of coloured words make a page slow. */
const COLOURED = 400_000;

export interface ResultView {
  /** Until the answer is there. */
  waiting(): void;
  answer(answer: Answer): void;
  /** A request that could not be sent, or had no answer, in plain words. */
  failed(words: string): void;
  clear(): void;
}

export function createResultView(): ResultView {
  const region = byId('result-status', HTMLElement).closest('section') ?? document.body;
  const status = byId('result-status', HTMLElement);
  const errors = byId('result-errors', HTMLOListElement);
  const body = byId('result-body', HTMLPreElement);
  const empty = byId('result-empty', HTMLElement);
  const copy = byId('result-copy', HTMLButtonElement);
  let text = '';

  copy.addEventListener('click', () => {
    const say = (word: string): void => {
      copy.textContent = word;
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    };
    navigator.clipboard.writeText(text).then(() => say('Copied'), () => say('Not allowed'));
  });

  const show = (shown: readonly ShownError[], next: string): void => {
    text = next;
    errors.replaceChildren(...shown.map(errorItem));
    errors.hidden = shown.length === 0;
    body.replaceChildren(...coloured(next));
    body.classList.toggle('text', layOut(next.slice(0, 1)) === null && !/^\s*[[{"]/.test(next));
    empty.hidden = next !== '' || shown.length > 0;
    copy.hidden = next === '';
    region.removeAttribute('aria-busy');
    body.parentElement?.scrollTo(0, 0);
  };

  return {
    waiting: () => {
      region.setAttribute('aria-busy', 'true');
      status.textContent = 'Running…';
    },
    answer: (answer) => {
      const shown = errorsOf(answer);
      const words = shown.length > 0 ? `, ${shown.length === 1 ? '1 error' : `${shown.length} errors`}` : '';
      const badge = make('span', { class: shown.length > 0 ? 'badge bad' : 'badge' }, String(answer.status));
      status.replaceChildren(badge, `${inMilliseconds(answer.milliseconds)} · ${inBytes(answer.text)} · ${answer.request}${words}`);
      show(shown, answer.text);
    },
    failed: (words) => {
      status.replaceChildren(make('span', { class: 'badge bad' }, 'not sent'));
      show([{ description: words }], '');
    },
    clear: () => {
      status.replaceChildren();
      show([], '');
    },
  };
}

function errorItem({ code, description, at }: ShownError): HTMLLIElement {
  // A message with the line of the request and a caret under it keeps its columns.
  const isDrawn = /\n\s*\^/.test(description);
  return make(
    'li',
    {},
    ...(code === undefined ? [] : [make('div', { class: 'code' }, code)]),
    make('div', { class: isDrawn ? 'description drawn' : 'description' }, description),
    ...(at === undefined ? [] : [make('div', { class: 'at' }, 'at ', make('code', {}, at))]),
  );
}

function coloured(text: string): (Node | string)[] {
  const tokens = text.length <= COLOURED ? layOut(text) : null;
  if (tokens === null) return text === '' ? [] : [text];
  return tokens.map(({ kind, text: word }) => (kind === 'space' ? word : make('span', { class: kind }, word)));
}

function inMilliseconds(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds).toLocaleString('en')} ms`;
}

function inBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`;
}

// The answer of the last request: status and time, its errors one by one, the body laid out.
import type { Answer } from './api.ts';
import { errorsOf } from './answer-errors.ts';
import type { ShownError } from './answer-errors.ts';
import { byId, columnsOf, counted, make, withCode } from './dom.ts';
import { layOut, textOf } from './json-text.ts';
import { jsonView } from './json-view.ts';

/** A body of more characters is shown as it came. */
const LAID_OUT = 5_000_000;

/** One of more words is in one colour: each that has its own is an element, and a page of many is slow. */
const COLOURED = 100_000;

/** Milliseconds after which the button is there that gives a request up: beside most answers it would only flicker. */
const LONG_MS = 1000;

/** Milliseconds for which a note is there: long enough to be read. */
const NOTE_MS = 10_000;

export interface ResultView {
  /** Shows that a request is under way, until its answer is there. One that takes long can be given up. */
  waiting(cancel: () => void): void;
  answer(answer: Answer): void;
  /** A request that could not be sent, or had no answer, in plain words. @param badge the same in two */
  failed(words: string, badge?: string): void;
  clear(): void;
  /** Words in the place of a status for a while, where no answer has one. */
  note(words: string): void;
}

export function createResultView(): ResultView {
  const region = byId('result-status', HTMLElement).closest('section') ?? document.body;
  const status = byId('result-status', HTMLElement);
  const errors = byId('result-errors', HTMLOListElement);
  const body = byId('result-body', HTMLPreElement);
  const empty = byId('result-empty', HTMLElement);
  const copy = byId('result-copy', HTMLButtonElement);
  /** The same for who hears the page: a button that changes its name is not read out. */
  const copied = byId('result-copied', HTMLElement);
  const cancel = byId('result-cancel', HTMLButtonElement);
  let offering: ReturnType<typeof setTimeout> | undefined;
  const offerCancel = (onCancel: () => void): void => {
    cancel.onclick = onCancel;
    cancel.hidden = false;
    if (document.activeElement === copy) cancel.focus();
    copy.hidden = true;
  };
  const settled = (): void => {
    region.removeAttribute('aria-busy');
    clearTimeout(offering);
    // What has the focus cannot go without it being lost.
    if (document.activeElement === cancel) body.parentElement?.focus();
    cancel.hidden = true;
  };
  copy.addEventListener('click', () => {
    const say = (word: string): void => {
      copy.textContent = copied.textContent = word;
      setTimeout(() => {
        copy.textContent = 'Copy';
        copied.textContent = '';
      }, 1500);
    };
    // What is seen, in full. Pages that did not come by a secure way have no clipboard.
    const writing = isSecureContext ? navigator.clipboard.writeText(body.textContent) : Promise.reject(new Error('no clipboard'));
    writing.then(() => say('Copied'), () => say('Not allowed'));
  });

  const show = (shown: readonly ShownError[], next: string): void => {
    errors.replaceChildren(...shown.map(errorItem));
    errors.hidden = shown.length === 0;
    body.replaceChildren(bodyView(next, columnsOf(body)));
    empty.hidden = next !== '' || shown.length > 0;
    copy.hidden = next === '';
    settled();
    body.parentElement?.scrollTo(0, 0);
  };

  /** On a narrow screen the result is between the editor and the lists, perhaps out of sight. */
  const reveal = (): void => {
    const { top } = region.getBoundingClientRect();
    if (top < 0 || top > innerHeight - 120) region.scrollIntoView();
  };

  return {
    waiting: (onCancel) => {
      region.setAttribute('aria-busy', 'true');
      status.textContent = 'Running…';
      offering = setTimeout(offerCancel, LONG_MS, onCancel);
    },
    answer: (answer) => {
      const shown = errorsOf(answer);
      const badge = make('span', { class: shown.length > 0 ? 'badge bad' : 'badge' }, String(answer.status));
      const facts = [inMilliseconds(answer.milliseconds), inBytes(answer.text), answer.request, ...(shown.length > 0 ? [counted(shown.length, 'error')] : [])];
      // A line breaks between two of them, and in none.
      status.replaceChildren(badge, ` ${facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')}`, aloud(shown));
      // A refusal that is nothing but its words need not be read twice.
      show(shown, shown.some(({ description }) => description === answer.text.trim()) ? '' : answer.text);
      reveal();
    },
    failed: (words, badge = 'not sent') => {
      const shown = [{ description: words }];
      status.replaceChildren(make('span', { class: 'badge bad' }, badge), aloud(shown));
      show(shown, '');
      reveal();
    },
    clear: () => {
      status.replaceChildren();
      show([], '');
    },
    note: (words) => {
      if (status.textContent !== '') return;
      status.textContent = words;
      // Whoever is writing again stays there.
      if (document.activeElement?.closest('.editor') === null) reveal();
      setTimeout(() => status.textContent === words && status.replaceChildren(), NOTE_MS);
    },
  };
}

/** Some messages end with the line of the request and a caret under it, which keep their columns. */
function partsOf({ description }: Pick<ShownError, 'description'>): { readonly words: string; readonly drawing: string | undefined } {
  // Line by line: an error may have as many as its author likes, and one pattern for all of them would try every two.
  const [words = '', ...drawn] = description.trimEnd().split('\n');
  const isDrawn = drawn.length > 1 && /^\s*\^$/.test(drawn.at(-1) ?? '');
  return isDrawn ? { words, drawing: drawn.join('\n') } : { words: description, drawing: undefined };
}

/**
 * The same with the character marked that the caret is under: letters that come from another font are not as wide, nor do
 * those that run from the right stand where they are counted.
 */
function marked(drawing: string): (Node | string)[] {
  const lines = drawing.split('\n');
  return lines.flatMap((line, at) => {
    const column = CARET.exec(lines[at + 1] ?? '')?.[1]?.length;
    if (column === undefined) return [line.replace(CARET, ''), '\n'];
    const [character = ' '] = line.slice(column);
    return [line.slice(0, column), make('mark', {}, character), line.slice(column + character.length)];
  });
}

/** What may follow it is about the next line. */
const CARET = /^(\s*)\^/;

function errorItem({ code, description, at, hint }: ShownError): HTMLLIElement {
  const { words, drawing } = partsOf({ description });
  return make(
    'li',
    {},
    ...(code === undefined ? [] : [make('div', { class: 'code', translate: 'no' }, code)]),
    make('div', { class: 'description' }, words),
    ...(drawing === undefined ? [] : [make('pre', { class: 'drawing', translate: 'no' }, ...marked(drawing))]),
    ...(at === undefined ? [] : [make('div', { class: 'at' }, 'at ', make('code', { translate: 'no' }, at))]),
    ...(hint === undefined ? [] : [make('div', { class: 'hint' }, ...withCode(hint))]),
  );
}

/** The first error, for who hears the page: the status is read out as it changes. */
function aloud([first]: readonly ShownError[]): Node {
  return make('span', { class: 'visually-hidden' }, first === undefined ? '' : `: ${partsOf(first).words}`);
}

function bodyView(text: string, columns: number): Node | string {
  const tokens = text.length <= LAID_OUT ? layOut(text, columns) : null;
  if (tokens === null) return text;
  return tokens.length > COLOURED ? textOf(tokens) : jsonView(tokens, columns);
}

function inMilliseconds(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds).toLocaleString('en')} ms`;
}

function inBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`;
}

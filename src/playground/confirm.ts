// A question before something that cannot be undone.
import { make } from './dom.ts';

export interface Question {
  readonly title: string;
  readonly words: readonly (Node | string)[];
  /** Its button has the focus. Escape says the same. */
  readonly no: string;
  readonly yes: string;
  /** `data-testid` of the button that says yes. */
  readonly testId: string;
}

/** Whether the answer was yes. The focus is back where it was. */
export function confirmed({ title, words, no, yes, testId }: Question): Promise<boolean> {
  const dialog = make(
    'dialog',
    { role: 'alertdialog', 'aria-labelledby': 'question', 'aria-describedby': 'question-words' },
    make(
      'form',
      { method: 'dialog' },
      make('h2', { id: 'question' }, title),
      make('p', { id: 'question-words' }, ...words),
      make(
        'div',
        { class: 'row end' },
        make('button', { value: 'no', class: 'quiet', autofocus: '' }, no),
        make('button', { value: 'yes', class: 'danger-fill', 'data-testid': testId }, yes),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    }),
  );
}

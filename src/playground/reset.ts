// Deleting everything, after asking.
import { confirmed } from './confirm.ts';
import { byId } from './dom.ts';

const QUESTION = {
  title: 'Delete everything?',
  words: ['All collections, documents, indexes, keys and their history in this browser will be gone. There is no way back.'],
  no: 'Keep them',
  yes: 'Delete everything',
  testId: 'reset-confirm',
};

/** @param onConfirm deletes everything; the button is disabled meanwhile */
export function wireReset(onConfirm: () => Promise<void>): void {
  const button = byId('reset', HTMLButtonElement);
  const ask = async (): Promise<void> => {
    if (!(await confirmed(QUESTION))) return;
    button.disabled = true;
    try {
      await onConfirm();
    } finally {
      button.disabled = false;
      button.focus();
    }
  };
  button.addEventListener('click', () => void ask());
}

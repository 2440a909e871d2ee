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

/** @param onConfirm deletes everything; the button does nothing meanwhile */
export function wireReset(onConfirm: () => Promise<void>): void {
  const button = byId('reset', HTMLButtonElement);
  let isBusy = false;
  const setBusy = (busy: boolean): void => {
    isBusy = busy;
    // Not `disabled`, which would take the focus away; to give it back would take it from where the user is by then.
    button.setAttribute('aria-disabled', String(busy));
  };
  const ask = async (): Promise<void> => {
    if (isBusy || !(await confirmed(QUESTION))) return;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      setBusy(false);
    }
  };
  button.addEventListener('click', () => void ask());
}

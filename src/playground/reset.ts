// Deleting everything, after asking.
import { byId } from './dom.ts';

/** @param onConfirm deletes; the button waits for it */
export function wireReset(onConfirm: () => Promise<void>): void {
  const button = byId('reset', HTMLButtonElement);
  const dialog = byId('reset-dialog', HTMLDialogElement);

  button.addEventListener('click', () => {
    // Escape keeps the value of the time before.
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'reset') return;
    button.disabled = true;
    void onConfirm().finally(() => {
      button.disabled = false;
      button.focus();
    });
  });
}

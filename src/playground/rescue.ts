// Where the database cannot be opened, what is stored can be kept all the same, as it is and whoever
// wrote it, or deleted to begin anew.
import { blobOf } from './blob-of.ts';
import { confirmed } from './confirm.ts';
import { make } from './dom.ts';
import { saveFile } from './save-file.ts';
import { wordsOf } from './words.ts';

/** That of a database opened without one. */
const NAME = 'vivarium';

const QUESTION = {
  title: 'Delete what is stored?',
  words: ['All collections, documents, indexes, keys and their history in this browser will be gone, and a new database takes their place. There is no way back: save what is stored before, if it may be of use.'],
  no: 'Keep it',
  yes: 'Delete and begin anew',
  testId: 'discard-confirm',
};

type Say = (words: string) => void;

/** Buttons that save it and delete it, and what they have to say. */
export function rescue(): HTMLElement {
  const said = make('span', { role: 'status', 'data-testid': 'rescue-status' });
  const action = (testId: string, title: string, act: (say: Say) => Promise<void>): HTMLButtonElement => {
    const button = make('button', { type: 'button', class: 'quiet', 'data-testid': testId }, title);
    button.addEventListener('click', () => {
      button.disabled = true;
      act((words) => (said.textContent = words))
        .catch((error: unknown) => (said.textContent = wordsOf(error)))
        .finally(() => {
          button.disabled = false;
          button.focus();
        });
    });
    return button;
  };
  return make('p', { class: 'rescue' }, action('rescue', 'Save what is stored', save), action('discard', 'Delete it and begin anew…', discard), said);
}

async function save(say: Say): Promise<void> {
  say('Saving…');
  const { exportStores } = await import('../storage/raw-copy.ts');
  const blob = await blobOf(exportStores({ name: NAME }));
  say(`Saved ${saveFile(blob, 'vivarium-stores')}. importStores() of raw-copy.js puts it back.`);
}

async function discard(say: Say): Promise<void> {
  if (!(await confirmed(QUESTION))) return;
  say('Deleting…');
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error('It was not deleted.'));
    request.onblocked = () => say('Another tab has it open. It is deleted as soon as that tab is closed.');
  });
  location.reload();
}

// Where the database cannot be opened, what is stored can be kept all the same: as it is, whoever wrote it.
import { make } from './dom.ts';
import { saveFile } from './save-file.ts';

/** A button that saves it, and what it has to say. */
export function rescue(): HTMLElement {
  const button = make('button', { type: 'button', 'data-testid': 'rescue' }, 'Save what is stored');
  const said = make('span', { role: 'status', 'data-testid': 'rescue-status' });
  button.addEventListener('click', () => {
    button.disabled = true;
    void save((words) => (said.textContent = words)).finally(() => (button.disabled = false));
  });
  return make('p', { class: 'rescue' }, button, said);
}

async function save(say: (words: string) => void): Promise<void> {
  say('Saving…');
  try {
    const { exportStores } = await import('../storage/raw-copy.ts');
    const blob = await new Response(exportStores()).blob();
    say(`Saved ${saveFile(blob, 'vivarium-stores')}. importStores() of raw-copy.js puts it back.`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

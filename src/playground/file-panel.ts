// The database as a file: the buttons that download and restore it, and how far they are.
import { VivariumError } from '../page/index.ts';
import type { TransferProgress, Vivarium } from '../page/index.ts';
import { blobOf } from './blob-of.ts';
import { confirmed } from './confirm.ts';
import type { Question } from './confirm.ts';
import { byId, make } from './dom.ts';
import { createProgress } from './progress.ts';
import { saveFile, sizeOf } from './save-file.ts';
import { wordsOf } from './words.ts';

export interface FilePanel {
  enable(database: Vivarium): void;
  /** Of a database that is no more, nothing is said any longer; what is under way is cancelled. */
  clear(): Promise<void>;
}

/** @param onRestored called when the database is another now */
export function createFilePanel(onRestored: () => void): FilePanel {
  const download = byId('download', HTMLButtonElement);
  const restore = byId('restore', HTMLButtonElement);
  const input = byId('restore-file', HTMLInputElement);
  const status = byId('file-status', HTMLElement);
  const progress = createProgress({
    bar: byId('file-progress', HTMLProgressElement),
    cancel: byId('cancel-file', HTMLButtonElement),
    buttons: [download, restore],
  });

  const say = (words: string, isError = false): void => {
    status.textContent = words;
    status.classList.toggle('failed', isError);
  };

  const onProgress = ({ bytes, of }: TransferProgress): void => {
    if (of !== null) progress.show(bytes, of);
  };

  /** Shows a piece of work from its beginning to its end, which it tells in words. */
  const run = (beginning: string, button: HTMLButtonElement, work: (signal: AbortSignal) => Promise<string>): Promise<void> =>
    progress.during(button, async (signal) => {
      say(beginning);
      try {
        say(await work(signal));
      } catch (error) {
        if (signal.aborted) say('Cancelled; nothing has changed.');
        else say(reasonOf(error), true);
      }
    });

  const save = async (database: Vivarium, signal: AbortSignal): Promise<string> => {
    const stream = await database.export({ onProgress });
    const blob = await blobOf(stream.pipeThrough(new TransformStream(), { signal }));
    return `Downloaded ${saveFile(blob, 'vivarium')}.`;
  };

  const load = async (database: Vivarium, file: File, signal: AbortSignal): Promise<string> => {
    const counted = ({ bytes }: TransferProgress): void => onProgress({ bytes, of: file.size });
    await database.import(file.stream().pipeThrough(new TransformStream(), { signal }), { replace: true, onProgress: counted });
    onRestored();
    return `Restored ${sizeOf(file.size)} from ${file.name}.`;
  };

  const ask = async (database: Vivarium, file: File): Promise<void> => {
    if (await confirmed(question(file.name))) await run('Restoring…', restore, (signal) => load(database, file, signal));
  };

  return {
    enable(database) {
      download.addEventListener('click', () => void run('Downloading…', download, (signal) => save(database, signal)));
      restore.addEventListener('click', () => input.click());
      input.addEventListener('change', () => {
        const file = input.files?.[0];
        // The same file may be chosen again.
        input.value = '';
        if (file !== undefined) void ask(database, file);
      });
      download.disabled = false;
      restore.disabled = false;
    },
    async clear() {
      await progress.giveUp();
      say('');
    },
  };
}

/** Without the code, where it is an error of the database. */
const reasonOf = (error: unknown): string => (error instanceof VivariumError && error.errors[0]?.description) || wordsOf(error);

const question = (file: string): Question => ({
  title: 'Put this file in place of everything?',
  words: ['What is in this browser now will be gone, and the database will be what ', make('strong', {}, file), ' says. A file that is damaged changes nothing.'],
  no: 'Keep it',
  yes: 'Replace everything',
  testId: 'restore-confirm',
});

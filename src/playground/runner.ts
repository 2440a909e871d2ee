// One request at a time from the editors: send it, show what came, then let the page look again
// at what the database holds.
import type { Answer } from './api.ts';
import type { ResultView } from './result.ts';

export interface Runner {
  /** Ignored while another one is under way. */
  run(send: () => Promise<Answer>): Promise<void>;
}

/** @param onAnswered called after each answer: the request may have changed anything */
export function createRunner(view: ResultView, buttons: readonly HTMLButtonElement[], onAnswered: () => void): Runner {
  let isBusy = false;
  const setBusy = (busy: boolean): void => {
    isBusy = busy;
    // Not `disabled`, which would take the focus away from the button that was pressed.
    for (const button of buttons) button.setAttribute('aria-disabled', String(busy));
  };

  return {
    run: async (send) => {
      if (isBusy) return;
      setBusy(true);
      view.waiting();
      try {
        view.answer(await send());
      } catch (error) {
        // What `fetch` throws when nobody answers says little.
        const words = error instanceof Error ? error.message : String(error);
        view.failed(error instanceof TypeError ? `The request was not answered (${words}). Reload the page to try again.` : words);
      } finally {
        setBusy(false);
        onAnswered();
      }
    },
  };
}

// One request at a time from the editors: send it, show what came, then let the page look again
// at what the database holds.
import type { Answer } from './api.ts';
import type { ResultView } from './result.ts';
import { wordsOf } from './words.ts';

export interface Runner {
  /** Ignored while another one is under way, and before the buttons are enabled. The signal is aborted when its answer is no longer waited for. */
  run(send: (signal: AbortSignal) => Promise<Answer>): Promise<void>;
  /** Gives up what is under way. Resolves when nothing is any more. */
  giveUp(): Promise<void>;
  readonly isBusy: boolean;
}

const CANCELLED = 'The answer is no longer waited for. The database may still carry the request out.';

/** @param onAnswered called after each answer: the request may have changed anything */
export function createRunner(view: ResultView, buttons: readonly HTMLButtonElement[], onAnswered: () => void): Runner {
  let isBusy = false;
  let controller = new AbortController();
  let running = Promise.resolve();
  const setBusy = (busy: boolean): void => {
    isBusy = busy;
    // Not `disabled`, which would take the focus away from the button that was pressed.
    for (const button of buttons) button.setAttribute('aria-disabled', String(busy));
  };

  const shownOf = async (send: (signal: AbortSignal) => Promise<Answer>): Promise<() => void> => {
    controller = new AbortController();
    const { signal } = controller;
    view.waiting(() => controller.abort());
    try {
      // Besides `fetch` itself, which in WebKit may hear nothing of a signal that nobody else listens to.
      const answer = await Promise.race([send(signal), abortOf(signal)]);
      return () => view.answer(answer);
    } catch (error) {
      if (signal.aborted) return () => view.failed(CANCELLED, 'cancelled');
      // What `fetch` throws when nobody answers says little.
      const words = wordsOf(error);
      return () => view.failed(error instanceof TypeError ? `The request was not answered (${words}). Reload the page to try again.` : words);
    }
  };

  const showWhatComes = async (send: (signal: AbortSignal) => Promise<Answer>): Promise<void> => {
    setBusy(true);
    try {
      (await shownOf(send))();
    } catch (error) {
      view.failed(`The answer cannot be shown: ${wordsOf(error)}.`, 'not shown');
    } finally {
      setBusy(false);
      onAnswered();
    }
  };

  return {
    run: (send) => (isBusy || buttons.every((button) => button.disabled) ? Promise.resolve() : (running = showWhatComes(send))),
    giveUp: () => {
      controller.abort();
      return running;
    },
    get isBusy() {
      return isBusy;
    },
  };
}

/** Rejects when the signal is aborted. */
const abortOf = (signal: AbortSignal): Promise<never> => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

// A piece of work that takes a while: a bar, and a button that gives it up, while those that begin one are off.

export interface Progress {
  /** Shows a piece of work from its beginning to its end. @param begunBy gets the focus back that was on the button to give it up */
  during(begunBy: HTMLButtonElement, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  show(done: number, all: number): void;
  /** Gives up what is under way. Resolves when nothing is any more. */
  giveUp(): Promise<void>;
}

export interface ProgressElements {
  readonly bar: HTMLProgressElement;
  readonly cancel: HTMLButtonElement;
  /** Those that begin work. */
  readonly buttons: readonly HTMLButtonElement[];
}

export function createProgress({ bar, cancel, buttons }: ProgressElements): Progress {
  let controller = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const giveUp = (): Promise<void> => {
    controller.abort();
    return running;
  };
  cancel.addEventListener('click', () => void giveUp());
  const setBusy = (isBusy: boolean): void => {
    for (const button of buttons) button.disabled = isBusy;
    cancel.hidden = !isBusy;
    bar.hidden = !isBusy;
  };
  const shown: Progress['during'] = async (begunBy, work) => {
    controller = new AbortController();
    setBusy(true);
    cancel.focus();
    bar.removeAttribute('value');
    try {
      await work(controller.signal);
    } finally {
      const wasFocused = document.activeElement === cancel;
      setBusy(false);
      if (wasFocused) begunBy.focus();
    }
  };
  return {
    during: (begunBy, work) => (running = shown(begunBy, work)),
    show(done, all) {
      bar.max = Math.max(all, 1);
      bar.value = done;
    },
    giveUp,
  };
}

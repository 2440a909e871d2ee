// The threads of the site, for tests that end them.
import type { CDPSession } from 'playwright/test';

/** Runs in the page before it has workers: they can be reached as `started`. */
export function keepWorkers(): void {
  const started: Worker[] = [];
  Object.assign(window, { started });
  window.Worker = class extends Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      super(address, options);
      started.push(this);
    }
  };
}

/** Milliseconds. */
const PATIENCE = 5_000;

/** Ends the service worker; resolves when it has stopped. One that runs again at once may not be told to have stopped: it is ended again. */
export async function stopServiceWorker(devtools: CDPSession): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve();
    });
  });
  await devtools.send('ServiceWorker.enable');
  const stop = (): Promise<unknown> => devtools.send('ServiceWorker.stopAllWorkers');
  await stop();
  const again = setInterval(() => void stop().catch(() => undefined), PATIENCE);
  await stopped.finally(() => clearInterval(again));
  await devtools.send('ServiceWorker.disable');
}

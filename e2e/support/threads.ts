// The threads of the site, for tests that end them.
import type { CDPSession } from 'playwright/test';

/** Runs in the page before all else: its workers can be reached as `started`. */
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
const MOST = 5_000;

/** Ends the service worker; resolves when it has stopped. Where somebody wakes it at once it may not be told that it had, which is not waited for. */
export async function stopServiceWorker(devtools: CDPSession): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve();
    });
    setTimeout(resolve, MOST);
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  await stopped;
  await devtools.send('ServiceWorker.disable');
}

import type { EngineWorker } from './engine-worker.ts';

/**
 * Suspends the engine when the page goes out of use: hidden for good, kept for the back button,
 * or frozen. On its way back nothing has to be done: the next request opens the engine again.
 * One that is only hidden is told so.
 */
export function followPage(worker: Pick<EngineWorker, 'suspend' | 'hide'>): () => void {
  const suspend = (): void => worker.suspend();
  const targets = [
    [window, 'pagehide', suspend],
    [document, 'freeze', suspend],
    [document, 'visibilitychange', () => worker.hide(document.hidden)],
  ] as const;
  for (const [target, type, act] of targets) target.addEventListener(type, act);
  return () => {
    for (const [target, type, act] of targets) target.removeEventListener(type, act);
  };
}

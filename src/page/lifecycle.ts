import type { EngineWorker } from './engine-worker.ts';

/**
 * Suspends the engine when the page goes out of use: hidden for good, kept for the back button,
 * or frozen. On its way back nothing has to be done: the next request opens the engine again.
 * One that is only hidden is told so.
 */
export function followPage(worker: Pick<EngineWorker, 'suspend' | 'hide'>): () => void {
  const suspend = (): void => worker.suspend();
  const end = new AbortController();
  addEventListener('pagehide', suspend, end);
  document.addEventListener('freeze', suspend, end);
  document.addEventListener('visibilitychange', () => worker.hide(document.hidden), end);
  return () => end.abort();
}

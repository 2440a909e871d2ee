/**
 * Calls back when the page goes out of use: hidden for good, kept for the back button, or
 * frozen. On its way back nothing has to be done: the next request opens the engine again.
 */
export function onSuspend(suspend: () => void): () => void {
  const targets = [
    [window, 'pagehide'],
    [document, 'freeze'],
  ] as const;
  for (const [target, type] of targets) target.addEventListener(type, suspend);
  return () => {
    for (const [target, type] of targets) target.removeEventListener(type, suspend);
  };
}

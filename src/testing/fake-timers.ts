import { vi } from 'vitest';

/** Timers, and the time that waits go by (see protocol/steady.ts), for tests to move on. What was put in place of globals is taken back by `realTimers()`. */
export function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  vi.stubGlobal('PerformanceMark', class { readonly startTime = performance.now(); });
}

export function realTimers(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

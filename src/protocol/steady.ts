// Time that goes on as it does, for waits: it is not set with the system's clock, and not by tests that
// replace a page's clock and timers to wind them on.

/** Milliseconds since this thread began. A mark's time, as tests replace `performance.now()`; 1 µs dearer than that. */
export const steady = (): number => new PerformanceMark('').startTime;

/** Runs once so many milliseconds have gone by, and never at once. @returns what calls it off */
export function after(milliseconds: number, run: () => void): () => void {
  const until = steady() + milliseconds;
  let timer: ReturnType<typeof setTimeout>;
  const check = (): void => {
    const left = until - steady();
    // Timers come early by a part of a millisecond.
    if (left < 1) run();
    else wait(left);
  };
  const wait = (left: number): void => void (timer = setTimeout(check, left));
  wait(milliseconds);
  return () => clearTimeout(timer);
}

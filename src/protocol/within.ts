import { steady } from './steady.ts';

/** Thrown when a wait has reached its bound. */
export class TimeLimit extends Error {}

/** One timer serves all who wait: a timer for each would cost more than many an answer does. */
const TICK_MS = 200;

interface Wait {
  readonly milliseconds: number;
  /** Known from the first tick on: to ask for the time at every wait would cost more than many an answer does, too. */
  until?: number;
  expire(): void;
}
const waits = new Set<Wait>();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (waits.size === 0) {
    clearInterval(ticking);
    ticking = undefined;
  }
  // Not by its ticks: the browser makes them rare where a page is hidden.
  const now = steady();
  for (const wait of waits) {
    wait.until ??= now + wait.milliseconds;
    if (wait.until <= now) wait.expire();
  }
}

/** Settles as the promise does, or rejects with a `TimeLimit` so many milliseconds and at most two ticks later (a hidden page's are up to a minute long). */
export function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const wait: Wait = {
      milliseconds,
      expire() {
        waits.delete(wait);
        reject(new TimeLimit(`${what} took longer than ${milliseconds} ms`));
      },
    };
    waits.add(wait);
    ticking ??= setInterval(tick, TICK_MS);
    const end = <A>(settle: (how: A) => void) => (how: A): void => {
      waits.delete(wait);
      settle(how);
    };
    promise.then(end(resolve), end(reject));
  });
}

const QUERY_TIMEOUT_MS = 120_000;
const MARGIN_MS = 10_000;

/** How long a host waits for an answer before it gives one of its own: the query's time limit and a margin. */
export function patience(headers: Readonly<Record<string, string>>): number {
  const asked = Number(headers['x-query-timeout']);
  const limit = asked > 0 ? Math.min(asked, 5 * QUERY_TIMEOUT_MS) : QUERY_TIMEOUT_MS;
  return limit + MARGIN_MS;
}

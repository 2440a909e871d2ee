/** Thrown when a wait has reached its bound. */
export class TimeLimit extends Error {
  override readonly name = 'TimeLimit';
}

/** The promise, or a `TimeLimit` after so many milliseconds: nothing here waits for ever. */
export function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TimeLimit(`${what} took longer than ${milliseconds} ms`)),
      milliseconds,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
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

import { afterEach, expect, it, vi } from 'vitest';

const isChromium = 'dataLoss' in IDBVersionChangeEvent.prototype;
const SCRATCH = 'vivarium-scratch';

/** As a thread of its own has it. */
let threads = 0;
const thread = (): Promise<typeof import('./fresh-log.ts')> => import(/* @vite-ignore */ `./fresh-log.ts?thread=${threads++}`) as ReturnType<typeof thread>;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What the browser is told when a log is begun. */
const begun = isChromium ? [`made ${SCRATCH}`, `deleted ${SCRATCH}`] : [];

/** What is made and deleted from now on, in order. */
function watched(): string[] {
  const done: string[] = [];
  const { open, deleteDatabase } = IDBFactory.prototype;
  const noted = (what: string, request: IDBOpenDBRequest): IDBOpenDBRequest => {
    request.addEventListener('success', () => done.push(what));
    return request;
  };
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, name) {
    return noted(`made ${name}`, open.call(this, name));
  });
  vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(function (this: IDBFactory, name) {
    return noted(`deleted ${name}`, deleteDatabase.call(this, name));
  });
  return done;
}

it('before its first write a thread makes and deletes a database, where that is of use, and not again at once unless it is told to', async () => {
  const { beginLog, onFreshLog } = await thread();
  const done = watched();
  const write = (what: string) => async (): Promise<string> => (done.push(what), what);
  expect(await Promise.all([onFreshLog(write('first')), onFreshLog(write('second'))])).toEqual(['first', 'second']);
  expect(await onFreshLog(write('third'))).toBe('third');
  expect(done).toEqual([...begun, 'first', 'second', 'third']);
  await beginLog();
  expect(done.slice(begun.length + 3)).toEqual(begun);
});

it('after some writes it does so again as soon as nothing was written for a second, after many at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { onFreshLog } = await thread();
  const done = watched();
  const write = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) await onFreshLog(async () => undefined);
  };
  const begins = async (count: number): Promise<void> => {
    await expect.poll(() => done.length).toBe(count * begun.length);
  };
  await write(127);
  vi.advanceTimersByTime(5_000);
  await begins(1);
  await write(1);
  vi.advanceTimersByTime(900);
  await write(1);
  vi.advanceTimersByTime(900);
  await begins(1);
  vi.advanceTimersByTime(1_000);
  await begins(2);
  await write(511);
  await begins(2);
  await write(1);
  await begins(3);
  await write(127);
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await begins(3);
});

it('a write waits for it a second at most, as another tab may be frozen in the middle of it', async () => {
  const { beginLog, onFreshLog } = await thread();
  const other = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(SCRATCH);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const opening = vi.spyOn(IDBFactory.prototype, 'open');
  const began = performance.now();
  expect(await onFreshLog(async () => 'written')).toBe('written');
  const took = performance.now() - began;
  expect(took).toBeLessThan(3_000);
  if (isChromium) expect(took).toBeGreaterThan(900);
  // Those that are asked for meanwhile do not pile up.
  await beginLog();
  expect(opening).toHaveBeenCalledTimes(isChromium ? 1 : 0);
  other.close();
  // Nothing holds it up any more.
  await beginLog();
  await beginLog();
  expect(opening.mock.calls.length).toBeGreaterThanOrEqual(isChromium ? 2 : 0);
});

it('a write goes on where there is no room for it', async () => {
  const { onFreshLog } = await thread();
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(await onFreshLog(async () => 'written')).toBe('written');
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeTimers, realTimers } from '../testing/fake-timers.ts';
import { TimeLimit, within } from './within.ts';

beforeEach(fakeTimers);
afterEach(() => {
  // The timer that all share ends with the last of them.
  vi.advanceTimersByTime(100_000);
  expect(vi.getTimerCount()).toBe(0);
  realTimers();
});

const never = new Promise<never>(() => undefined);
const asked = (milliseconds: number) => {
  const wait = { error: null as unknown };
  within(milliseconds, 'The answer', never).catch((error: unknown) => (wait.error = error));
  return wait;
};

it('settles like a promise that settles in time', async () => {
  expect(await within(1000, 'The answer', Promise.resolve(7))).toBe(7);
  await expect(within(1000, 'The answer', Promise.reject(new Error('not that')))).rejects.toThrow('not that');
});

it('gives up each wait after its own time, with one timer for all', async () => {
  const [short, long] = [asked(1000), asked(60_000)];
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(short.error).toBe(null);
  await vi.advanceTimersByTimeAsync(500);
  expect(short.error).toEqual(new TimeLimit('The answer took longer than 1000 ms'));
  expect(long.error).toBe(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(long.error).toBeInstanceOf(TimeLimit);
});

it('gives a wait that begins while the timer runs all of its time', async () => {
  asked(60_000);
  await vi.advanceTimersByTimeAsync(199);
  const late = asked(1000);
  await vi.advanceTimersByTimeAsync(999);
  expect(late.error).toBe(null);
  await vi.advanceTimersByTimeAsync(300);
  expect(late.error).toBeInstanceOf(TimeLimit);
});

it('has a timer only as long as somebody waits', async () => {
  await within(60_000, 'The answer', Promise.resolve());
  await vi.advanceTimersByTimeAsync(400);
  expect(vi.getTimerCount()).toBe(0);
  await within(60_000, 'The answer', Promise.resolve());
  expect(vi.getTimerCount()).toBe(1);
});

it('gives up nobody whose page has its timers wound on', async () => {
  vi.stubGlobal('PerformanceMark', class { readonly startTime = 0; });
  const wait = asked(60_000);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(wait.error).toBe(null);
  // Its time, so that the timer ends.
  vi.stubGlobal('PerformanceMark', class { readonly startTime = 100_000; });
});

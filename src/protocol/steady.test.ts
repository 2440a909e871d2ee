import { afterEach, expect, it, vi } from 'vitest';
import { fakeTimers, realTimers } from '../testing/fake-timers.ts';
import { after, steady } from './steady.ts';

afterEach(realTimers);

it('time goes on as it does, whatever timers are wound to', () => {
  const before = steady();
  vi.useFakeTimers();
  vi.advanceTimersByTime(1_000_000);
  expect(performance.now()).toBeGreaterThanOrEqual(1_000_000);
  expect(steady() - before).toBeLessThan(500_000);
});

it('what is to be after a minute is not before, however often its timer comes', () => {
  fakeTimers();
  let time = 0;
  vi.stubGlobal('PerformanceMark', class { readonly startTime = time; });
  const run = vi.fn();
  after(60_000, run);
  vi.advanceTimersByTime(600_000);
  expect(run).not.toHaveBeenCalled();
  time = 60_000;
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(600_000);
  expect(run).toHaveBeenCalledOnce();
});

it('is not run before its time where its timer comes early, as by other clocks it does', () => {
  fakeTimers();
  vi.stubGlobal('PerformanceMark', class { readonly startTime = performance.now() * 0.99; });
  const run = vi.fn();
  after(1_000, run);
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(11);
  expect(run).toHaveBeenCalledOnce();
});

it('is never run at once, be its time as short as it likes', () => {
  fakeTimers();
  const run = vi.fn();
  after(0.5, run);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});

it('is run at its time, and not once it is called off', () => {
  fakeTimers();
  const [run, called] = [vi.fn(), vi.fn()];
  after(1_000, run);
  const stop = after(1_000, called);
  vi.advanceTimersByTime(999);
  expect(run).not.toHaveBeenCalled();
  stop();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  expect(called).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

import { afterEach, expect, it, vi } from 'vitest';
import { wakeStorage } from './wake-storage.ts';

afterEach(() => void vi.unstubAllGlobals());

it('asks for what makes the browser open its store, and opens nothing itself', () => {
  const databases = vi.fn(async () => []);
  const open = vi.fn();
  vi.stubGlobal('indexedDB', { databases, open });
  wakeStorage();
  expect(databases).toHaveBeenCalledOnce();
  expect(open).not.toHaveBeenCalled();
});

it.each([
  ['there is none', undefined],
  ['the question is unknown', {}],
  ['an answer is refused', { databases: () => Promise.reject(new DOMException('refused by the test', 'SecurityError')) }],
])('is silent where %s', async (_, indexedDB) => {
  vi.stubGlobal('indexedDB', indexedDB);
  expect(wakeStorage).not.toThrow();
  // A rejection that nobody handles would fail the run.
  await new Promise((resolve) => setTimeout(resolve, 5));
});

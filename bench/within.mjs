import { setTimeout } from 'node:timers/promises';

/**
 * What the work resolves to, unless it takes too long.
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function within(milliseconds, work) {
  const timer = new AbortController();
  const tooLong = setTimeout(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`took longer than ${milliseconds / 1000} s`);
  });
  tooLong.catch(() => undefined);
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    timer.abort();
  }
}

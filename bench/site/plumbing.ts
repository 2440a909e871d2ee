// What is asked of Vivarium alone: its `fetch` path beside a service worker that answers with
// a constant, and creates while its storage is being compacted.
import type { Store } from './candidate.ts';
import { makePost } from './posts.ts';
import { type Summary, summary } from './timing.ts';

/** Puts the service worker that answers with a constant in control of this page. */
export async function serveConstant(): Promise<void> {
  const { serviceWorker } = navigator;
  const controlled = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  await serviceWorker.register('constant-sw.js');
  if (serviceWorker.controller === null) await controlled;
}

const HEADERS = { authorization: 'Bearer secret', 'x-faunadb-api-version': '4' };

/** Milliseconds of each of so many requests for a document, whoever answers. */
export async function fetchTimes(key: string, times: number): Promise<number[]> {
  const body = JSON.stringify({ get: { ref: { collection: 'posts' }, id: key } });
  const taken: number[] = [];
  for (let at = 0; at < times; at++) {
    const began = performance.now();
    const response = await fetch('/', { method: 'POST', headers: HEADERS, body });
    const { resource } = (await response.json()) as { resource?: { data?: unknown } };
    taken.push(performance.now() - began);
    if (resource?.data === undefined) throw new Error('no document');
  }
  return taken;
}

const UPKEEP_LOCK = 'vivarium:upkeep:';
const BLOCK = 10;

async function compacts(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name = '' }) => name.startsWith(UPKEEP_LOCK));
}

/**
 * One create after the other, in blocks that began and ended while upkeep was under way, and in
 * blocks that did so while it was not: how many, and how long they took. `bulk` is what gives upkeep something to do.
 */
export async function createsDuringUpkeep(store: Store, first: number, wanted: number, cap: number): Promise<Record<'quiet' | 'busy', Summary & { readonly count: number }>> {
  const times: Record<'quiet' | 'busy', number[]> = { quiet: [], busy: [] };
  let number = first;
  const end = performance.now() + cap;
  let before = await compacts();
  while (Object.values(times).some(({ length }) => length < wanted) && performance.now() < end) {
    if (!before && times.quiet.length >= wanted) await store.bulk(Array.from({ length: 1000 }, () => makePost(number++)));
    const taken: number[] = [];
    for (let at = 0; at < BLOCK; at++) {
      const post = makePost(number++);
      const began = performance.now();
      await store.create(post);
      taken.push(performance.now() - began);
    }
    const after = await compacts();
    if (before === after) times[after ? 'busy' : 'quiet'].push(...taken);
    before = after;
  }
  const counted = (taken: readonly number[]): Summary & { readonly count: number } => ({ ...summary(taken), count: taken.length });
  return { quiet: counted(times.quiet), busy: counted(times.busy) };
}

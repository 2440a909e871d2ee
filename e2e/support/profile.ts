// A profile of Chromium's own: the files in which it keeps databases, and lives of the browser on them.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { makeProfile, type Profile } from './browser-process.ts';
import { openIn } from './page.ts';

/** The folder of the store in which Chromium keeps the databases of the site. */
async function storeOf({ folder }: Profile): Promise<string> {
  const databases = join(folder, 'Default/IndexedDB');
  const store = (await readdir(databases)).find((name) => name.startsWith('http_localhost') && name.endsWith('.leveldb'));
  if (store === undefined) throw new Error('This Chromium keeps its databases somewhere else, or in another form: what asks for them has to learn of it.');
  return join(databases, store);
}

/** The log of that store. */
export async function logOf(profile: Profile): Promise<string> {
  const store = await storeOf(profile);
  const logs = (await readdir(store)).filter((name) => name.endsWith('.log')).sort();
  return join(store, logs.at(-1) ?? '');
}

/** Bytes of its files with names that end so. */
export async function bytesOf(profile: Profile, ending: string): Promise<number> {
  const store = await storeOf(profile);
  // The browser deletes some meanwhile.
  const sizes = (await readdir(store)).filter((name) => name.endsWith(ending)).map((name) => stat(join(store, name)).then(({ size }) => size, () => 0));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

export const opened = (page: Page): Promise<void> => openIn(page, { durability: 'relaxed' });

/** A life of the browser on a profile, which ends when all of it is killed. */
export async function life<T>(profile: Profile, baseURL: string | undefined, act: (page: Page) => Promise<T>): Promise<T> {
  const { context, kill } = await profile.start();
  const page = await context.newPage();
  await page.goto(`${baseURL}reference.html`);
  const result = await act(page);
  await kill();
  return result;
}

export async function withProfile(act: (profile: Profile) => Promise<void>): Promise<void> {
  const profile = await makeProfile();
  try {
    await act(profile);
  } finally {
    await profile.remove();
  }
}

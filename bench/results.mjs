// What was measured, as it is kept: enough to make the table and the picture again.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../scripts/run.mjs';

/**
 * @typedef {object} Sized One size of database.
 * @property {number} documents
 * @property {string} date
 * @property {string} browser
 * @property {string} machine
 * @property {string} [note] What else is to be known of the run.
 * @property {Record<string, string>} versions Of the peers.
 * @property {readonly import('./statistics.mjs').Round[]} rounds
 * @property {import('./plumbing.mjs').Compared[]} [plumbing]
 */

const FILE = join(root, 'bench/results/results.json');
export const PICTURE = join(root, 'bench/results/performance.svg');

/** @returns {Promise<Sized[]>} by size */
export async function readResults() {
  return JSON.parse(await readFile(FILE, 'utf8').catch(() => '[]'));
}

/** Takes the place of what was kept of the same size. */
export async function keepResults(/** @type {readonly Sized[]} */ measured) {
  const kept = (await readResults()).filter(({ documents }) => measured.every((one) => one.documents !== documents));
  const all = [...kept, ...measured].sort((a, b) => a.documents - b.documents);
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, `${JSON.stringify(all, rounded).replaceAll(/("[^"]+":\{"W|\{"documents")/g, '\n$1')}\n`);
}

/** Four digits are more than any of these figures is good for. */
const rounded = (/** @type {string} */ _key, /** @type {unknown} */ value) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value);

export function machine() {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${(cpus()[0]?.model ?? 'unknown processor').replaceAll(/\(R\)|\(TM\)| CPU| @.*/g, '').trim()}, ${gigabytes} GB, ${type()}`;
}

const PEERS = ['dexie', 'rxdb', 'tinybase', '@electric-sql/pglite', '@sqlite.org/sqlite-wasm'];

/** @returns {Promise<Record<string, string>>} */
export async function versionsOfPeers() {
  const { dependencies } = JSON.parse(await readFile(join(root, 'bench/peers/package.json'), 'utf8'));
  return Object.fromEntries(PEERS.map((name) => [name, dependencies[name]]));
}

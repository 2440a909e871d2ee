// Who takes part, in order, by the names their pages know them by.

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {'site' | 'peers'} page Whose build has it.
 * @property {string} label As readers see it.
 * @property {'relaxed' | 'strict'} durability What an acknowledged write has survived: a crash of the browser, or a power cut.
 * @property {boolean} [quick] Also in a quick run.
 * @property {boolean} [huge] Also with a million documents.
 */

export const BASELINE = 'IndexedDB, relaxed';

/** @type {readonly Candidate[]} */
export const CANDIDATES = [
  { name: 'Vivarium, relaxed', page: 'site', label: 'Vivarium', durability: 'relaxed', quick: true, huge: true },
  { name: 'Vivarium, strict', page: 'site', label: 'Vivarium', durability: 'strict', quick: true },
  { name: 'Vivarium by fetch, relaxed', page: 'site', label: 'Vivarium by `fetch`', durability: 'relaxed' },
  { name: BASELINE, page: 'site', label: 'IndexedDB by hand', durability: 'relaxed', quick: true },
  { name: 'IndexedDB, strict', page: 'site', label: 'IndexedDB by hand', durability: 'strict' },
  { name: 'Dexie', page: 'peers', label: 'Dexie', durability: 'relaxed', quick: true },
  { name: 'RxDB', page: 'peers', label: 'RxDB (Dexie storage)', durability: 'relaxed' },
  { name: 'TinyBase', page: 'peers', label: 'TinyBase (IndexedDB)', durability: 'relaxed' },
  { name: 'PGlite', page: 'peers', label: 'PGlite (opfs-ahp)', durability: 'strict', quick: true },
  { name: 'sqlite-wasm', page: 'peers', label: 'sqlite-wasm (SAH pool)', durability: 'strict', quick: true },
  { name: 'sqlite-wasm, WAL', page: 'peers', label: 'sqlite-wasm (SAH pool, exclusive WAL)', durability: 'strict', quick: true },
];

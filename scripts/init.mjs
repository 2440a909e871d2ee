// Puts the files that a page needs into an application's folder, and takes those of an earlier
// version out of it. A list that lies among them says what is ours; nothing else is touched.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {Readonly<Record<string, string>>} Files Checksums by name.
 * @typedef {{ readonly version: string, readonly files: Files }} List
 */

/** Names and checksums of all files that a page needs. */
export const LIST = 'vivarium/files.json';

/** What a list may name: it lies in a folder that others write to. */
const NAME = /^(?:vivarium\/)?[\w-]+\.(?:js|txt)$/;

/**
 * @param {string} folder
 * @param {string} dist of the package
 * @returns {readonly string[]} what was done, in words
 * @throws Error that says why nothing was done
 */
export function init(folder, dist) {
  if (!isFolder(folder)) throw new Error(`There is no folder ${folder}: name the one whose files your site serves at its base, or make it first.`);
  const list = readList(dist);
  if (list === null) throw new Error(`${dist} is not built: npm run build.`);
  const before = existsSync(join(folder, LIST)) ? readList(folder) : { version: '', files: {} };
  const { write, remove, foreign } = plan(list.files, before?.files ?? {}, (name) => hashOf(join(folder, name)));
  const within = dirname(LIST);
  const inTheWay = [...(before === null ? [LIST] : []), ...(existsSync(join(folder, within)) && !isFolder(join(folder, within)) ? [within] : []), ...foreign];
  if (inTheWay.length > 0) {
    throw new Error(`Nothing was done, as these files of ${folder} are not as Vivarium has put them there: ${inTheWay.join(', ')}. Give them other names, or take them away, then try again.`);
  }

  mkdirSync(join(folder, within), { recursive: true });
  for (const name of remove) rmSync(join(folder, name));
  // The list last: cut short, this can be done again.
  for (const name of [...write, LIST]) copyFileSync(join(dist, name), join(folder, name));
  const done = [`${write.length} written`, ...(remove.length > 0 ? [`${remove.length} of version ${before?.version} removed`] : [])];
  return [
    `Vivarium ${list.version}: ${Object.keys(list.files).length} files in ${folder} (${done.join(', ')}).`,
    'They are served as they are: keep them out of your bundle, and run this again when the package has changed.',
  ];
}

/**
 * @param {Files} ours
 * @param {Files} before those that an earlier version has put there
 * @param {(name: string) => string | null} hashAt of what lies there now
 */
function plan(ours, before, hashAt) {
  const there = new Map(Object.keys({ ...before, ...ours }).map((name) => [name, hashAt(name)]));
  const names = Object.keys(ours);
  return {
    write: names.filter((name) => there.get(name) !== ours[name]),
    remove: Object.keys(before).filter((name) => !(name in ours) && there.get(name) === before[name]),
    foreign: names.filter((name) => ![null, ours[name], before[name]].includes(there.get(name))),
  };
}

/** @returns {List | null} null where there is none */
function readList(/** @type {string} */ folder) {
  try {
    const { version, files } = JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
    return typeof version === 'string' && Object.keys(files).every((name) => NAME.test(name)) ? { version, files } : null;
  } catch {
    return null;
  }
}

const isFolder = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Of a text, whatever tools have made of the ends of its lines; of a folder in its place, what no text has. */
export function hashOf(/** @type {string} */ path) {
  if (!existsSync(path)) return null;
  return statSync(path).isFile() ? createHash('sha256').update(readFileSync(path, 'utf8').replaceAll('\r', '')).digest('hex') : 'no file';
}

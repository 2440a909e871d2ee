// Finds Firefox and WebKit, and installs them where Debian's packages can be.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from '../browser.mjs';

const { arch, env, platform } = process;

/**
 * @typedef {object} Kind
 * @property {string} title
 * @property {readonly string[]} programs Any of these will do.
 * @property {readonly string[]} needs All of these besides.
 * @property {readonly string[]} packages Debian's.
 * @property {string} variable Of the environment, with the path of the user's choice.
 * @property {readonly string[]} [usual] Where it lies when it is not on the path.
 */

/** @type {Readonly<Record<'firefox' | 'webkit', Kind>>} */
export const KINDS = {
  firefox: {
    title: 'Firefox',
    programs: ['firefox', 'firefox-esr'],
    needs: [],
    packages: ['firefox-esr'],
    variable: 'FIREFOX',
    usual: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  },
  webkit: {
    title: 'WebKit',
    programs: ['MiniBrowser'],
    needs: ['Xvfb'],
    packages: ['libwebkit2gtk-4.1-0', 'xvfb'],
    variable: 'WEBKIT',
    usual: [`/usr/lib/${arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`, '/usr/libexec/webkit2gtk-4.1/MiniBrowser'],
  },
};

/** @typedef {keyof typeof KINDS} EngineName */

const onPath = (/** @type {string} */ program) =>
  (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? null;

/**
 * The program that runs the engine; null where there is none.
 * @param {EngineName} name
 * @throws Error where the one of the user's choice is not there
 */
export function findEngine(name) {
  const { programs, needs, variable, usual = [] } = KINDS[name];
  const wish = env[variable];
  if (wish && !existsSync(wish)) throw new Error(`${variable}=${wish} is not there.`);
  if (needs.some((program) => onPath(program) === null)) return null;
  return wish || (programs.map(onPath).find((file) => file !== null) ?? usual.find((file) => existsSync(file)) ?? null);
}

/**
 * @param {EngineName} name
 * @returns {string}
 */
export function fileOf(name) {
  const file = findEngine(name);
  if (file === null) throw new Error(`${KINDS[name].title} is not installed; npm run test:browsers does it.`);
  return file;
}

/**
 * @param {EngineName} name
 * @returns {Promise<string>}
 */
export async function ensureEngine(name) {
  const { title, packages, variable } = KINDS[name];
  const file = findEngine(name) ?? ((await installFromDebian(packages)) ? findEngine(name) : null);
  if (file !== null) return file;
  const how = platform === 'linux' ? `install the packages ${packages.join(' and ')} (their names in Debian)` : `install it, or set ${variable} to its path`;
  throw new Error(`${title} was not found and could not be installed: ${how}.`);
}

// Finds the Chromium the tests run in, and installs one where there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { run, runTool, say } from './run.mjs';

const { env, platform } = process;

/** Chromium refuses its sandbox to root, as whom containers run. */
const isRoot = process.getuid?.() === 0;

/** No GPU, and no network of its own beside what the tests do. */
export const launchFlags = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Of the same engine without a window: a page there takes half of the processor's time. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];

/** Where each system installs Chrome and Chromium, apart from what is on the path. */
const usualPlaces = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    join(env['HOME'] ?? '', 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  ],
  win32: [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
    folder === undefined
      ? []
      : [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Chromium/Application/chrome.exe')]),
};

/** A file may be there and still not start: a library missing, or a stub that only points to a shop. */
function starts(/** @type {string} */ file) {
  if (!existsSync(file)) return false;
  if (platform === 'win32') return true; // `--version` opens a window there
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 && /chrom/i.test(stdout);
}

const onPath = (/** @type {readonly string[]} */ programs) =>
  (env['PATH'] ?? '').split(delimiter).flatMap((folder) => programs.map((name) => join(folder, name)));

function installed() {
  const usual = Object.entries(usualPlaces).flatMap(([system, files]) => (system === platform ? files : []));
  return [...(platform === 'win32' ? [] : onPath(names)), ...usual].find(starts) ?? null;
}

function playwrights() {
  try {
    /** @type {typeof import('playwright')} */
    const { chromium } = createRequire(import.meta.url)('playwright');
    const file = chromium.executablePath();
    return starts(file) ? file : null;
  } catch {
    return null; // no such build for this system
  }
}

/**
 * The browser to use, or null. `VIVARIUM_CHROMIUM` (and `VIVARIUM_SHELL` below) hands on what an earlier call found; `CHROMIUM` is the user's wish.
 * @returns {string | null}
 */
export function findBrowser() {
  const given = env['VIVARIUM_CHROMIUM'];
  if (given) return given;
  const wish = env['CHROMIUM'];
  if (wish) {
    if (starts(wish)) return wish;
    throw new Error(`CHROMIUM=${wish} is not a Chromium or Chrome that starts.`);
  }
  return installed() ?? playwrights();
}

/**
 * The browser for tests that need no window of it: Chromium's headless shell where there is one, else what
 * `findBrowser` finds. The user's wish is for all tests.
 * @returns {string | null}
 */
export function findShell() {
  const given = env['VIVARIUM_SHELL'];
  if (given) return given;
  return (env['CHROMIUM'] || platform === 'win32' ? undefined : onPath(shells).find(starts)) ?? findBrowser();
}

async function installFromPlaywright() {
  say('No Chromium or Chrome found: fetching the one of Playwright');
  await runTool('playwright/cli.js', ['install', '--no-shell', 'chromium'], {
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
    limit: 180_000,
  });
  return playwrights();
}

/**
 * Installs packages of Debian, where this is one.
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} whether they are there now
 */
export async function installFromDebian(packages) {
  if (platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return false;
  say(`Installing from Debian: ${packages.join(', ')}`);
  const asRoot = (/** @type {string[]} */ ...args) => (isRoot
    ? run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
    : run('sudo', ['-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]));
  await asRoot('update');
  const { code } = await asRoot('install', '-y', '-o', 'DPkg::Lock::Timeout=120', ...packages);
  return code === 0;
}

/** With the shell, which makes tests faster and is not to be had everywhere. */
async function installAsPackage() {
  if (!(await installFromDebian(['chromium']))) return null;
  await installFromDebian(['chromium-headless-shell']);
  return installed();
}

/**
 * A browser that starts, installed if need be: any Chromium or Chrome on this machine, else Playwright's, else Debian's.
 * @returns {Promise<string>} path of the executable
 */
export async function ensureBrowser() {
  const file = findBrowser() ?? (await installFromPlaywright()) ?? (await installAsPackage());
  if (file !== null) return file;
  throw new Error([
    'The tests need a Chromium or Chrome, and none could be found or installed. Any one of these helps:',
    '  - install Chromium or Google Chrome the way your system does it;',
    '  - run `npx playwright install --with-deps chromium`;',
    '  - set CHROMIUM to the path of an executable you have.',
  ].join('\n'));
}

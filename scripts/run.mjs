// Starting other programs: run one to its end and say how it ended.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** True for the script Node was started with, also where a link leads to it. */
export const isMain = (/** @type {string} */ file) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === file;

/** One line of what is being done, apart from the output of the programs that do it. */
export const say = (/** @type {string} */ line) => console.log(`\n» ${line}`);

const windows = process.platform === 'win32';

/**
 * @typedef {object} Ended
 * @property {number} code Exit code; 1 where a signal ended it.
 * @property {string | null} trouble Why it did not end by itself, in words.
 *
 * @typedef {object} RunOptions
 * @property {Record<string, string>} [env] Added to the environment.
 * @property {number} [limit] Milliseconds after which it is ended, with all it started.
 * @property {boolean} [shell] Through the shell, as `.cmd` files on Windows need.
 */

/**
 * Runs a program in the repository's folder, its output going to ours.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ended>}
 */
export function run(program, args, { env = {}, limit, shell = false } = {}) {
  return new Promise((resolve) => {
    // Its own process group, so that a runner which hangs is ended together with its browsers.
    const grouped = limit !== undefined && !windows;
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: grouped,
      shell,
    });
    const signal = (/** @type {NodeJS.Signals} */ name) => {
      try {
        if (grouped && child.pid !== undefined) process.kill(-child.pid, name);
        else child.kill(name);
      } catch {
        // It has already ended.
      }
    };

    /** @type {string | null} */
    let trouble = null;
    /** @type {NodeJS.Timeout | undefined} */
    let last;
    const timer = limit === undefined ? undefined : setTimeout(() => {
      trouble = `was still running after ${Math.round(limit / 1000)} seconds`;
      signal('SIGTERM');
      last = setTimeout(signal, 5000, 'SIGKILL');
    }, limit);

    const onInterrupt = () => { signal('SIGINT'); process.exit(130); };
    const onTerminate = () => { signal('SIGTERM'); process.exit(143); };
    process.once('SIGINT', onInterrupt);
    process.once('SIGTERM', onTerminate);
    // The terminal is closed. Who has its input from elsewhere, as under nohup, may want to go on.
    if (process.stdin.isTTY) process.once('SIGHUP', onTerminate);

    const end = (/** @type {Ended} */ ended) => {
      clearTimeout(timer);
      clearTimeout(last);
      if (trouble !== null) signal('SIGKILL'); // what it started and left behind
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.off('SIGHUP', onTerminate);
      resolve(ended);
    };
    child.once('error', (error) => end({ code: 1, trouble: `did not start: ${error.message}` }));
    child.once('close', (code, by) => end({ code: code ?? 1, trouble: trouble ?? (by ? `was ended by ${by}` : null) }));
  });
}

/** Runs one of the installed tools: `file` is its script under `node_modules`. */
export const runTool = (
  /** @type {string} */ file,
  /** @type {readonly string[]} */ args,
  /** @type {RunOptions} */ options = {},
) => run(process.execPath, [`node_modules/${file}`, ...args], options);

/**
 * Runs npm: the one that started us, if one did.
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export function npm(args, options = {}) {
  const path = process.env['npm_execpath'];
  return path?.endsWith('.js')
    ? run(process.execPath, [path, ...args], options)
    : run(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows });
}

// What the benchmark is asked for on its command line. All of it is checked before anything is built:
// a run that finds nothing to measure would end as if it had gone well.
import { parseArgs } from 'node:util';
import { CANDIDATES } from './candidates.mjs';
import { WORKLOADS } from './workloads.mjs';

/**
 * @typedef {object} Size
 * @property {number} documents
 * @property {number} limit Seconds a candidate may take for one workload.
 *
 * @typedef {object} Asked
 * @property {'run' | 'quick' | 'eval' | 'write'} command
 * @property {string} text What the names of cases have to contain (`eval`).
 * @property {number} rounds
 * @property {readonly Size[]} sizes
 * @property {readonly import('./candidates.mjs').Candidate[]} candidates
 * @property {boolean} isWhole Whether no candidate was left out, so that the `fetch` path is measured, too.
 * @property {readonly string[]} workloads
 * @property {boolean} profile
 * @property {boolean} write
 * @property {string | undefined} note
 */

const SIZES = [
  { documents: 10_000, limit: 60 },
  { documents: 100_000, limit: 300 },
  { documents: 1_000_000, limit: 1800 },
];
const COMMANDS = /** @type {const} */ (['quick', 'eval', 'write']);
const NAMES = WORKLOADS.map(({ name }) => name);

/**
 * @param {readonly string[]} args
 * @returns {Asked}
 * @throws {Error} that says what may be asked for
 */
export function asked(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      size: { type: 'string' },
      only: { type: 'string', default: '' },
      workloads: { type: 'string', default: NAMES.join() },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      note: { type: 'string' },
    },
  });
  const [given, text, ...more] = positionals;
  const command = given === undefined ? 'run' : COMMANDS.find((one) => one === given);
  if (command === undefined || more.length > 0 || (text !== undefined && command !== 'eval')) {
    throw new Error(`"${positionals.join(' ')}" is none of the benchmark's commands: ${COMMANDS.join(', ')}.`);
  }
  const isQuick = command === 'quick';
  return {
    command,
    text: text ?? '',
    rounds: roundsOf(values.rounds ?? (isQuick ? '1' : '5')),
    sizes: values.size !== undefined ? [sizeOf(values.size)] : isQuick ? SIZES.slice(0, 1) : SIZES,
    candidates: candidatesOf(values.only, isQuick),
    isWhole: values.only === '' && !isQuick,
    workloads: workloadsOf(values.workloads),
    profile: values.profile,
    write: values.write,
    note: values.note,
  };
}

function roundsOf(/** @type {string} */ text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--rounds ${text}: a number of rounds, from 1 on.`);
  return Number(text);
}

function sizeOf(/** @type {string} */ text) {
  const size = SIZES.find(({ documents }) => documents === Number(text));
  if (size === undefined) throw new Error(`--size ${text}: ${SIZES.map(({ documents }) => documents).join(', ')} documents are measured.`);
  return size;
}

function candidatesOf(/** @type {string} */ only, /** @type {boolean} */ isQuick) {
  if (only === '') return CANDIDATES.filter(({ quick }) => !isQuick || quick === true);
  const texts = only.toLowerCase().split(',');
  const unknown = texts.find((text) => !CANDIDATES.some((one) => isNamed(one, text)));
  if (unknown !== undefined) throw new Error(`--only: no candidate has "${unknown}" in its name. They are ${CANDIDATES.map(({ name }) => `"${name}"`).join(', ')}.`);
  return CANDIDATES.filter((one) => texts.some((text) => isNamed(one, text)));
}

const isNamed = (/** @type {{ name: string }} */ { name }, /** @type {string} */ text) => text !== '' && name.toLowerCase().includes(text);

function workloadsOf(/** @type {string} */ text) {
  const wanted = text.split(',');
  const unknown = wanted.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`--workloads: "${unknown}" is none of ${NAMES.join(', ')}.`);
  return wanted;
}

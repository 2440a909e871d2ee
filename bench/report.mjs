// The README's part on performance: what was measured, in words and tables.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';
import { CANDIDATES } from './candidates.mjs';
import { picture } from './picture.mjs';
import { PICTURE } from './results.mjs';
import { bytesLeft, figures, spread } from './statistics.mjs';
import { megabytes, short } from './table.mjs';
import { WORKLOADS } from './workloads.mjs';

/** @typedef {import('./results.mjs').Sized} Sized */

const README = join(root, 'README.md');
const [BEGIN, END] = ['<!-- npm run bench -- --write: begin -->', '<!-- end -->'];

export async function writeReport(/** @type {readonly Sized[]} */ results) {
  const [first] = results;
  if (first === undefined) throw new Error('There are no results to write: run `npm run bench -- --write`.');
  await writeFile(PICTURE, picture(first));
  const text = await readFile(README, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The README has no place for it: a line ${BEGIN} and, below it, ${END}`);
  await writeFile(README, `${text.slice(0, begin)}${BEGIN}\n${report(results)}\n${text.slice(end)}`);
}

function report(/** @type {readonly Sized[]} */ results) {
  const plumbing = results.flatMap((one) => one.plumbing ?? []);
  return [
    `![How many times as fast as IndexedDB used by hand each database is, by workload](bench/results/performance.svg)`,
    ...results.map(sized),
    ...(plumbing.length === 0 ? [] : [compared(plumbing)]),
    `${WORKLOADS.map(({ name, title }) => `**${name}** ${title}`).join(', ')}. **Heap** of the worker after it all, **disk** as left behind. Documents have six fields and about 200 bytes, and one compound index. In a round there are 300 creates one by one and as many updates, 10 groups of creates in flight and 20 of gets, 1,000 gets and pages of each size, 50 counts and 3 cold starts, but a second of each at most. All databases sit in a worker of the page, each in a browser of its own, one after the other; they were left alone for 0.08 ms a document after they were filled; in a row's second column is what an acknowledged write has survived: \`relaxed\` a crash of the browser, \`strict\` a power cut. Medians, below them the rounds' lowest and highest.`,
  ].join('\n\n');
}

function sized(/** @type {Sized} */ { documents, date, browser, machine, note, versions, rounds }) {
  const head = ['', '', ...WORKLOADS.map(({ name }) => name), 'heap', 'disk'];
  const units = ['', '', ...WORKLOADS.map(({ by }) => (by === 'time' ? 'ms' : 'docs/s')), 'MB', 'MB'];
  const rows = CANDIDATES.filter(({ name }) => rounds.some((round) => round[name] !== undefined)).map(({ name, label, durability }) => {
    const cells = WORKLOADS.map((workload) => cell(figures(rounds, name, workload), short));
    const sizes = /** @type {const} */ (['heap', 'disk']).map((where) => cell(bytesLeft(rounds, name, where), megabytes, false));
    return [label.startsWith('Vivarium') ? `**${label}**` : label, durability, ...cells, ...sizes];
  });
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ');
  const about = [
    `**${documents.toLocaleString('en')} documents**, ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}, ${date}`,
    browser, machine, ...(rows.some(([label = '']) => !label.includes('Vivarium')) ? [peers] : []), ...(note === undefined ? [] : [note]),
  ].join('; ');
  const lines = [head, head.map((_, at) => (at < 2 ? '---' : '---:')), units, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${about}.\n\n${lines.join('\n')}`;
}

function cell(/** @type {import('./statistics.mjs').Spread | null} */ found, /** @type {(value: number) => string} */ show, withSpread = true) {
  if (found === null) return '–';
  const { median, low, high } = found;
  return withSpread && low !== high ? `${show(median)}<br><sub>${show(low)}–${show(high)}</sub>` : show(median);
}

function compared(/** @type {readonly import('./plumbing.mjs').Compared[]} */ plumbing) {
  const titles = [...new Map(plumbing.map(({ name, title }) => [name, title]))];
  const rows = titles.map(([name, title]) => {
    const found = plumbing.filter((one) => one.name === name);
    const of = (/** @type {(one: typeof found[0]) => number} */ value) => short(spread(found.map(value)).median);
    return `| ${title} | ${of(({ ours }) => ours)} | ${of(({ other }) => other)} | ${of(({ ours, other }) => ours / other)} |`;
  });
  return ['| Vivarium, median ms | | beside | ratio |', '|---|---:|---:|---:|', ...rows].join('\n');
}

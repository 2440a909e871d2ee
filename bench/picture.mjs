// The picture in the README: how many times as fast as IndexedDB by hand each database is, a
// row a workload, on a scale where twice as fast is as far as half as fast.
import { BASELINE } from './candidates.mjs';
import { ratio } from './statistics.mjs';
import { WORKLOADS } from './workloads.mjs';

/** @typedef {{ name: string, label: string, shape: (x: number, y: number) => string, tone: string, ours?: true }} Mark */

const dot = (/** @type {number} */ radius) => (/** @type {number} */ x, /** @type {number} */ y) => `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}"/>`;
const path = (/** @type {(x: number, y: number) => string} */ draw) => (/** @type {number} */ x, /** @type {number} */ y) => `<path d="${draw(x, y)}"/>`;
const R = 5;
const square = path((x, y) => `M${at(x - 4.5)} ${at(y - 4.5)}h9v9h-9z`);
const diamond = path((x, y) => `M${at(x)} ${at(y - R - 1)}l${R + 1} ${R + 1}l${-R - 1} ${R + 1}l${-R - 1} ${-R - 1}z`);
const triangle = path((x, y) => `M${at(x)} ${at(y - R)}l${R} ${R * 1.8}h${-R * 2}z`);
const wedge = path((x, y) => `M${at(x)} ${at(y + R)}l${R} ${-R * 1.8}h${-R * 2}z`);

/** @type {readonly Mark[]} Ours last, on top of the others. */
const MARKS = [
  { name: 'Dexie', label: 'Dexie', shape: square, tone: 'dexie' },
  { name: 'RxDB', label: 'RxDB', shape: triangle, tone: 'rxdb' },
  { name: 'TinyBase', label: 'TinyBase', shape: wedge, tone: 'tinybase' },
  { name: 'PGlite', label: 'PGlite', shape: diamond, tone: 'pglite' },
  { name: 'sqlite-wasm', label: 'sqlite-wasm', shape: dot(4.5), tone: 'sqlite' },
  { name: 'sqlite-wasm, WAL', label: 'sqlite-wasm, WAL', shape: dot(4.5), tone: 'wal' },
  { name: 'Vivarium, strict', label: 'Vivarium, strict', shape: dot(6.5), tone: 'strict', ours: true },
  { name: 'Vivarium, relaxed', label: 'Vivarium', shape: dot(7.5), tone: 'relaxed', ours: true },
];

const WIDTH = 860;
const LEFT = 236;
const RIGHT = 28;
const TOP = 92;
const ROW = 38;
const BOTTOM = 58;

const STYLE = `
  :root { --ink: #1f2a24; --soft: #5d6b63; --line: #dfe5e1; --stripe: #f5f8f6; --paper: #ffffff;
    --relaxed: #0b8457; --strict: #0b8457; --dexie: #b4530a; --rxdb: #a21caf; --tinybase: #6d5bd0; --pglite: #1d6fb8; --sqlite: #64748b; --wal: #64748b; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6ede9; --soft: #9fb0a7; --line: #2c3731; --stripe: #17201b; --paper: #0f1512;
      --relaxed: #3ddc97; --strict: #3ddc97; --dexie: #f0a35e; --rxdb: #e48bf0; --tinybase: #a99cf7; --pglite: #6cb6f5; --sqlite: #94a3b8; --wal: #94a3b8; } }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--ink); }
  .soft { fill: var(--soft); font-size: 12px; }
  .title { font-size: 16px; font-weight: 600; }
  .paper { fill: var(--paper); } .stripe { fill: var(--stripe); }
  .grid { stroke: var(--line); } .one { stroke: var(--soft); stroke-dasharray: 3 3; }
  .range { stroke-width: 3; stroke-linecap: round; opacity: .35; }
  .wal circle, .strict circle { fill: var(--paper); stroke-width: 2.5; }
${MARKS.map(({ tone }) => `  .${tone} { fill: var(--${tone}); stroke: var(--${tone}); stroke-width: 0; }`).join('\n')}
  .relaxed circle { stroke: var(--paper); stroke-width: 1.5; }`;

const at = (/** @type {number} */ value) => Number(value.toFixed(1));

/** @returns {string} an SVG that follows the reader's choice of light and dark */
export function picture(/** @type {import('./results.mjs').Sized} */ { documents, rounds }) {
  const known = MARKS.filter(({ name }) => rounds.some((round) => round[name] !== undefined));
  const found = WORKLOADS.map((workload) => known.map(({ name }) => ratio(rounds, name, BASELINE, workload)));
  const all = found.flat().flatMap((one) => (one === null ? [] : [one.median, one.low, one.high]));
  const [least, most] = [Math.min(0.5, ...all), Math.max(2, ...all)].map(Math.log10);
  const x = (/** @type {number} */ value) => LEFT + ((Math.log10(value) - (least ?? 0)) / ((most ?? 1) - (least ?? 0))) * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + ROW * WORKLOADS.length;

  const rows = WORKLOADS.map(({ name, title }, row) => {
    const y = TOP + ROW * (row + 0.5);
    const stripe = row % 2 === 0 ? `<rect class="stripe" x="0" y="${at(y - ROW / 2)}" width="${WIDTH}" height="${ROW}"/>` : '';
    return `${stripe}<text x="20" y="${at(y - 1)}">${name.replace('x', ' × ')}</text><text class="soft" x="20" y="${at(y + 13)}">${title}</text>`;
  });
  const grid = ticks(least ?? 0, most ?? 1).map((value) =>
    `<line class="${value === 1 ? 'one' : 'grid'}" x1="${at(x(value))}" x2="${at(x(value))}" y1="${TOP}" y2="${bottom}"/><text class="soft" x="${at(x(value))}" y="${bottom + 18}" text-anchor="middle">${value === 1 ? 'IndexedDB' : `${value}×`}</text>`);
  const marks = WORKLOADS.flatMap((_, row) => known.map(({ shape, tone, ours }, index) => {
    const one = found[row]?.[index];
    if (one === null || one === undefined) return '';
    const y = TOP + ROW * (row + 0.5);
    const range = ours ? `<line class="range" style="stroke:var(--${tone})" x1="${at(x(one.low))}" x2="${at(x(one.high))}" y1="${at(y)}" y2="${at(y)}"/>` : '';
    return `<g class="${tone}">${range}${shape(x(one.median), y)}</g>`;
  }));

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + BOTTOM}" role="img" aria-label="Speed of browser databases beside IndexedDB by hand">
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${bottom + BOTTOM}" rx="8"/>
<text class="title" x="20" y="32">How many times as fast as IndexedDB by hand</text>
<text class="soft" x="${WIDTH - RIGHT}" y="32" text-anchor="end">${documents.toLocaleString('en')} documents, ${roundsLine(rounds.length)}</text>
${legend(known)}
${[...rows, ...grid, ...marks].filter((part) => part !== '').join('\n')}
<text class="soft" x="20" y="${bottom + 42}">Further right is faster. Same documents, same run; each mark is a median over the rounds, ours with the range of them.</text>
</svg>
`;
}

const roundsLine = (/** @type {number} */ rounds) => (rounds === 1 ? 'one round' : `median of ${rounds} rounds`);

/** Powers of ten, and between them where there is room. */
function ticks(/** @type {number} */ least, /** @type {number} */ most) {
  const steps = most - least < 3 ? [1, 2, 5] : [1];
  const values = [];
  for (let power = Math.floor(least); power <= most; power++) for (const step of steps) values.push(Number((step * 10 ** power).toPrecision(1)));
  return values.filter((value) => Math.log10(value) >= least && Math.log10(value) <= most);
}

/** Ours first, as they are what is looked for. */
function legend(/** @type {readonly Mark[]} */ known) {
  let x = 20;
  return [...known].reverse().map(({ label, shape, tone }) => {
    const from = x;
    x += 38 + label.length * 6.9;
    return `<g class="${tone}">${shape(from + 7, 62)}</g><text x="${from + 20}" y="66.5">${label}</text>`;
  }).join('\n');
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from './init.mjs';
import { root as here } from './run.mjs';

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vivarium-init-'));
  folder = join(root, 'public');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (at: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
};

/** A package that has these files for a page, and others. */
const packageOf = (version: string, files: Readonly<Record<string, string>>): string => {
  const dist = join(root, version);
  const hashes = Object.entries(files).map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]);
  write(dist, { ...files, 'index.html': 'the playground', 'load.js': 'the entry', 'vivarium/files.json': JSON.stringify({ version, files: Object.fromEntries(hashes) }) });
  return dist;
};
const first = (): string => packageOf('1.0.0', { 'vivarium.js': 'one', 'sw.js': 'same', 'vivarium/engine-1.js': 'engine one' });
const second = (): string => packageOf('2.0.0', { 'vivarium.js': 'two', 'sw.js': 'same', 'vivarium/engine-2.js': 'engine two' });

const contents = (): Readonly<Record<string, string>> => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.') && !name.endsWith('.json')).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
};

it('puts there what a page needs, and leaves all else alone', () => {
  write(folder, { 'index.html': 'mine' });
  expect(init(folder, first())[0]).toBe(`Vivarium 1.0.0: 3 files in ${folder} (3 written).`);
  expect(contents()).toEqual({ 'index.html': 'mine', 'sw.js': 'same', 'vivarium.js': 'one', 'vivarium/engine-1.js': 'engine one' });
});

it('run again, writes nothing', () => {
  init(folder, first());
  expect(init(folder, first())[0]).toContain('(0 written)');
});

it('takes the files of an earlier version away', () => {
  init(folder, first());
  expect(init(folder, second())[0]).toContain('(2 written, 1 of version 1.0.0 removed)');
  expect(contents()).toEqual({ 'sw.js': 'same', 'vivarium.js': 'two', 'vivarium/engine-2.js': 'engine two' });
});

it('knows its files whatever tools have made of the ends of their lines', () => {
  const lines = packageOf('1.0.0', { 'vivarium.js': 'one\ntwo\n' });
  init(folder, lines);
  write(folder, { 'vivarium.js': 'one\r\ntwo\r\n' });
  expect(init(folder, second())[0]).toContain('3 files');
});

it('puts back what is missing', () => {
  init(folder, first());
  rmSync(join(folder, 'sw.js'));
  expect(init(folder, first())[0]).toContain('(1 written)');
});

it('does nothing where a file is not its own, and names it', () => {
  write(folder, { 'sw.js': 'mine' });
  expect(() => init(folder, first())).toThrow(`Nothing was done, as these files of ${folder} are not as Vivarium has put them there: sw.js. Give them other names,`);
  expect(contents()).toEqual({ 'sw.js': 'mine' });
});

it('does nothing where a folder has the name of a file, or a file that of a folder', () => {
  mkdirSync(join(folder, 'sw.js'));
  expect(() => init(folder, first())).toThrow('sw.js');
  rmSync(join(folder, 'sw.js'), { recursive: true });
  write(folder, { vivarium: 'mine' });
  expect(() => init(folder, first())).toThrow(`these files of ${folder} are not as Vivarium has put them there: vivarium.`);
  expect(contents()).toEqual({});
});

it('does nothing where a file of an earlier version was changed', () => {
  init(folder, first());
  write(folder, { 'vivarium.js': 'mended' });
  expect(() => init(folder, second())).toThrow('vivarium.js');
  expect(contents()).toMatchObject({ 'vivarium.js': 'mended', 'vivarium/engine-1.js': 'engine one' });
});

it.each(['not a list', '{"version":"1","files":{"../mine.js":"…"}}'])('does nothing where the list is not its own: %s', (list) => {
  write(folder, { 'vivarium/files.json': list });
  expect(() => init(folder, first())).toThrow('vivarium/files.json');
});

it('says so where there is no such folder', () => {
  expect(() => init(join(root, 'static'), first())).toThrow(`There is no folder ${join(root, 'static')}`);
});

it('says so where the package is not built', () => {
  expect(() => init(folder, join(root, 'nothing'))).toThrow('is not built');
});

it('the command says how it is used, as an answer to whoever asks for that, else as an error', () => {
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [join(here, 'scripts/vivarium.mjs'), ...args], { cwd: root, encoding: 'utf8' });
  for (const flags of [['--help'], ['-h'], ['init', '--help']]) expect(run(...flags)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('npx vivarium init <folder>') as string });
  expect(run('--version')).toMatchObject({ status: 0, stdout: `${(JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as { version: string }).version}\n` });
  expect(run('install')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('npx vivarium init <folder>') as string });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noticesOf, packageOf } from './notices.ts';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'vivarium-notices-'))));
afterEach(() => rmSync(root, { recursive: true }));

const made = (name: string, files: Readonly<Record<string, string>>, more: object = {}): string => {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT', ...more }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
};

it('knows which package a module is of, also one inside of another', () => {
  expect(packageOf('/site/node_modules/idb/build/index.js')).toBe('/site/node_modules/idb');
  expect(packageOf('\0/site/node_modules/a/node_modules/@lezer/common/dist/index.js?commonjs')).toBe('/site/node_modules/a/node_modules/@lezer/common');
  expect(packageOf('C:\\site\\node_modules\\idb\\index.js')).toBe('C:/site/node_modules/idb');
  expect(packageOf('/site/src/page/index.ts')).toBeNull();
});

it('writes each text once, below the packages that have it, with where their source is', () => {
  const folders = [
    made('one', { LICENSE: 'Do as you like.\r\n' }, { repository: { url: 'git+https://github.com/somebody/one.git' } }),
    made('two', { 'license.md': 'Name me.', NOTICE: 'Two, by somebody.', 'licenses.js': 'no notice' }, { repository: 'somebody/two' }),
    made('three', { LICENCE: 'Do as you like.\n' }),
  ];
  expect(noticesOf(folders).split(/\n-{80}\n\n/)).toEqual([
    'one 1.2.3 (MIT), https://github.com/somebody/one\nthree 1.2.3 (MIT)\n\nDo as you like.\n',
    'two 1.2.3 (MIT), https://github.com/somebody/two\n\nTwo, by somebody.\n\nName me.\n',
  ]);
});

it('does not pass over a package without a licence', () => {
  expect(() => noticesOf([made('none', {})])).toThrow('none has no licence');
});

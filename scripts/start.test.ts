import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from './run.mjs';

it.each(['--help', '-h'])('`npm start -- %s` says how it is used and does nothing else', (flag) => {
  const said = execFileSync(process.execPath, ['scripts/start.mjs', flag], { cwd: root, encoding: 'utf8' });
  expect(said).toMatch(/^npm start: .*\n\n  npm start -- --port 8080 /);
  expect(said).not.toContain('Building');
});

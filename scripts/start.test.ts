import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { resolveConfig } from 'vite';
import { expect, it } from 'vitest';
import { freePort } from './free-port.mjs';
import { root } from './run.mjs';

it.each(['--help', '-h'])('`npm start -- %s` says how it is used and does nothing else', (flag) => {
  const said = execFileSync(process.execPath, ['scripts/start.mjs', flag], { cwd: root, encoding: 'utf8' });
  expect(said).toMatch(/^npm start: .*\n\n  npm start -- --port 8080 /);
  expect(said).not.toContain('Building');
});

it('does not build beside a server that is there already, nor move to another address, which would have another database', async () => {
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, resolve));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', '--port', String(port)], { cwd: root, encoding: 'utf8' });
  other.close();
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`Port ${port} is taken`);
});

it.each([['--port', 'x'], ['--port', '70000']])('says what is wrong with a port that is none: %s %s', (...given) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', ...given], { cwd: root, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('port');
  expect(stderr).not.toContain('taken');
});

it('a build finds its scripts under any path, also where it is asked for one; what serves it has that path', async () => {
  const asked = { configFile: join(root, 'vite.config.ts'), base: '/app/' };
  expect((await resolveConfig(asked, 'build')).base).toBe('./');
  expect((await resolveConfig(asked, 'serve', 'production', 'production', true)).base).toBe('/app/');
});

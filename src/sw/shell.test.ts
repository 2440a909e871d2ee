import { beforeEach, expect, it, vi } from 'vitest';
import { openShell } from './shell.ts';

const scope = new URL('https://app.example/base/');
const add = vi.fn<(request: Request) => Promise<void>>();
beforeEach(() => {
  add.mockReset().mockResolvedValue();
  vi.stubGlobal('caches', { open: async () => ({ add }) });
});

const missing = (name: string): void =>
  void add.mockImplementation(async ({ url }) => {
    if (url.endsWith(name)) throw new TypeError(`no ${name}`);
  });

const shell = openShell(scope, ['index.html', 'main.js', 'main.css'], '1');

it('installs every file', async () => {
  await shell.install();
  expect(add.mock.calls.map(([{ url }]) => url).sort()).toEqual([
    'https://app.example/base/index.html',
    'https://app.example/base/main.css',
    'https://app.example/base/main.js',
  ]);
});

it('installs without a file that cannot be had', async () => {
  missing('main.css');
  await shell.install();
  expect(add).toHaveBeenCalledTimes(3);
});

it('does not install without the page', async () => {
  missing('index.html');
  await expect(shell.install()).rejects.toThrow('no index.html');
});

it('of a build that has no page, installs its files', async () => {
  await openShell(scope, ['main.js'], '1').install();
  expect(add).toHaveBeenCalledOnce();
});

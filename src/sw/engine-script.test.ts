import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineHost } from '../host/engine-host.ts';
import { engineScript } from './engine-script.ts';
import type { Shell } from './shell.ts';

const script = { address: 'https://app.example/sw-engine.js?v=1', hash: '…' };
const options = { name: 'db', base: '/', aliases: [], rest: false };
const TEXT = `globalThis.vivariumEngine = ({ name }) => ({ is: 'evaluated', of: name })`;

const keep = vi.fn<Shell['keep']>();
const text = vi.fn<() => Promise<string>>();
const importScripts = vi.fn<(address: string) => void>();
const refused = (): never => {
  throw new DOMException('not imported at install', 'NetworkError');
};

const hostSays = (headers: Record<string, string>) => keep.mockReset().mockImplementation(async (_, isFit) => isFit(new Headers(headers)));

const made = (hash = script.hash) => engineScript({ ...script, hash }, { keep, text }, options, importScripts);

beforeEach(() => {
  globalThis.vivariumEngine = undefined;
  hostSays({});
  text.mockReset().mockResolvedValue(TEXT);
  importScripts.mockReset().mockImplementation(() => {
    globalThis.vivariumEngine = ({ name }) => ({ is: 'imported', of: name }) as unknown as EngineHost;
  });
});
afterEach(() => vi.unstubAllGlobals());

it('is kept at install, and evaluated when an engine is opened', async () => {
  const own = made();
  await own.install();
  expect(keep).toHaveBeenCalledExactlyOnceWith(script, expect.any(Function));
  expect(importScripts).not.toHaveBeenCalled();
  importScripts.mockImplementation(refused);
  expect(await own.open()).toEqual({ is: 'evaluated', of: 'db' });
});

it.each([
  ['has a policy', () => hostSays({ 'content-security-policy': `script-src 'self'` })],
  ['asks for reports', () => hostSays({ 'content-security-policy-report-only': `script-src 'self'` })],
  ['gives another file', () => keep.mockRejectedValue(new TypeError('Failed to fetch'))],
  ['refuses it in other ways', () => vi.stubGlobal('eval', refused)],
])('is imported at install where the host %s, and when an engine is opened', async (_, given) => {
  given();
  const own = made();
  await own.install();
  expect(importScripts).toHaveBeenCalledExactlyOnceWith(script.address);
  expect(await own.open()).toEqual({ is: 'imported', of: 'db' });
  expect(text).not.toHaveBeenCalled();
});

it('is imported where it has no hash, as it may change', async () => {
  const own = made('');
  await own.install();
  expect(keep).not.toHaveBeenCalled();
  expect(importScripts).toHaveBeenCalledOnce();
  importScripts.mockImplementation(refused);
  await expect(own.open()).rejects.toThrow('not imported at install');
  expect(text).not.toHaveBeenCalled();
});

it('fails to install where there is none', async () => {
  keep.mockRejectedValue(new Error('no file'));
  importScripts.mockImplementation(refused);
  await expect(made().install()).rejects.toThrow('not imported at install');
});

it('is loaded once, and again where that has failed', async () => {
  importScripts.mockImplementation(refused);
  const own = made();
  text.mockRejectedValueOnce(new Error('offline'));
  await expect(own.load()).rejects.toThrow('offline');
  await Promise.all([own.load(), own.open(), own.open()]);
  expect(text).toHaveBeenCalledTimes(2);
});

it('says so where it makes no engine', async () => {
  importScripts.mockImplementation(refused);
  text.mockResolvedValue('1');
  await expect(made().open()).rejects.toThrow('the engine script is empty');
});

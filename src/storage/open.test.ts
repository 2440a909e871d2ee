import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from './open.ts';

/** An IndexedDB that cannot be opened. */
const failing = (name: string, message = 'refused by the test'): unknown => ({
  open() {
    throw new DOMException(message, name);
  },
});

afterEach(() => void vi.unstubAllGlobals());

describe('opening a store', () => {
  it('falls back to memory where there is no IndexedDB', async () => {
    const { store, header } = await openStore('test');
    expect(store.info).toEqual({ backend: 'memory', persistent: false });
    expect(await store.open()).toEqual(header);
    // It outlives the engine, which is closed while its page rests.
    store.close();
    expect((await openStore('test')).header.identity).toBe(header.identity);
    expect((await openStore('other')).header.identity).not.toBe(header.identity);
    // Another one, even of another thread.
    vi.resetModules();
    const again = await import('./open.ts');
    expect((await again.openStore('test')).header.identity).not.toBe(header.identity);
  });

  it.each(['SecurityError', 'NotAllowedError', 'InvalidStateError'])('falls back to memory where the browser answers %s', async (name) => {
    vi.stubGlobal('indexedDB', failing(name));
    expect((await openStore('test')).store.info.persistent).toBe(false);
  });

  it('falls back to memory where Chromium says that its user has denied it', async () => {
    vi.stubGlobal('indexedDB', failing('UnknownError', 'The user denied permission to access the database.'));
    expect((await openStore('test')).store.info.persistent).toBe(false);
  });

  it('never lets memory take the place of a database that was stored', async () => {
    vi.stubGlobal('indexedDB', failing('SecurityError'));
    await expect(openStore('test', { settled: 7 })).rejects.toMatchObject({ name: 'StorageError', code: 'unavailable' });
    // One that was in memory before may be there again, in another thread, too.
    const { identity } = (await openStore('test')).header;
    vi.resetModules();
    expect((await (await import('./open.ts')).openStore('test', { settled: identity })).store.info.persistent).toBe(false);
  });

  it.each([
    ['UnknownError', 'lost'],
    ['AbortError', 'lost'],
    ['QuotaExceededError', 'quota'],
    ['VersionError', 'newer-format'],
  ])('never takes a database it cannot reach now (%s) for an absent one', async (name, code) => {
    vi.stubGlobal('indexedDB', failing(name));
    await expect(openStore('test')).rejects.toMatchObject({ name: 'StorageError', code });
  });

  it('gives up after the time limit when opening hangs', async () => {
    vi.stubGlobal('indexedDB', { open: () => ({ addEventListener() {} }) });
    vi.stubGlobal('IDBRequest', Object);
    await expect(openStore('test', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
  });
});

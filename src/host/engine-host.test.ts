import { beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageError, TransferError } from '../engine/index.ts';
import type { HttpRequest, HttpResponse, Settings } from '../engine/index.ts';
import { hostEngine } from './engine-host.ts';
import { appear } from './neighbours.ts';

const fake = vi.hoisted(() => ({ openStore: vi.fn(), createEngine: vi.fn(), upkeepLock: vi.fn() }));
vi.mock('./upkeep-lock.ts', () => ({ upkeepLock: fake.upkeepLock }));
vi.mock('../engine/index.ts', async (original) => ({ ...(await original()), createEngine: fake.createEngine }));

const store = { info: { backend: 'fake', persistent: true }, close: vi.fn() };
const header = { format: 3, identity: 1, settings: { durability: 'strict' }, floor: 0, manifestNumber: 0, manifest: null };
const engine = { identity: vi.fn(), handle: vi.fn(), status: vi.fn(), reset: vi.fn(), hide: vi.fn(), close: vi.fn(), exportDatabase: vi.fn(), importDatabase: vi.fn() };
const request: HttpRequest = { method: 'POST', path: '/', search: '', headers: {}, body: null, id: 'id' };
const good: HttpResponse = { status: 200, headers: {}, body: new Uint8Array() };
const options = { name: 'db' };
const appearing = vi.fn(() => appear('db'));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const jsonOf = ({ body }: HttpResponse): unknown => JSON.parse(new TextDecoder().decode(body as Uint8Array));

beforeEach(() => {
  vi.resetAllMocks();
  appearing.mockImplementation(() => appear('db'));
  fake.openStore.mockResolvedValue({ store, header });
  fake.createEngine.mockResolvedValue(engine);
  engine.handle.mockResolvedValue(good);
  engine.close.mockResolvedValue(undefined);
  engine.identity.mockReturnValue(header.identity);
});

it('opens at the first request, once', async () => {
  const host = hostEngine(options, fake.openStore, appearing);
  expect(fake.openStore).not.toHaveBeenCalled();
  expect(appearing).not.toHaveBeenCalled();
  expect(await Promise.all([host.handle(request), host.handle(request)])).toEqual([good, good]);
  expect(appearing).toHaveBeenCalledOnce();
  expect(fake.openStore).toHaveBeenCalledExactlyOnceWith('db', { announced: expect.any(Function) });
  expect(engine.hide).not.toHaveBeenCalled();
});

it.each([0, 1e6, undefined])('its memory for blocks is %s, as it was asked for', async (cacheBytes) => {
  await hostEngine({ ...options, cacheBytes }, fake.openStore, appearing).handle(request);
  expect(fake.createEngine).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ cacheBytes }));
});

it('its upkeep runs under the lock that all engines of the database share', async () => {
  const exclusively = vi.fn();
  fake.upkeepLock.mockImplementation((name: string) => (name === 'db' ? exclusively : null));
  await hostEngine(options, fake.openStore, appearing).handle(request);
  expect(fake.createEngine.mock.calls[0]?.[0].exclusively).toBe(exclusively);
});

it('what lies in memory is of no other engine: there it opens where locks are refused, too', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('refused by the test', 'SecurityError')), query: vi.fn() } });
  const open = (persistent: boolean): Promise<HttpResponse> => {
    fake.openStore.mockResolvedValueOnce({ store: { ...store, info: { backend: 'fake', persistent } }, header });
    return Promise.resolve(hostEngine(options, fake.openStore, appearing).handle(request));
  };
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    expect((await open(true)).status).toBe(500);
    expect(await open(false)).toBe(good);
    expect(fake.createEngine.mock.lastCall?.[0]).not.toHaveProperty('exclusively');
  } finally {
    said.mockRestore();
    vi.unstubAllGlobals();
  }
});

it('an engine learns that its page is hidden, also one that opens then', async () => {
  const host = hostEngine(options, fake.openStore, appearing);
  host.hide(true);
  expect(engine.hide).not.toHaveBeenCalled();
  await host.handle(request);
  expect(engine.hide.mock.calls).toEqual([[true]]);
  host.hide(false);
  await host.handle(request);
  expect(engine.hide.mock.calls).toEqual([[true], [false]]);
});

it('a database that could not be opened is a 503, and is tried again', async () => {
  fake.openStore.mockRejectedValueOnce(new StorageError('blocked', 'Another tab holds it.'));
  const host = hostEngine(options, fake.openStore, appearing);
  const refused = await host.handle(request);
  expect([refused.status, jsonOf(refused)]).toEqual([
    503,
    { errors: [{ code: 'storage blocked', description: 'Another tab holds it.' }] },
  ]);
  expect(await host.handle(request)).toBe(good);
});

it('status tells the storage’s own code', async () => {
  fake.openStore.mockRejectedValue(new StorageError('newer-format', 'Written by a newer build.'));
  expect(await hostEngine(options, fake.openStore, appearing).status()).toEqual({
    ok: false,
    failure: { code: 'newer-format', description: 'Written by a newer build.' },
  });
});

it('a bug is a 500 that shows nothing of it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  engine.handle.mockRejectedValue(new Error('at line 7'));
  const response = await hostEngine(options, fake.openStore, appearing).handle(request);
  expect([response.status, jsonOf(response)]).toEqual([
    500,
    { errors: [{ code: 'internal server error', description: 'Internal server error.' }] },
  ]);
  expect(log).toHaveBeenCalledOnce();
});

it('closes once what is under way is done, and opens again for what comes after', async () => {
  let finish = (_: HttpResponse): void => undefined;
  engine.handle.mockReturnValueOnce(new Promise<HttpResponse>((resolve) => (finish = resolve)));
  const host = hostEngine(options, fake.openStore, appearing);
  const first = host.handle(request);
  await vi.waitFor(() => expect(engine.handle).toHaveBeenCalledOnce());
  let close = (): void => undefined;
  engine.close.mockReturnValueOnce(new Promise<void>((resolve) => (close = resolve)));
  const suspended = host.suspend();
  const second = host.handle(request);
  await turn();
  expect(engine.close).not.toHaveBeenCalled();
  finish(good);
  expect(await first).toBe(good);
  await turn();
  expect(engine.close).toHaveBeenCalledOnce();
  expect(fake.openStore).toHaveBeenCalledOnce();
  close();
  await suspended;
  expect(await second).toBe(good);
  expect(fake.openStore).toHaveBeenCalledTimes(2);
});

it('has nothing to close before it was opened', async () => {
  await hostEngine(options, fake.openStore, appearing).suspend();
  expect([fake.openStore, engine.close].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

it('closes also after requests that were answered, or failed, at once', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const host = hostEngine(options, fake.openStore, appearing);
  await host.handle(request);
  engine.handle.mockReturnValueOnce(good).mockImplementationOnce(() => {
    throw new Error('at line 7');
  });
  expect(await host.handle(request)).toBe(good);
  expect((await host.handle(request)).status).toBe(500);
  await host.suspend();
  expect(engine.close).toHaveBeenCalledOnce();
  log.mockRestore();
});

it('has its engine tidy up where there is time for that', async () => {
  const host = hostEngine(options, fake.openStore, appearing);
  for (const tidy of [false, true]) {
    await host.handle(request);
    await host.suspend(tidy);
  }
  expect(engine.close.mock.calls).toEqual([[false], [true]]);
});

it('writes settings at the first opening only, the secret as a salted hash', async () => {
  const host = hostEngine({ ...options, durability: 'relaxed', secret: 'open sesame' }, fake.openStore, appearing);
  await host.handle(request);
  await host.suspend();
  await host.handle(request);
  const given = fake.createEngine.mock.calls.map((call): Settings | undefined => call[0].settings);
  expect(given[0]?.durability).toBe('relaxed');
  expect(given[0]?.rootSecret).toMatch(/^100000:[\w+/]{22}==:[\w+/]{43}=$/);
  expect(given[1]).toBeUndefined();
});

it('says which database it had before, in whose place memory will not do', async () => {
  const host = hostEngine(options, fake.openStore, appearing);
  await host.handle(request);
  await host.suspend();
  fake.openStore.mockRejectedValueOnce(new StorageError('unavailable', 'this page may not store data'));
  expect(jsonOf(await host.handle(request))).toEqual({ errors: [{ code: 'storage unavailable', description: 'this page may not store data' }] });
  await host.handle(request);
  expect(fake.openStore.mock.calls.map((call): unknown => call[1].settled)).toEqual([undefined, header.identity, header.identity]);
});

it('leaves the hash of the secret as it is where it is of the same one', async () => {
  const hashOf = async (secret: string, kept?: string): Promise<string> => {
    fake.openStore.mockResolvedValue({ store, header: { ...header, settings: { durability: 'strict', ...(kept && { rootSecret: kept }) } } });
    await hostEngine({ ...options, secret }, fake.openStore, appearing).handle(request);
    return fake.createEngine.mock.lastCall?.[0].settings.rootSecret;
  };
  const first = await hashOf('open sesame');
  expect(await hashOf('open sesame', first)).toBe(first);
  expect((await hashOf('another', first)).split(':')[1]).not.toBe(first.split(':')[1]);
  expect(await hashOf('open sesame', 'damaged')).toMatch(/^100000:/);
});

it('writes settings to a database that has taken the place of the one they were written to', async () => {
  const host = hostEngine({ ...options, secret: 'open sesame' }, fake.openStore, appearing);
  await host.handle(request);
  await host.suspend();
  fake.openStore.mockRejectedValueOnce(new StorageError('evicted', 'the data was removed underneath'));
  fake.openStore.mockResolvedValue({ store, header: { ...header, identity: 2 } });
  engine.identity.mockReturnValue(2);
  const told = await host.handle(request);
  expect([told.status, jsonOf(told)]).toEqual([503, { errors: [{ code: 'storage evicted', description: 'the data was removed underneath' }] }]);
  for (let time = 0; time < 2; time++) {
    expect(await host.handle(request)).toBe(good);
    await host.suspend();
  }
  const secrets = fake.createEngine.mock.calls.map((call): Settings | undefined => call[0].settings?.rootSecret);
  expect(secrets).toEqual([expect.stringMatching(/^100000:/), expect.stringMatching(/^100000:/), undefined]);
});

it('writes them to none that an engine has gone on with: it has given them itself, and another page may have set others since', async () => {
  const host = hostEngine({ ...options, durability: 'relaxed' }, fake.openStore, appearing);
  await host.handle(request);
  engine.identity.mockReturnValue(2);
  engine.close.mockRejectedValue(new StorageError('lost', 'the connection to the database was lost'));
  await host.suspend();
  fake.openStore.mockResolvedValue({ store, header: { ...header, identity: 2 } });
  await host.handle(request);
  expect(fake.createEngine.mock.calls.map((call): unknown => call[0].settings)).toEqual([{ durability: 'relaxed' }, undefined]);
});

it('takes no mistake of ours for one of the request', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const mistake = new RangeError('Offset is outside the bounds of the DataView');
  fake.openStore.mockRejectedValue(mistake);
  expect((await hostEngine(options, fake.openStore, appearing).handle(request)).status).toBe(500);
  expect(log).toHaveBeenCalledExactlyOnceWith(mistake);
});

it('leaves a database as it is that has the settings already, and no other', async () => {
  for (const settled of [header.identity, header.identity + 1]) {
    await hostEngine({ ...options, durability: 'relaxed', settled }, fake.openStore, appearing).handle(request);
  }
  expect(fake.createEngine.mock.calls.map((call): unknown => call[0].settings)).toEqual([undefined, { durability: 'relaxed' }]);
});

it('an answer that tells of a failure to open may be read from another origin', async () => {
  fake.openStore.mockRejectedValue(new StorageError('quota', 'The disk is full.'));
  const { status, headers } = await hostEngine(options, fake.openStore, appearing).handle({ ...request, headers: { origin: 'https://an.app' } });
  expect([status, headers['access-control-allow-origin'], headers['content-type']]).toEqual([507, 'https://an.app', 'application/json;charset=utf-8']);
});

it('says why it does not open where there is no cryptography', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const host = hostEngine({ ...options, secret: 'open sesame' }, fake.openStore, appearing);
  const description = 'A secure context is needed: https, or localhost.';
  expect(await host.status()).toEqual({ ok: false, failure: { code: 'unavailable', description } });
  expect(jsonOf(await host.handle(request))).toEqual({ errors: [{ code: 'storage unavailable', description }] });
  vi.unstubAllGlobals();
  expect(await host.handle(request)).toBe(good);
});

it('a secret that could not be hashed once is hashed at the next opening', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const hash = vi.spyOn(crypto.subtle, 'deriveBits').mockRejectedValueOnce(new Error('out of memory'));
  const host = hostEngine({ ...options, secret: 'open sesame' }, fake.openStore, appearing);
  expect((await host.handle(request)).status).toBe(500);
  expect(await host.handle(request)).toBe(good);
  expect(fake.createEngine.mock.calls[0]?.[0].settings?.rootSecret).toMatch(/^100000:/);
  hash.mockRestore();
  log.mockRestore();
});

it('gives back a store that cannot be opened', async () => {
  fake.createEngine.mockRejectedValue(new StorageError('unavailable', 'There is no storage here.'));
  const response = await hostEngine(options, fake.openStore, appearing).handle(request);
  expect([response.status, jsonOf(response)]).toEqual([503, { errors: [{ code: 'storage unavailable', description: 'There is no storage here.' }] }]);
  expect(store.close).toHaveBeenCalledOnce();
});

describe('a file', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const bug = new Error('at line 7');
  const FAILURES: readonly (readonly [name: string, error: Error, failure: object, reported: readonly Error[]])[] = [
    ['of the storage', new StorageError('quota', 'The disk is full.'), { code: 'quota', description: 'The disk is full.' }, []],
    ['of the transfer', new TransferError('database changed', 'It was emptied.'), { code: 'database changed', description: 'It was emptied.', status: 409 }, []],
    ['of ours', bug, { code: 'internal server error', description: 'Internal server error.' }, [bug]],
  ];
  const exported = async (): Promise<unknown[]> => {
    const onEnd = vi.fn();
    const pieces: unknown[] = [];
    try {
      for await (const piece of hostEngine(options, fake.openStore, appearing).exportFile(() => undefined, onEnd)) pieces.push(piece);
    } catch (error) {
      pieces.push(error);
    }
    return [...pieces, ...onEnd.mock.calls.flat()];
  };
  const imported = (): Promise<unknown> => hostEngine(options, fake.openStore, appearing).importFile(new ReadableStream() as never, { replace: true });

  it('is exported and imported by the engine, which says so when it is done', async () => {
    engine.exportDatabase.mockImplementation(async function* () {
      yield bytes;
    });
    expect(await exported()).toEqual([bytes, { ok: true, value: null }]);
    expect(await imported()).toEqual({ ok: true, value: null });
    expect(engine.importDatabase).toHaveBeenCalledExactlyOnceWith(expect.any(ReadableStream), { replace: true });
  });

  it.each(FAILURES)('that fails says why: a failure %s', async (_, error, failure, reported) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    engine.exportDatabase.mockImplementation(async function* () {
      yield bytes;
      throw error;
    });
    engine.importDatabase.mockRejectedValue(error);
    expect(await exported()).toEqual([bytes, error, { ok: false, failure }]);
    expect(await imported()).toEqual({ ok: false, failure });
    expect(log.mock.calls.flat()).toEqual([...reported, ...reported]);
    log.mockRestore();
  });
});

import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FORMAT } from '../engine/kv/log-store.ts';
import { bytes } from '../testing/records.ts';
import { idbLogStore } from './idb.ts';
import { exportStores, importStores } from './raw-copy.ts';

let name = '';
beforeEach(() => {
  name = `copies ${crypto.randomUUID()}`;
});
afterEach(() => deleteDB(name));

/** A database as a newer build might leave it: every value of a format unknown here. */
async function makeNewer(): Promise<void> {
  const store = idbLogStore(name);
  await store.open();
  await store.append(0, () => bytes('one'));
  await store.append(1, () => new Uint8Array(150_000).fill(7));
  for (let id = 0; id < 40; id++) await store.writeBlocks([{ id, bytes: new Uint8Array(3_000).fill(id) }]);
  await store.install({ expected: 0, manifest: bytes('manifest'), floor: 1 });
  store.close();
  const db = await openDB(name);
  const header = (await db.get('meta', 'header')) as object;
  await db.put('meta', { ...header, format: FORMAT + 1, since: 123n, marks: ['new', null, true, 1.5, { bytes: 'no bytes' }] }, 'header');
  db.close();
}

/** Records as `store key` and value. */
async function contents(): Promise<Record<string, object>> {
  const db = await openDB(name);
  const records: Record<string, object> = {};
  for (const store of db.objectStoreNames) {
    for (const key of await db.getAllKeys(store)) records[`${store} ${JSON.stringify(key)}`] = (await db.get(store, key)) as object;
  }
  db.close();
  return records;
}

const fileOf = (): Promise<Blob> => new Response(exportStores({ name })).blob();
const readOn = async (copying: ReadableStreamDefaultReader): Promise<void> => {
  while (!(await copying.read()).done);
};
/** What opening says of a database that is not all there yet. */
const UNFINISHED = { code: 'corrupt', message: expect.stringContaining('import of a copy') };
const isThere = async (): Promise<boolean> => (await indexedDB.databases()).some((one) => one.name === name);

describe('the copy of a database of a newer format', () => {
  it('makes it again, value by value, where this build may not open it', async () => {
    await makeNewer();
    const before = await contents();
    const told: unknown[] = [];
    const file = await new Response(exportStores({ name, onProgress: (progress) => told.push(progress) })).blob();
    // 40 blocks, 1 and 3 parts of records of which the first was trimmed, header and manifest.
    expect(told.at(-1)).toEqual({ records: 45, of: 45 });
    await deleteDB(name);
    await importStores(file, { name });
    expect(await contents()).toEqual(before);
    expect(await (await fileOf()).text()).toBe(await file.text());
    await expect(idbLogStore(name).open()).rejects.toMatchObject({ code: 'newer-format' });
  });

  it.each([
    ['changed', (text: string) => text.replace('"bytes":"', '"bytes":"A'), 'damaged copy'],
    ['cut off', (text: string) => text.slice(0, text.length / 2), 'damaged copy'],
    ['cut off in its first line', (text: string) => text.slice(0, 30), 'damaged copy'],
    ['cut off at the end of a line', (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'damaged copy'],
    ['gone on with', (text: string) => `${text}{}\n`, 'damaged copy'],
    ['something else', () => 'a file\n', 'not a copy'],
    ['something else, and short', () => 'x', 'not a copy'],
    ['nothing', () => '', 'not a copy'],
    ['of a newer form', (text: string) => text.replace('"version":2', '"version":3'), 'newer copy'],
  ])('is refused when it was %s, and leaves nothing behind', async (_, change, code) => {
    await makeNewer();
    const text = await (await fileOf()).text();
    await deleteDB(name);
    await expect(importStores(new Blob([change(text)]), { name })).rejects.toMatchObject({ code });
    expect(await isThere()).toBe(false);
  });

  it.each(['a text', null, 5])('is a Blob or a stream, and not %s', async (file) => {
    await expect(importStores(file as unknown as Blob, { name })).rejects.toMatchObject({ code: 'not a copy', message: expect.stringContaining('a Blob or a stream') as string });
    expect(await isThere()).toBe(false);
  });

  it('is not made where one of its values could not be written, and leaves nothing behind', async () => {
    await makeNewer();
    const file = await fileOf();
    await deleteDB(name);
    const { add } = IDBObjectStore.prototype;
    const refused = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value: unknown, key) {
      // Found out when it is carried out, as that there is no room.
      if (key === 'manifest') add.call(this, value, key);
      return add.call(this, value, key);
    });
    try {
      await expect(importStores(file, { name })).rejects.toMatchObject({ name: 'ConstraintError' });
    } finally {
      refused.mockRestore();
    }
    expect(await isThere()).toBe(false);
  });

  it('is refused where the database was tidied up while it was copied', async () => {
    await makeNewer();
    const copying = exportStores({ name }).getReader();
    await copying.read();
    const db = await openDB(name);
    await db.put('meta', { ...((await db.get('meta', 'manifest')) as object), number: 2 }, 'manifest');
    db.close();
    await expect(readOn(copying)).rejects.toMatchObject({ code: 'database changed' });
  });

  it.each([
    ['is upgraded', () => openDB(name, 3).then((db) => db.close())],
    ['is deleted', () => deleteDB(name)],
  ])('holds nobody up whose reader stalls: when the database %s it fails, and says so', async (_, act) => {
    await makeNewer();
    const copying = exportStores({ name }).getReader();
    await copying.read();
    await act();
    await expect(readOn(copying)).rejects.toMatchObject({ code: 'connection lost' });
  });

  it('fails in the same way where the browser ends what is under way', async () => {
    await makeNewer();
    const copying = exportStores({ name }).getReader();
    await copying.read();
    const { transaction } = IDBDatabase.prototype;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      const begun = transaction.apply(this, args);
      queueMicrotask(() => begun.abort());
      return begun;
    });
    try {
      await expect(readOn(copying)).rejects.toMatchObject({ code: 'connection lost' });
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is no database before all of it is there', async () => {
    await makeNewer();
    const before = await contents();
    const text = await (await fileOf()).text();
    await deleteDB(name);
    const end = text.lastIndexOf('\n', text.length - 2) + 1;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    let records = 0;
    const importing = importStores(readable, { name, onProgress: (progress) => (records = progress.records) });
    void writer.write(bytes(text.slice(0, end)));
    await vi.waitFor(() => expect(records).toBe(45), { timeout: 10_000 });
    await expect(idbLogStore(name).open()).rejects.toMatchObject(UNFINISHED);
    await expect(importStores(new Blob([text]), { name })).rejects.toMatchObject({ code: 'database exists', message: expect.stringContaining('under way') });
    await writer.write(bytes(text.slice(end)));
    await writer.close();
    await importing;
    expect(await contents()).toEqual(before);
  });

  it('takes the place of no other', async () => {
    await makeNewer();
    const before = await contents();
    await expect(importStores(await fileOf(), { name })).rejects.toMatchObject({ code: 'database exists' });
    expect(await contents()).toEqual(before);
  });

  it('is not made of what is not there', async () => {
    await expect(exportStores({ name }).getReader().read()).rejects.toMatchObject({ code: 'no database' });
    expect(await isThere()).toBe(false);
  });
});

it('an import that fails leaves the database that has come in its place meanwhile', async () => {
  await makeNewer();
  const text = await (await fileOf()).text();
  await deleteDB(name);
  const [head = '', ...lines] = text.split(/(?<=\n)/);
  const feed = new TransformStream<Uint8Array, Uint8Array>();
  const writer = feed.writable.getWriter();
  const failing = expect(importStores(feed.readable, { name })).rejects.toMatchObject({ code: 'damaged copy' });
  await writer.write(new TextEncoder().encode(head + lines[0]));
  await expect.poll(isThere).toBe(true);
  // Both wait for the import's connection to be closed.
  const deleted = deleteDB(name);
  const opened = openDB(name, 2, { upgrade: (db) => db.createObjectStore('blocks').put('something', 1) });
  await writer.write(new TextEncoder().encode('no line of a copy\n'));
  await failing;
  await deleted;
  const db = await opened;
  expect(await db.get('blocks', 1)).toBe('something');
  db.close();
  expect(await contents()).toEqual({ 'blocks 1': 'something' });
});

it('a copy is not taken for the database it was made of, which has gone on since', async () => {
  const engine = idbLogStore(name);
  await engine.open();
  await engine.append(0, () => bytes('one'));
  const file = await fileOf();
  await engine.append(1, () => bytes('two'));
  await deleteDB(name);
  await importStores(file, { name });
  expect((await contents())['meta "header"']).toMatchObject({ format: FORMAT, floor: 0, settings: { durability: 'strict' } });
  // Meanwhile another engine has come as far as that one.
  const other = idbLogStore(name);
  await other.open();
  await other.append(1, () => bytes('another two'));
  await expect(engine.tail(2)).rejects.toMatchObject({ code: 'evicted' });
  await expect(engine.append(2, () => bytes('three'))).rejects.toMatchObject({ code: 'evicted' });
  expect((await other.tail(0)).records.map(({ number }) => number)).toEqual([1, 2]);
  engine.close();
  other.close();
});

it('what is told of its progress and fails has its own error', async () => {
  await makeNewer();
  const error = new DOMException('given up', 'AbortError');
  const onProgress = (): void => {
    throw error;
  };
  await expect(readOn(exportStores({ name, onProgress }).getReader())).rejects.toBe(error);
});

describe('an import whose tab is closed in its middle', () => {
  /** Leaves what such a tab does, which deletes nothing. */
  async function cutOff(text: string): Promise<void> {
    const closed = vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
      throw new Error('the tab is closed');
    });
    try {
      await expect(importStores(new Blob([text.slice(0, text.lastIndexOf('["meta"'))]), { name })).rejects.toMatchObject({ code: 'damaged copy' });
    } finally {
      closed.mockRestore();
    }
  }

  /** @returns the copy that was being imported */
  async function leaveUnfinished(): Promise<string> {
    await makeNewer();
    const text = await (await fileOf()).text();
    await deleteDB(name);
    await cutOff(text);
    return text;
  }

  it.each([
    ['the same copy', (text: string) => text, UNFINISHED],
    ['the copy of a newer version', (text: string) => text.replace('"native":2', '"native":7'), { code: 'newer-format' }],
    ['the copy of an older version', (text: string) => text.replace('"native":2', '"native":1'), UNFINISHED],
  ])('leaves of %s what opening tells of, and the next import removes', async (_, change, error) => {
    await makeNewer();
    const before = await contents();
    const text = await (await fileOf()).text();
    await deleteDB(name);
    await cutOff(change(text));
    await expect(idbLogStore(name).open()).rejects.toMatchObject(error);
    await importStores(new Blob([text]), { name });
    expect(await contents()).toEqual(before);
  });

  it('leaves nothing that could be copied', async () => {
    await leaveUnfinished();
    await expect(exportStores({ name }).getReader().read()).rejects.toMatchObject({ code: 'no database' });
  });

  it('loses what it left to no file that is none', async () => {
    await leaveUnfinished();
    const before = await contents();
    await expect(importStores(new Blob(['a file\n']), { name })).rejects.toMatchObject({ code: 'not a copy' });
    expect(await contents()).toEqual(before);
  });

  it.each([
    ['has lost its header', (db: IDBPDatabase) => db.delete('meta', 'header')],
    ['has lost header and manifest', (db: IDBPDatabase) => db.clear('meta')],
    ['has a header that makes no sense', (db: IDBPDatabase) => db.put('meta', 'no header', 'header')],
    ['lacks a store', null],
  ])('is not seen in a database that %s', async (_, damage) => {
    await makeNewer();
    const file = await fileOf();
    if (damage === null) {
      await deleteDB(name);
      (await openDB(name, 2, { upgrade: (db) => db.createObjectStore('blocks').put('something', 1) })).close();
    } else {
      const db = await openDB(name);
      await damage(db);
      db.close();
    }
    const before = await contents();
    await expect(importStores(file, { name })).rejects.toMatchObject({ code: 'database exists' });
    expect(await contents()).toEqual(before);
  });

  it('stays where there are no locks that tell whether it still goes on', async () => {
    const text = await leaveUnfinished();
    const before = await contents();
    const without = vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as unknown as LockManager);
    try {
      await expect(importStores(new Blob([text]), { name })).rejects.toMatchObject({ code: 'database exists' });
    } finally {
      without.mockRestore();
    }
    expect(await contents()).toEqual(before);
  });
});

// A change that waits for its announcement is meant for the database of its call: it leaves nothing in
// one that has come in its place.
import { deleteDB } from 'idb';
import { expect, it } from 'vitest';
import { idbLogStore } from './idb.ts';
import { exportStores, importStores } from './raw-copy.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A store whose changes wait for `hold`, and what its records say. */
function waiting() {
  const name = `late ${crypto.randomUUID()}`;
  let go = (): void => undefined;
  let held: Promise<void> | null = null;
  const store = idbLogStore(name, {
    announced: async (change) => {
      await held;
      return change();
    },
  });
  return {
    name,
    store,
    hold: (): void => void (held = new Promise((resolve) => (go = resolve))),
    letGo(): void {
      held = null;
      go();
    },
  };
}

async function append(store: ReturnType<typeof idbLogStore>, from: number, to: number, what: string): Promise<void> {
  for (let n = from; n < to; n++) expect(await store.append(n, () => bytes(`${what} ${n}`))).toMatchObject({ kind: 'appended', number: n + 1 });
}

/** The records that are not void, as whoever opens the database finds them. */
async function records(name: string): Promise<string[]> {
  const store = idbLogStore(name);
  await store.open();
  const { records } = await store.tail(0);
  store.close();
  return records.filter(({ body }) => body.length > 0).map(({ body }) => new TextDecoder().decode(body));
}

it.each([
  ['an append', 0, 5],
  ['an append to a database that has come as far', 2, 2],
] as const)('%s', async (_, fresh, old) => {
  const { name, store, hold, letGo } = waiting();
  await store.open();
  await append(store, 0, old, 'old');
  hold();
  const late = store.append(old, () => bytes('late')).catch((error: unknown) => error);
  await deleteDB(name);
  await expect(store.tail(old)).rejects.toMatchObject({ code: 'evicted' });
  // As whoever has found that goes on.
  await store.open();
  const other = idbLogStore(name);
  await other.open();
  await append(other, 0, fresh, 'new');
  letGo();
  expect(await late).toMatchObject({ code: 'evicted' });
  expect(await records(name)).toEqual(['new 0', 'new 1'].slice(0, fresh));
});

it('an install', async () => {
  const { name, store, hold, letGo } = waiting();
  await store.open();
  await append(store, 0, 2, 'old');
  hold();
  const late = store.install({ expected: 0, manifest: bytes('old'), floor: 2 }).catch((error: unknown) => error);
  await deleteDB(name);
  await expect(store.tail(2)).rejects.toMatchObject({ code: 'evicted' });
  await store.open();
  const other = idbLogStore(name);
  await other.open();
  await append(other, 0, 2, 'new');
  letGo();
  expect(await late).toMatchObject({ code: 'evicted' });
  expect(await records(name)).toEqual(['new 0', 'new 1']);
});

it('an append where an older copy was put in the place of its database', async () => {
  const { name, store, hold, letGo } = waiting();
  await store.open();
  await append(store, 0, 3, 'old');
  const copy = await new Response(exportStores({ name })).blob();
  await append(store, 3, 6, 'old');
  hold();
  const late = store.append(6, () => bytes('late')).catch((error: unknown) => error);
  await deleteDB(name);
  await importStores(copy, { name });
  letGo();
  expect(await late).toMatchObject({ code: 'evicted' });
  expect(await records(name)).toEqual(['old 0', 'old 1', 'old 2']);
});

/** Its database was found removed; what is announced from now on waits. */
async function removed() {
  const { name, store, hold, letGo } = waiting();
  await store.open();
  await append(store, 0, 1, 'old');
  await deleteDB(name);
  await expect(store.tail(1)).rejects.toMatchObject({ code: 'evicted' });
  hold();
  return { name, store, letGo };
}

it('whatever knows the database before is refused while the one in its place is opened', async () => {
  const { name, store, letGo } = await removed();
  // Its settings are to be written, which waits for the announcement.
  const opening = store.open({ durability: 'relaxed' });
  const isMade = async (): Promise<boolean> => (await indexedDB.databases()).some((database) => database.name === name);
  await expect.poll(isMade).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const late = [store.tail(1), store.header(), store.readBlocks([1]), store.writeBlocks([{ id: 1, bytes: bytes('old') }])];
  await Promise.all(late.map((call) => expect(call).rejects.toMatchObject({ code: 'evicted' })));
  const install = store.install({ expected: 0, manifest: bytes('old'), floor: 1 }).catch((error: unknown) => error);
  letGo();
  expect(await install).toMatchObject({ code: 'evicted' });
  expect(await opening).toMatchObject({ manifestNumber: 0, floor: 0, settings: { durability: 'relaxed' } });
  // After a void record, which tells of the settings.
  await append(store, 1, 2, 'new');
});

it('a change that is asked for while that is opened, and announced later', async () => {
  const { store, letGo } = await removed();
  // Waits for nobody, as it changes nothing.
  const opening = store.open();
  const late = store.install({ expected: 0, manifest: bytes('old'), floor: 1 }).catch((error: unknown) => error);
  await opening;
  letGo();
  expect(await late).toMatchObject({ code: 'evicted' });
  expect(await store.header()).toMatchObject({ manifestNumber: 0, floor: 0 });
});

it('a store that is closed while it is opened stays closed', async () => {
  const { store, hold, letGo } = waiting();
  hold();
  const opening = store.open({ durability: 'relaxed' }).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 100));
  store.close();
  letGo();
  expect(await opening).toMatchObject({ code: 'lost' });
  await expect(store.tail(0)).rejects.toMatchObject({ code: 'lost' });
});

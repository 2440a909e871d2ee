// Copies a database as it is stored, without having to understand it: this is how the contents of a
// database of a newer format can be kept, which this build refuses to open. The copy is a file of
// lines of JSON in UTF-8:
//
//   {"vivarium":"stores","version":2,"native":2,"stores":["blocks","log","meta"],"generators":["log"]}
//   ["log",17,{"object":{…}}]              every record of every object store (structured-json.ts)
//   …
//   {"end":true,"records":…,"sha256":"…"}
//
// The checksum is of the lines before it, each taken together with the checksum so far. Secrets
// stand in it as they are stored, by their hashes; the root's too, as nobody here can tell it apart.
import { joinBytes, toBase64 } from '../engine/base/bytes.ts';
import { FORMAT } from '../engine/kv/log-store.ts';
import { randomMark } from './stored.ts';
import { decode, encode } from './structured-json.ts';

export interface CopyOptions {
  /** Of the database, as given to `open`; default `vivarium`. */
  readonly name?: string | undefined;
  /** Told how many records were copied, of how many; `null` where nobody knows. */
  readonly onProgress?: ((progress: { readonly records: number; readonly of: number | null }) => void) | undefined;
}

export type CopyErrorCode =
  | 'no database' // there is none of that name
  | 'database exists' // and is not overwritten, or is just being imported
  | 'database changed' // it was tidied up while it was copied
  | 'connection lost' // another tab deletes or upgrades it, or the browser has ended it
  | 'not a copy' // the file does not begin as one
  | 'newer copy' // the file has a form that this build does not know
  | 'damaged copy'; // it is not as it was written, or not all of it

/** A copy that was not made. Nothing was changed. */
export class CopyError extends Error {
  override readonly name = 'CopyError';
  constructor(
    readonly code: CopyErrorCode,
    message: string,
  ) {
    super(message);
  }
}

type StoredRecord = readonly [key: IDBValidKey, value: unknown];
type Tell = NonNullable<CopyOptions['onProgress']>;

/** How the first line of every copy begins. */
const BEGINNING = '{"vivarium":"stores"';
const VERSION = 2;
/** Says what the other stores hold. It is written last, so that an unfinished copy is no database. */
const META = 'meta';
const HEADER = 'header';
/**
 * Stands in the header's place until an import ends, and goes as the header comes. Whoever opens the database says these words
 * (stored.ts). They stay as they are: by nothing else is an unfinished import recognised.
 */
const UNFINISHED = 'the import of a copy has not come to its end; if none is under way, import it again';
/** Records at a time: of blocks, half a megabyte. */
const BATCH = 16;

/** The file of a database of any format, while others may use it. @throws CopyError, TypeError: by the stream */
export function exportStores({ name = 'vivarium', onProgress = () => undefined }: CopyOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = write(name, onProgress);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** Makes the database that a file is a copy of, where there is none, or one whose import was cut off. @throws CopyError, DOMException where there is no room */
export async function importStores(file: Blob | ReadableStream<Uint8Array>, { name = 'vivarium', onProgress = () => undefined }: CopyOptions = {}): Promise<void> {
  if (!(file instanceof Blob || file instanceof ReadableStream)) throw new CopyError('not a copy', 'A copy is a Blob or a stream of bytes.');
  const lines = linesOf(file instanceof Blob ? file.stream() : file);
  try {
    await read(lines, name, onProgress);
  } finally {
    await lines.return(undefined);
  }
}

async function read(lines: AsyncGenerator<string, undefined>, name: string, tell: Tell): Promise<void> {
  const digest = new Digest();
  const { native, stores, generators } = await readHead(lines, digest);
  await alone(name, async () => {
    const db = await openNative(name, native, (made) => {
      for (const store of stores) {
        const objects = made.createObjectStore(store, { autoIncrement: generators.includes(store) });
        if (store === META) objects.add(UNFINISHED, HEADER);
      }
    });
    if (db === null) throw new CopyError('database exists', `There is a database ${name} already; delete it first.`);
    try {
      await fill(db, lines, digest, tell);
      db.close();
    } catch (error) {
      db.close();
      // Meanwhile another may have come in its place, which stays.
      await (stores.includes(META) ? removeUnfinished(name) : settled(indexedDB.deleteDatabase(name))).catch(() => undefined);
      throw error;
    }
  });
}

/** Imports while nobody else does, and begins anew where an import was cut off. */
async function alone(name: string, act: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks;
  // Nobody can tell whether an import that is not finished was cut off or still goes on: it stays.
  if (locks === undefined) return act();
  await locks.request(`vivarium:copy:${name}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) throw new CopyError('database exists', `Another import of ${name} is under way.`);
    await removeUnfinished(name);
    await act();
  });
}

async function isUnfinished(db: IDBDatabase): Promise<boolean> {
  return db.objectStoreNames.contains(META) && (await settled<unknown>(db.transaction(META).objectStore(META).get(HEADER))) === UNFINISHED;
}

async function removeUnfinished(name: string): Promise<void> {
  const db = await openThere(name);
  if (db === null) return;
  try {
    // This connection gives way to that. Were it closed before, another database might be there by now.
    if (await isUnfinished(db)) await settled(indexedDB.deleteDatabase(name));
  } finally {
    db.close();
  }
}

async function* write(name: string, tell: Tell): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const db = await openThere(name);
  if (db === null) throw new CopyError('no database', `There is no database ${name}.`);
  try {
    if (await reading(() => isUnfinished(db))) throw new CopyError('no database', `Of ${name} there is no more than what an import has left that was cut off, or goes on.`);
    const digest = new Digest();
    const stores = [...db.objectStoreNames].sort((a, b) => Number(a === META) - Number(b === META));
    const counts = await reading(() => Promise.all(stores.map((store) => settled(db.transaction(store).objectStore(store).count()))));
    const of = counts.reduce((sum, count) => sum + count, 0);
    const state = await stateOf(db);
    const generators = await reading(() => stores.filter((store) => db.transaction(store).objectStore(store).autoIncrement));
    let records = 0;
    yield digest.line({ vivarium: 'stores', version: VERSION, native: db.version, stores, generators });
    for (const store of stores) {
      for await (const [key, value] of recordsOf(db, store)) {
        yield digest.line([store, encode(key), encode(value)]);
        tell({ records: ++records, of: Math.max(of, records) });
      }
    }
    // As the manifest is still the same, all blocks it names were there; and the log was read after them.
    if ((await stateOf(db)) !== state) throw new CopyError('database changed', 'The database was tidied up while it was copied.');
    yield digest.line({ end: true, records, sha256: await digest.soFar() });
  } finally {
    db.close();
  }
}

/** @throws CopyError where the connection that is read from is closed, before or meanwhile */
async function reading<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isLost = /^(?:InvalidState|Abort)Error/.test(String(error));
    throw isLost ? new CopyError('connection lost', 'The connection to the database was lost, as when another tab deletes or upgrades it.') : error;
  }
}

async function stateOf(db: IDBDatabase): Promise<string> {
  const records: StoredRecord[] = [];
  if (db.objectStoreNames.contains(META)) for await (const record of recordsOf(db, META)) records.push(record);
  return JSON.stringify(encode(records));
}

async function* recordsOf(db: IDBDatabase, name: string): AsyncGenerator<StoredRecord, undefined> {
  for (let after: IDBKeyRange | null = null; ; ) {
    const range = after;
    const [keys, values] = await reading(() => {
      const store = db.transaction(name).objectStore(name);
      return Promise.all([settled(store.getAllKeys(range, BATCH)), settled<unknown[]>(store.getAll(range, BATCH))]);
    });
    for (const [at, key] of keys.entries()) yield [key, values[at]];
    const last = keys.at(-1);
    if (last === undefined) return;
    after = IDBKeyRange.lowerBound(last, true);
  }
}

async function fill(db: IDBDatabase, lines: AsyncGenerator<string, undefined>, digest: Digest, tell: Tell): Promise<void> {
  let records = 0;
  const meta: StoredRecord[] = [];
  for await (const line of lines) {
    const said = parsed(line);
    if (!Array.isArray(said)) {
      const { end, records: all, sha256 } = said as { end?: unknown; records?: unknown; sha256?: unknown };
      const isWhole = end === true && all === records && sha256 === (await digest.soFar()) && (await lines.next()).done === true;
      if (!isWhole) throw damaged();
      // All at once, and last of all: a header without its manifest would be a database that has lost everything.
      return db.objectStoreNames.contains(META) ? await add(db, META, meta, 'strict') : undefined;
    }
    await digest.add(line);
    const [store, ...record] = said as [string, unknown, unknown];
    if (!db.objectStoreNames.contains(store)) throw damaged();
    const decoded = decodedRecord(record);
    if (store === META) meta.push(anew(decoded));
    else await add(db, store, [decoded], 'relaxed');
    tell({ records: ++records, of: null });
  }
  throw damaged();
}

/**
 * The header says which database this is, so that nobody takes another one of the same name for it. A copy is another one:
 * the one it was made of has gone on since, and whoever has that in memory still must not go on with this. A header of a
 * newer format stays: nobody here knows what else depends on it.
 */
function anew([key, value]: StoredRecord): StoredRecord {
  if (key !== HEADER) return [key, value];
  const header = Object(value) as { readonly format?: unknown };
  return [key, Number(header.format) <= FORMAT ? { ...header, identity: randomMark() } : value];
}

/** @throws CopyError for what is no stored value, or no key */
function decodedRecord([key, value]: readonly [unknown, unknown]): StoredRecord {
  try {
    return [decode(key) as IDBValidKey, decode(value)];
  } catch {
    throw damaged();
  }
}

async function add(db: IDBDatabase, store: string, records: readonly StoredRecord[], durability: IDBTransactionDurability): Promise<void> {
  const transaction = db.transaction(store, 'readwrite', { durability });
  try {
    const objects = transaction.objectStore(store);
    // Of `UNFINISHED`.
    if (store === META) objects.clear();
    for (const [key, value] of records) objects.add(value, key);
  } catch {
    // What the line holds is no key.
    transaction.abort();
    throw damaged();
  }
  await completed(transaction);
}

interface Head {
  readonly native: number;
  readonly stores: readonly string[];
  /** Stores with a key generator; that of a copy begins after the last key there is. */
  readonly generators: readonly string[];
}

async function readHead(lines: AsyncGenerator<string, undefined>, digest: Digest): Promise<Head> {
  const { value: line } = await lines.next();
  const head = (line === undefined ? {} : parsed(line, notCopy)) as { vivarium?: unknown; version?: unknown } & { [K in keyof Head]?: unknown };
  // In form 1 there are none.
  const { vivarium, version, native, stores, generators = [] } = head;
  if (line === undefined || vivarium !== 'stores') throw notCopy();
  if (version !== VERSION && version !== 1) throw new CopyError('newer copy', `The file has form ${String(version)}; this version reads ${VERSION}.`);
  if (!Number.isSafeInteger(native) || !Array.isArray(stores) || !Array.isArray(generators)) throw damaged();
  await digest.add(line);
  return { native: native as number, stores: stores.map(String), generators: generators.map(String) };
}

/** @param failed what is wrong with the file where this is no JSON of an array or object */
function parsed(line: string, failed = damaged): object {
  try {
    const said = JSON.parse(line) as unknown;
    if (typeof said === 'object' && said !== null) return said;
  } catch {
    // Told below.
  }
  throw failed();
}

const notCopy = (): CopyError => new CopyError('not a copy', 'The file is not the copy of a database.');
const damaged = (): CopyError => new CopyError('damaged copy', 'The file is not as it was written, or not all of it.');

/** Checksums of lines, each taken together with the one before. */
class Digest {
  private latest = new Uint8Array();

  async line(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
    const line = JSON.stringify(value);
    await this.add(line);
    return new TextEncoder().encode(`${line}\n`);
  }

  async add(line: string): Promise<void> {
    // Neither is backed by shared memory, which is all the type leaves open.
    const both = joinBytes([this.latest, new TextEncoder().encode(line)]) as Uint8Array<ArrayBuffer>;
    this.latest = new Uint8Array(await crypto.subtle.digest('SHA-256', both));
  }

  async soFar(): Promise<string> {
    return toBase64(this.latest);
  }
}

async function* linesOf(file: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const reader = file.getReader();
  const decoder = new TextDecoder();
  try {
    let rest = '';
    let isBegun = false;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      isBegun ||= lines.length > 0;
      yield* lines;
    }
    // It was cut off, unless it never was a copy.
    if (rest !== '') throw isBegun || rest.startsWith(BEGINNING) ? damaged() : notCopy();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Opens the native database as it is, until somebody else wants to delete or upgrade it; `null` where there is none. */
async function openThere(name: string): Promise<IDBDatabase | null> {
  // Asked first, as in WebKit the attempt to open one that is not there leaves an empty one behind.
  const all = await indexedDB.databases();
  const db = all.some((one) => one.name === name) ? await openNative(name) : null;
  if (db !== null) db.onversionchange = () => db.close();
  return db;
}

/**
 * Opens the native database that there is or, with `make`, a new one. `null` where there is none, or there is one already.
 * @param version of its object stores; default: the one it has
 */
async function openNative(name: string, version?: number, make?: (db: IDBDatabase) => void): Promise<IDBDatabase | null> {
  const request = indexedDB.open(name, version);
  let isFitting = make === undefined;
  request.onupgradeneeded = ({ oldVersion }) => {
    isFitting = oldVersion === 0 && make !== undefined;
    if (isFitting) make?.(request.result);
    else request.transaction?.abort();
  };
  const inUse = new Promise<null>((resolve) => (request.onblocked = () => resolve(null)));
  try {
    const db = await Promise.race([settled(request), inUse]);
    if (isFitting) return db;
    db?.close();
  } catch (error) {
    if (isFitting) throw error;
  }
  return null;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

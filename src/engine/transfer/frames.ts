// The file of an export: lines of JSON in UTF-8.
//
//   {"vivarium":"database","version":1,"lastCommit":…}
//   {"part":1,"bytes":…,"sha256":"…"}        and so many bytes of lines (lines.ts)
//   …
//   {"end":true,"parts":…,"rows":…,"sha256":"…"}
//
// Each checksum is that of the one before it and what follows it, so the last one vouches for
// the file as a whole, and a damaged part is found before anything is made of it. What is in a
// file follows from the rows alone: the same rows make the same file, byte by byte.
import { fromBase64, joinBytes, keyFromBytes, toBase64 } from '../base/bytes.ts';
import { bytesFromKey } from '../base/key-bytes.ts';
import type { Platform, Ts } from '../base/platform.ts';
import type { Build } from '../kv/builds.ts';
import type { Row } from '../kv/rows.ts';
import { lineOf, rowOf } from './lines.ts';
import { ByteSource } from './byte-source.ts';
import { TransferError } from './transfer-error.ts';

/** Form of the files this build writes; those of a greater one it refuses. */
const VERSION = 1;

/** Characters a part is filled to; one longer line has a part of its own. */
const PART_SIZE = 256 * 1024;
/** Most bytes of a line that is no row (the first one names all indexes that were being built), and of a part: a file with more is refused. */
const LONGEST_LINE = 2 ** 20;
const LARGEST_PART = 256 * 2 ** 20;

export interface Head {
  /** Time of the last commit in it; 0 when there is none. */
  readonly lastCommit: Ts;
  /** Indexes that were being built: whoever imports the file goes on building them. */
  readonly builds: readonly Build[];
}

/** @param batches rows in order, in batches of any size */
export async function* writeFrames(head: Head, batches: AsyncIterable<readonly Row[]>, platform: Platform): AsyncGenerator<Uint8Array> {
  const { utf8 } = platform;
  const first = utf8.encode(`${headLine(head)}\n`);
  const chain = new Chain(platform);
  yield first;
  await chain.link(first);
  let parts = 0;
  let rows = 0;
  let lines: string[] = [];
  let size = 0;
  const close = async (): Promise<Uint8Array[]> => {
    const bytes = utf8.encode(lines.join(''));
    lines = [];
    size = 0;
    return [utf8.encode(`{"part":${++parts},"bytes":${bytes.length},"sha256":"${await chain.link(bytes)}"}\n`), bytes];
  };
  for await (const batch of batches) {
    for (const row of batch) {
      const line = `${lineOf(row)}\n`;
      rows++;
      size += line.length;
      lines.push(line);
      if (size >= PART_SIZE) yield* await close();
    }
  }
  if (lines.length > 0) yield* await close();
  yield utf8.encode(`{"end":true,"parts":${parts},"rows":${rows},"sha256":"${await chain.link(utf8.encode(total(parts, rows)))}"}\n`);
}

function headLine({ lastCommit, builds }: Head): string {
  const stored = builds.map(({ scope, index, commit, left, versions }): StoredBuild => [String(scope), String(index), commit, toBase64(bytesFromKey(left)), versions]);
  return JSON.stringify({ vivarium: 'database', version: VERSION, lastCommit, ...(stored.length === 0 ? {} : { builds: stored }) });
}

/** Microseconds, in the year 2223: there has to be time left for what is committed after an import. */
const LAST_TIME = 8e15;

type StoredBuild = readonly [scope: string, index: string, commit: Ts, left: string, versions: number];

const readBuild = ([scope, index, commit, left, versions]: StoredBuild): Build => ({
  scope: BigInt(scope), index: BigInt(index), commit, left: keyFromBytes(fromBase64(left) ?? new Uint8Array()), versions,
});

const isBuild = (value: unknown): value is StoredBuild =>
  Array.isArray(value) && [value[0], value[1]].every((id) => /^-?\d{1,19}$/.test(String(id))) && typeof value[3] === 'string' && isCount(value[2]) && isCount(value[4]);

const total = (parts: number, rows: number): string => `${parts} parts, ${rows} rows`;

export interface Frames {
  readonly head: Head;
  /** The rows, part by part, none before its checksum was found right; ends only where the file does. @throws TransferError */
  readonly parts: AsyncGenerator<readonly Row[]>;
  /** Lets go of what was not read. */
  close(): Promise<void>;
}

/** @throws TransferError when it does not begin as the file of an export */
export async function readFrames(file: AsyncIterable<Uint8Array>, platform: Platform): Promise<Frames> {
  const source = new ByteSource(file);
  const chain = new Chain(platform);
  try {
    const line = await source.line(LONGEST_LINE).catch(notOurs);
    const { vivarium, version, lastCommit, builds = [] } = await fieldsOf(line, platform).catch(notOurs);
    if (vivarium !== 'database' || !isCount(version)) return notOurs();
    if (version > VERSION) throw new TransferError('newer export', `The file has form ${version}; this version reads up to ${VERSION}.`);
    if (!isCount(lastCommit) || lastCommit > LAST_TIME || !Array.isArray(builds) || !builds.every(isBuild)) throw damaged('its first line');
    await chain.link(line);
    return { head: { lastCommit, builds: builds.map(readBuild) }, parts: partsOf(source, chain, platform), close: () => source.close() };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** @throws what was wrong with the stream itself, or that the file is none of ours */
function notOurs(error?: unknown): never {
  if (error !== undefined && !(error instanceof TransferError)) throw error;
  throw new TransferError('not an export', 'The file is not the export of a database.');
}

async function* partsOf(source: ByteSource, chain: Chain, platform: Platform): AsyncGenerator<readonly Row[]> {
  let parts = 0;
  let rows = 0;
  let last = '';
  for (;;) {
    const fields = await fieldsOf(await source.line(LONGEST_LINE), platform);
    if (fields['end'] === true) {
      const isRight = fields['parts'] === parts && fields['rows'] === rows;
      if (!isRight || fields['sha256'] !== (await chain.link(platform.utf8.encode(total(parts, rows))))) throw damaged('its last line');
      if (!(await source.isAtEnd())) throw damaged('what follows its last line');
      return;
    }
    const name = `part ${++parts}`;
    const { part, bytes: size, sha256 } = fields;
    if (part !== parts || !isCount(size) || size > LARGEST_PART) throw damaged(`the head of ${name}`);
    const bytes = await source.take(size);
    if (sha256 !== (await chain.link(bytes))) throw damaged(name);
    const batch = platform.utf8.decode(bytes).slice(0, -1).split('\n').map(rowOf);
    for (const { key } of batch) {
      if (key <= last) throw damaged(`the order of ${name}`);
      last = key;
    }
    rows += batch.length;
    yield batch;
  }
}

/** Checksums, each of the one before and some bytes. */
class Chain {
  private latest: Uint8Array = new Uint8Array();

  constructor(private readonly platform: Platform) {}

  async link(bytes: Uint8Array): Promise<string> {
    this.latest = await this.platform.sha256(joinBytes([this.latest, bytes]));
    return toBase64(this.latest);
  }
}

/** The fields of a line that is no row. @throws TransferError */
async function fieldsOf(line: Uint8Array, { utf8 }: Platform): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (JSON.parse(utf8.decode(line)) as Record<string, unknown> | null) ?? {};
  } catch {
    throw damaged('a line');
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const damaged = (where: string): TransferError => new TransferError('damaged export', `The file is damaged: ${where} is not as it was written.`);

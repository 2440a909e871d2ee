// What a transaction reads and writes, in bytes and in the operations that were billed for it
// (reference: fql/wire.md §5.3; the original's repo/query/Query).
import { type Key, utf8Length } from '../base/bytes.ts';
import { andThen, type MaybePromise } from '../base/maybe.ts';
import { type Row, rowOf } from '../kv/rows.ts';

/** Bytes that make one operation. */
const READ_UNIT = 4096;
const WRITE_UNIT = 1024;
/** Documents that are remembered as read, so that a request which reads a million does not fill the memory with their keys. */
export const MOST_KNOWN = 50_000;

export class Cost {
  /** Keys and texts of the rows that were read, in bytes. */
  bytesRead = 0;
  /** Keys and texts of the rows as they were last made for a commit, in bytes. */
  bytesWritten = 0;
  /** Operations for those bytes: a document is counted together with its entries, and apart from others. */
  writeOps = 0;
  /** For documents, and for reads of sets that are over. */
  private ops = 0;
  /** For partitions of indexes beyond the first of each. */
  private partitionOps = 0;
  /** Bytes that the last read of a set has read so far. */
  private setBytes = 0;
  /** Key of the document counted last: reading it again is free. */
  latest: Key = '';
  /** Keys of those that were read by their refs, up to a number: then it begins anew. */
  private readonly known = new Set<Key>();

  /** Operations: each document for itself, each read of a set, and every partition of an index beyond its first. */
  get readOps(): number {
    return this.ops + this.partitionOps + opsOf(this.setBytes);
  }

  /** A read of a set begins. */
  begin(): void {
    this.ops += opsOf(this.setBytes);
    this.setBytes = 0;
  }

  /** Reads a set, and the document that it leads to: they are billed as one. */
  together<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    this.begin();
    return this.within(work);
  }

  /** Reads a document, or sets on the way, as part of the set that is being read. */
  within<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const { ops, setBytes, bytesRead } = this;
    return andThen(work(), (result) => {
      this.ops = ops;
      this.setBytes = setBytes + this.bytesRead - bytesRead;
      return result;
    });
  }

  /** The version of a document was read that a scan has met. */
  document(row: Row): void {
    const bytes = bytesOf(row);
    if (row.key !== this.latest) this.documents({ bytes, ops: opsOf(bytes) }, row.key);
  }

  /** A document was read by its ref; where it is not there, its key was. To read the same version again is free. */
  sought(document: Key, row: Row | null): void {
    const read = row ?? rowOf(document, '');
    const before = this.known.size;
    // Most are new: they are looked up once.
    if (this.known.add(read.key).size === before) return;
    this.document(read);
    if (before === MOST_KNOWN) this.known.clear();
  }

  /** A row of an index or of a history. */
  entry(row: Row): void {
    this.entries(bytesOf(row));
  }

  /** All rows of an index or a history that somebody has read. */
  entries(bytes: number): void {
    this.bytesRead += bytes;
    this.setBytes += bytes;
  }

  /** So many documents were read, each for itself. @param last the key of the last one */
  documents({ bytes, ops }: Bill, last: Key): void {
    this.bytesRead += bytes;
    this.ops += ops;
    this.latest = last;
  }

  /** A read of an index begins; the documents of a collection count as one of eight partitions. It is charged a key even if it finds nothing. */
  index(prefix: Key, partitions = 8): void {
    this.entries(prefix.length);
    this.partitionOps += partitions - 1;
  }

  /** Counts what is written of one document: the bytes of its rows. */
  wrote(bytes: number): void {
    this.bytesWritten += bytes;
    this.writeOps += Math.ceil(bytes / WRITE_UNIT);
  }

  /** Nothing is written yet after all: the rows are made again. */
  rewrite(): void {
    this.bytesWritten = this.writeOps = 0;
  }

  /** Work whose reads count as bytes, but make no operations: that of a write, or of what is billed already. */
  free<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const { ops, partitionOps, setBytes } = this;
    return andThen(work(), (result) => {
      this.ops = ops;
      this.partitionOps = partitionOps;
      this.setBytes = setBytes;
      return result;
    });
  }

  /** Forgets all there was so far: finding out who asks is not billed, nor what fails, which writes nothing either. */
  restart(): void {
    Object.assign(this, new Cost());
  }
}

/** What documents are billed: their bytes, and the operations. */
export interface Bill {
  readonly bytes: number;
  readonly ops: number;
}

export const opsOf = (bytes: number): number => Math.ceil(bytes / READ_UNIT);

/** Keys hold a byte in each character. */
export const bytesOf = (row: Row): number => row.key.length + (row.textBytes ??= utf8Length(row.text));

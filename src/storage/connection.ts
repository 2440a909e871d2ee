// The connection to one database. It is opened when first needed, and again when the browser has
// closed it (WebKit does so after a page has slept, every browser when another tab deletes or
// upgrades the database), but never by mistake to another database of the same name.
import { evicted, isFailure, StorageError } from '../engine/kv/log-store.ts';
import { openDatabase, VERSION } from './database.ts';
import { unlessExpired } from './deadline.ts';
import type { Early } from './early.ts';
import { madeUncertain } from './failure.ts';
import { readHeader } from './stored.ts';
import { type Runner, runner } from './transact.ts';

/** Lets calls of an opening past this refusal. */
export type Pass = StorageError | undefined;

export class Connection {
  private current: Promise<IDBDatabase> | undefined;
  /** One that may take longer than calls wait for it: those that give up must not have another made. */
  slow: Promise<IDBDatabase> | undefined;
  /** Counts the connections: behind another one there may be another database. */
  number = 0;
  /** That of the database we work with, from when its header was first read until it is lost. */
  private identity: number | undefined;
  /** How often the database was found to be removed. */
  losses = 0;
  /** Why calls are refused now. */
  private refusal: Pass = new StorageError('lost', 'the store is not open');

  constructor(
    readonly name: string,
    /** Called when an open connection was closed by somebody else. */
    private readonly onLost: () => void,
    /** Has one that will do as the first. */
    private readonly early: Early | undefined,
  ) {}

  /**
   * Opens the database or, at first, makes it, by calls that hand on what they are given. All others are refused as
   * before until that has succeeded: they may know another database, and would take this one for that.
   */
  async open<T>(act: (pass: Pass) => Promise<T>): Promise<T> {
    const pass = this.refusal;
    try {
      const result = await act(pass);
      if (this.refusal === pass) this.refusal = undefined;
      return result;
    } catch (error) {
      // Nobody has been told of the one it has found, unless another opening has succeeded.
      if (pass && this.refusal) this.identity = undefined;
      throw error;
    }
  }

  /** The header was read: from now on no other database will do. */
  identify(identity: number): void {
    this.identity = identity;
  }

  close(): void {
    this.refusal = new StorageError('lost', 'the store was closed');
    this.drop(this.current);
  }

  /**
   * Runs work on the open database. If the connection turns out to be lost, opens it again and
   * runs the work once more; where that might do something twice, `settle` first finds out what
   * became of it.
   *
   * @param settle the result, if the work had taken effect before the connection was lost
   * @param losses there had been when the work was asked for
   */
  async use<T>(expired: AbortSignal, work: (run: Runner) => Promise<T>, settle?: (run: Runner) => Promise<T | undefined>, losses = this.losses, pass?: Pass): Promise<T> {
    const attempt: Attempt = (task) => {
      // Another call has found the database removed meanwhile: this one was meant for that database.
      return losses === this.losses ? this.attempt(expired, task, pass) : Promise.reject(evicted());
    };
    try {
      return await attempt(work);
    } catch (error) {
      if (!isFailure(error, 'lost')) throw error;
      return error.uncertain ? recover(attempt, work, settle) : attempt(work);
    }
  }

  private async attempt<T>(expired: AbortSignal, work: (run: Runner) => Promise<T>, pass: Pass): Promise<T> {
    this.check(pass);
    const used = this.current ?? this.change((onClosed) => this.connect(onClosed));
    try {
      return await work(runner(await unlessExpired(used, expired), expired));
    } catch (error) {
      // After a timeout too: WebKit's connections have been seen to fall silent after a sleep.
      if (isFailure(error, 'lost') || (isFailure(error, 'timeout') && used !== this.slow)) this.drop(used);
      throw error;
    }
  }

  /** @throws StorageError why calls are refused now */
  check(pass: Pass): void {
    if (this.refusal && this.refusal !== pass) throw this.refusal;
  }

  /** Goes on with another connection; calls that come meanwhile wait for it. */
  change(make: (onClosed: () => void) => Promise<IDBDatabase>): Promise<IDBDatabase> {
    this.drop(this.current);
    this.number++;
    const making = make(() => {
      this.drop(making);
      this.onLost();
    });
    this.current = making;
    making.catch(() => this.drop(making));
    return making;
  }

  private async connect(onClosed: () => void): Promise<IDBDatabase> {
    const known = this.identity;
    const early = await this.early?.(VERSION, onClosed);
    return this.checked(early === undefined ? await openDatabase(this.name, { create: known === undefined, onClosed }) : early, known);
  }

  /** @throws StorageError `evicted` when there is no database, or not the one with the known identity */
  async checked(db: IDBDatabase | null, known: number | undefined): Promise<IDBDatabase> {
    try {
      if (db === null) throw evicted();
      if (known !== undefined && (await readIdentity(db)) !== known) throw evicted();
      return db;
    } catch (error) {
      db?.close();
      // One that was given up says nothing of the database that was opened since.
      if (isFailure(error, 'evicted') && known === this.identity) this.forget(error);
      throw error;
    }
  }

  /** Refuses calls until somebody who knows of the loss allows them again. */
  private forget(error: StorageError): void {
    this.identity = undefined;
    this.refusal = error;
    this.losses++;
  }

  /** Ends this connection, now or as soon as it is there; what runs on it may finish. */
  private drop(connection: Promise<IDBDatabase> | undefined): void {
    if (connection === undefined) return;
    if (this.current === connection) this.current = undefined;
    connection.then((db) => db.close()).catch(() => undefined);
  }
}

type Attempt = <R>(task: (run: Runner) => Promise<R>) => Promise<R>;

/** Until it is known whether the write took effect, every failure says that it may have. */
async function recover<T>(attempt: Attempt, work: (run: Runner) => Promise<T>, settle?: (run: Runner) => Promise<T | undefined>): Promise<T> {
  try {
    const known = settle && (await attempt(settle));
    if (known !== undefined) return known;
  } catch (error) {
    throw madeUncertain(error);
  }
  return attempt(work);
}

/** Without a time limit of its own: whoever waits for the connection has one. */
function readIdentity(db: IDBDatabase): Promise<number> {
  return runner(db, new AbortController().signal).read(['meta'], (transaction) => {
    const last = transaction.objectStore('meta').get('header');
    return { last, result: () => readHeader(last.result).identity };
  });
}

// An engine that opens when it is first needed, and can be closed and opened again, as when its page is
// hidden or the browser is short of memory. Every request gets an answer: where the engine fails or
// cannot be opened, it is a 500 or 503 in the form of the engine's own errors.
import { andThen, type MaybePromise, rescue } from '../engine/base/maybe.ts';
import { createEngine, failedAnswer, HttpError, respond, StorageError, TransferError } from '../engine/index.ts';
import type { Engine, EngineStatus, HttpRequest, HttpResponse, ImportOptions, LogStore, Progress, Settings } from '../engine/index.ts';
import type { Failure, OpenOptions, Outcome } from '../protocol/worker-api.ts';
import type { IdbOptions } from '../storage/idb.ts';
import type { OpenedStore } from '../storage/open.ts';
import type { Appearance } from './neighbours.ts';
import { presence } from './presence.ts';
import { hashRootSecret } from './root-secret.ts';
import { upkeepLock } from './upkeep-lock.ts';
import { webPlatform } from './web-platform.ts';

export interface EngineHost {
  status(): Promise<Outcome<EngineStatus>>;
  /** Never fails. Answers without a promise where nothing has to be waited for. */
  handle(request: HttpRequest): MaybePromise<HttpResponse>;
  reset(): Promise<Outcome<null>>;
  /** The whole database as a file. @param onEnd called with how it ended, unless the reader stopped before the end */
  exportFile(onProgress: (progress: Progress) => void, onEnd: (outcome: Outcome<null>) => void): AsyncIterable<Uint8Array>;
  importFile(file: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<Outcome<null>>;
  /** Closes the engine once its calls are over; the next call opens another. @param tidy whether there is time to tidy up the database first */
  suspend(tidy?: boolean): Promise<void>;
  /** Tells whether the page is hidden, when an engine makes do with less memory; it counts for one that opens later, too. */
  hide(isHidden: boolean): void;
}

/** Opens the storage of a database by its name. */
type OpenStore = (name: string, options: Pick<IdbOptions, 'announced'> & Pick<OpenOptions, 'settled'>) => Promise<OpenedStore>;

/** @param appear shows an engine to the others; one that has not been opened yet, too */
export function hostEngine(options: OpenOptions, openStore: OpenStore, appear: () => Appearance): EngineHost {
  let current: EngineLife | null = null;
  /** Resolves when the engine before has closed. */
  let closed: Promise<void> = Promise.resolve();
  /**
   * Identity of the database that the settings of these options were written to. They are written only once: opening the
   * engine again must not undo what another page has set since. A new database that has taken its place gets them, too.
   */
  let { settled } = options;
  let isPageHidden = false;

  const open = async (): Promise<Engine> => {
    await closed;
    const engine = await openEngine({ ...options, settled }, openStore, appear());
    if (isPageHidden) engine.hide(true);
    return engine;
  };

  const life = (): EngineLife => {
    if (current !== null) return current;
    const begun = new EngineLife(open());
    // One that failed to open must not be kept, or no retry could succeed.
    begun.opening.catch(() => current === begun && (current = null));
    return (current = begun);
  };

  return {
    status: () => outcome(() => life().use((engine) => engine.status())),
    handle: (request) =>
      rescue(
        () => life().use((engine) => engine.handle(request)),
        // Whatever is no failure of the storage is a mistake of ours, and not the request's: no engine has seen it.
        (error) => respond(failedAnswer(error instanceof StorageError ? error : null, request, () => report(error)), request, webPlatform.utf8),
      ),
    // Closing waits for no transfer: one that is cut off with the storage connection has changed nothing, or all.
    async *exportFile(onProgress, onEnd) {
      try {
        yield* (await life().opening).exportDatabase(onProgress);
        onEnd({ ok: true, value: null });
      } catch (error) {
        onEnd({ ok: false, failure: failureOf(error) });
        throw error;
      }
    },
    importFile: (file, options) =>
      outcome(async () => {
        await (await life().opening).importDatabase(file, options);
        return null;
      }),
    reset: () => outcome(() => life().use((engine) => engine.reset().then(() => null))),
    hide(isHidden) {
      isPageHidden = isHidden;
      current?.opening.then((engine) => engine.hide(isHidden)).catch(() => undefined);
    },
    async suspend(tidy) {
      if (current !== null) closed = current.end(tidy).then((identity) => void (settled = identity), () => undefined);
      current = null;
      return closed;
    },
  };
}

/** An engine from its opening to its end, which comes only when the calls that use it are over. */
class EngineLife {
  /** No promise as soon as it is open, so that no call has to wait for one. */
  private engine: MaybePromise<Engine>;
  private calls = 0;
  private onIdle = (): void => undefined;

  constructor(readonly opening: Promise<Engine>) {
    this.engine = opening;
    opening.then(
      (engine) => (this.engine = engine),
      () => undefined,
    );
  }

  use<T>(act: (engine: Engine) => MaybePromise<T>): MaybePromise<T> {
    const leave = (): void => {
      if (--this.calls === 0) this.onIdle();
    };
    this.calls++;
    try {
      const result = andThen(this.engine, act);
      if (result instanceof Promise) return result.finally(leave);
      leave();
      return result;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Closes the engine. Nobody may use it any more. @returns the identity of the database it has worked on last */
  async end(tidy?: boolean): Promise<number> {
    if (this.calls > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    const engine = await this.opening;
    await engine.close(tidy).catch(() => undefined);
    return engine.identity();
  }
}

/** Opens the database's storage, and an engine on it that the other engines can see. @throws StorageError `unavailable`, too, on an origin whose browser gives it no cryptography */
async function openEngine(options: OpenOptions, openStore: OpenStore, appearance: Appearance): Promise<Engine> {
  if (crypto.subtle === undefined) throw new StorageError('unavailable', INSECURE);
  const { name, settled, cacheBytes } = options;
  const here = presence(appearance?.around ?? null, appearance?.shown);
  let opened: LogStore | undefined;
  try {
    const { store, header } = await openStore(name, { announced: here.write, settled });
    opened = store;
    // Nobody else has what lies in memory; and where a page may store nothing, it may have no locks.
    const { persistent } = store.info;
    if (persistent) await here.arrived;
    const engine = await createEngine({
      store,
      header,
      platform: webPlatform,
      cacheBytes,
      ...(persistent && { solitude: here, hint: here, exclusively: upkeepLock(name) }),
      report,
      ...(header.identity !== settled && { settings: await settingsOf(options, header.settings) }),
    });
    return { ...engine, close: (tidy) => engine.close(tidy).finally(here.leave) };
  } catch (error) {
    opened?.close();
    here.leave();
    throw error;
  }
}

/** What is to be set. @param settings those of now */
async function settingsOf({ durability, secret }: OpenOptions, { rootSecret }: Settings): Promise<Partial<Settings>> {
  return {
    ...(durability && { durability }),
    ...(secret !== undefined && { rootSecret: await hashRootSecret(secret, webPlatform, rootSecret) }),
  };
}

const INSECURE = 'A secure context is needed: https, or localhost.';

async function outcome<T>(act: () => MaybePromise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await act() };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof StorageError) return { code: error.code, description: error.message };
  if (error instanceof TransferError || error instanceof HttpError) return { code: error.code, description: error.message, status: error.status };
  report(error);
  return { code: 'internal server error', description: 'Internal server error.' };
}

/** Bugs of ours: the stack goes to the console, and no detail into the answer. */
const report = (error: unknown): void => console.error(error);

// An engine that opens when it is first needed and may be closed and opened again, as a
// hidden page or a browser short of memory demands. Every request gets an answer: what the
// engine could not say becomes a 500 or 503 in its own form here.
import { type MaybePromise, rescue } from '../engine/base/maybe.ts';
import { createEngine, StorageError, TransferError } from '../engine/index.ts';
import type { Engine, EngineStatus, HttpRequest, HttpResponse, ImportOptions, LogStore, Progress, Settings } from '../engine/index.ts';
import { internalError, unavailable } from '../protocol/failures.ts';
import type { Failure, OpenOptions, Outcome } from '../protocol/worker-api.ts';
import type { IdbOptions } from '../storage/idb.ts';
import type { OpenedStore } from '../storage/open.ts';
import { neighboursOf } from './neighbours.ts';
import { presence } from './presence.ts';
import { hashRootSecret } from './root-secret.ts';
import { upkeepLock } from './upkeep-lock.ts';
import { webPlatform } from './web-platform.ts';

export interface EngineHost {
  status(): Promise<Outcome<EngineStatus>>;
  /** Never fails. At once, where nothing has to be waited for. */
  handle(request: HttpRequest): MaybePromise<HttpResponse>;
  reset(): Promise<Outcome<null>>;
  /** The whole database as a file. @param onEnd told how it ended, unless its reader gave it up */
  exportFile(onProgress: (progress: Progress) => void, onEnd: (outcome: Outcome<null>) => void): AsyncIterable<Uint8Array>;
  importFile(file: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<Outcome<null>>;
  /** Closes the engine once what it is doing is done; the next call opens it again. @param tidy there is time to tidy up before */
  suspend(tidy?: boolean): Promise<void>;
  /** Whether its page is hidden: an engine then makes do with less memory, also one that opens later. */
  hide(isHidden: boolean): void;
}

/** Opens the storage of a database by its name. */
type OpenStore = (name: string, options: Pick<IdbOptions, 'announced'>) => Promise<OpenedStore>;

export function hostEngine(options: OpenOptions, openStore: OpenStore): EngineHost {
  let engine: Promise<Engine> | null = null;
  /** The same, as soon as it is open. */
  let running: Engine | null = null;
  let closed: Promise<void> = Promise.resolve();
  let given = false;
  let hidden = false;
  let calls = noCalls();

  const open = async (): Promise<Engine> => {
    await closed;
    const settings = given ? null : await settingsOf(options);
    const here = presence(neighboursOf(options.name));
    let store: LogStore | undefined;
    try {
      const { store: its, header } = await openStore(options.name, { announced: here.write });
      store = its;
      await here.arrived;
      const opened = await createEngine({
        store,
        header,
        platform: webPlatform,
        solitude: here,
        hint: here,
        exclusively: upkeepLock(options.name),
        report: (error) => console.error(error),
        ...(settings === null ? {} : { settings }),
      });
      // Given once: what another page has set since is not set back on reopening.
      given = true;
      if (hidden) opened.hide(true);
      const close = (tidy?: boolean): Promise<void> => opened.close(tidy).finally(here.leave);
      return { ...opened, close };
    } catch (error) {
      store?.close();
      here.leave();
      throw error;
    }
  };

  const opened = (): Promise<Engine> => {
    if (engine !== null) return engine;
    const opening = open();
    engine = opening;
    opening.then(
      (opened) => engine === opening && (running = opened),
      // One that failed to open must not be kept, or no retry could succeed.
      () => engine === opening && (engine = null),
    );
    return opening;
  };

  const use = <T>(act: (engine: Engine) => MaybePromise<T>): MaybePromise<T> => {
    const its = calls;
    its.underWay++;
    const end = (): void => {
      if (--its.underWay === 0) its.onIdle();
    };
    let result: MaybePromise<T>;
    try {
      result = running === null ? opened().then(act) : act(running);
    } catch (error) {
      end();
      throw error;
    }
    if (result instanceof Promise) return result.finally(end);
    end();
    return result;
  };

  return {
    status: () => outcome(() => use((opened) => opened.status())),
    handle: (request) => rescue(() => use((opened) => opened.handle(request)), failedResponse),
    // A page that goes out of use waits for no transfer: it ends with the storage connection, and nothing has changed.
    async *exportFile(onProgress, onEnd) {
      try {
        yield* (await opened()).exportDatabase(onProgress);
        onEnd({ ok: true, value: null });
      } catch (error) {
        onEnd({ ok: false, failure: failureOf(error) });
        throw error;
      }
    },
    importFile: (file, options) => outcome(() => opened().then((engine) => engine.importDatabase(file, options)).then(() => null)),
    reset: () => outcome(() => use((opened) => opened.reset().then(() => null))),
    hide(isHidden) {
      hidden = isHidden;
      engine?.then((opened) => opened.hide(isHidden)).catch(() => undefined);
    },
    async suspend(tidy) {
      const closing = engine;
      engine = running = null;
      if (closing === null) return closed;
      const last = calls;
      calls = noCalls();
      const idle = new Promise<void>((resolve) => (last.underWay === 0 ? resolve() : (last.onIdle = resolve)));
      closed = Promise.all([closing, idle])
        .then(([opened]) => opened.close(tidy))
        .catch(() => undefined);
      return closed;
    },
  };
}

/** The calls of an engine from its opening to its end. */
interface Calls {
  underWay: number;
  /** Called when the last of them has ended. */
  onIdle(): void;
}

const noCalls = (): Calls => ({ underWay: 0, onIdle: () => undefined });

/** @throws StorageError `unavailable` on an origin whose browser gives it no cryptography */
async function settingsOf({ durability, secret }: OpenOptions): Promise<Partial<Settings>> {
  if (crypto.subtle === undefined) throw new StorageError('unavailable', INSECURE, false);
  return {
    ...(durability === undefined ? {} : { durability }),
    ...(secret === undefined ? {} : { rootSecret: await hashRootSecret(secret, webPlatform) }),
  };
}

const INSECURE = 'The database needs a secure context: an address with https, or localhost.';

function failedResponse(error: unknown): HttpResponse {
  return error instanceof StorageError ? unavailable(error.message) : reported(error, internalError());
}

async function outcome<T>(act: () => MaybePromise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await act() };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof StorageError) return { code: error.code, description: error.message };
  if (error instanceof TransferError) return { code: error.code, description: error.message, status: error.status };
  return reported(error, { code: 'internal server error', description: 'Internal server error.' });
}

/** A bug of ours leaves its stack on the console, and nothing of it in the answer. */
function reported<T>(error: unknown, answer: T): T {
  console.error(error);
  return answer;
}

// Live queries in the page: the engine's messages become results and errors. When the engine's worker
// has ended, or the page was out of use, the query is sent again; a result that has not changed
// meanwhile is not given twice.
import type { HttpResponse } from '../engine/http/message.ts';
import type { Answer } from './answer.ts';
import type { QueryOptions } from './call-options.ts';
import type { VivariumError } from './error.ts';

export interface SubscribeOptions<T = unknown> extends QueryOptions {
  /**
   * Called with the result, and again whenever it has changed. While a promise that it returned is
   * pending it is not called; after that it gets the newest result, and none of those in between.
   * What it throws is reported as an uncaught error, and the query goes on.
   */
  readonly onResult?: ((result: T) => unknown) | undefined;
  /**
   * Called when the query fails. The query goes on where it can: after a `status` of 404, say, until
   * there is what it asks for. Without this function errors go to the console. What it throws is
   * reported like what `onResult` throws. It is not called for iterations, which throw their errors.
   */
  readonly onError?: ((error: VivariumError) => unknown) | undefined;
}

/**
 * A live query. Iterated, it gives the result and each one that follows; an error ends the
 * iteration. Each iteration is a query of its own, which ends when the loop is left.
 */
export interface Subscription<T = unknown> extends AsyncIterable<T> {
  /** Ends the calls of `onResult` and all iterations. */
  unsubscribe(): void;
}

/** As the engine sends them; what is no result has `errors`. */
type Message =
  | { readonly type: 'result'; readonly txn: number; readonly resource: unknown }
  | { readonly type: 'failure' | 'end'; readonly txn?: number; readonly status: number; readonly errors?: unknown };

/** How long after the end of an engine the query is sent again, milliseconds; at once where it had answered, as before a reset. */
const AGAIN_MS = 500;

/** When no engine could be reached (503, or 507 on a full disk) this many times in a row, the query ends. */
const TRIES = 5;

/** The error that an answer tells of. Handed over by the page, as an import would be a copy. */
type ErrorOf = (answer: Answer) => VivariumError;

/**
 * @param ask sends the query; never rejects
 * @param isOver whether nothing will be answered any more, so that to ask again is in vain
 * @throws TypeError for a callback that is none; VivariumError where nothing will be answered from the start
 */
export async function openSubscription<T>(ask: () => Promise<HttpResponse>, { onResult, onError = console.error }: SubscribeOptions<T>, errorOf: ErrorOf, isOver: () => boolean): Promise<Subscription<T>> {
  for (const [name, callback] of Object.entries({ onResult, onError })) {
    if (callback !== undefined && typeof callback !== 'function') throw new TypeError(`subscribe(): ${name} must be a function.`);
  }
  if (isOver()) {
    const { status, body } = await ask();
    throw errorOf({ status, text: textOf(body) });
  }
  const open = new Set<Following<T>>();
  const follow = (): Following<T> => {
    const following: Following<T> = new Following<T>(ask, errorOf, isOver, () => open.delete(following));
    open.add(following);
    return following;
  };

  if (onResult !== undefined) {
    void (async () => {
      for await (const update of follow().updates()) {
        try {
          await ('error' in update ? onError(update.error) : onResult(update.result));
        } catch (error) {
          // A mistake of the callback is told as one of any listener is, and takes no later result from it.
          reportError(error);
        }
      }
    })();
  }

  return {
    unsubscribe: () => open.forEach((following) => following.close()),
    [Symbol.asyncIterator]: () => results(follow()),
  };
}

/** Not a generator: one that is waiting cannot be ended from outside. */
function results<T>(following: Following<T>): AsyncIterator<T, undefined> {
  const updates = following.updates();
  const end = { done: true, value: undefined } as const;
  const close = async (): Promise<typeof end> => {
    following.close();
    await updates.return(undefined);
    return end;
  };
  return {
    async next() {
      const { done, value } = await updates.next();
      if (done === true) return end;
      if (!('error' in value)) return { done: false, value: value.result };
      await close();
      throw value.error;
    },
    return: close,
  };
}

/** The text of a body that is no stream. */
const textOf = (body: HttpResponse['body']): string => (typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array));

type Update<T> = { readonly result: T } | { readonly error: VivariumError };

class Following<T> {
  private isClosed = false;
  private body: AsyncIterator<Uint8Array> | null = null;

  constructor(
    private readonly ask: () => Promise<HttpResponse>,
    private readonly errorOf: ErrorOf,
    private readonly isOver: () => boolean,
    private readonly onClose: () => void,
  ) {}

  close(): void {
    this.isClosed = true;
    void this.body?.return?.();
    this.onClose();
  }

  async *updates(): AsyncGenerator<Update<T>, undefined> {
    let told = '';
    /** Engines in a row that have told nothing, with the present one; 0 from its first word on. */
    let silent = 0;
    try {
      while (!this.isClosed) {
        silent++;
        // Then the answer says why; what an engine says that ends meanwhile does not.
        const isLast = this.isOver();
        let atOnce = false;
        for await (const message of this.messages()) {
          if (this.isClosed) return;
          if (message.type === 'end' && message.status >= 503 && silent < TRIES && !isLast) {
            // Not where its page goes out of use: a request would end its rest.
            atOnce = silent === 0 && !document.hidden;
            break;
          }
          if (message.type !== 'end') silent = 0;
          const { txn: _, ...content } = { txn: 0, ...message };
          const text = JSON.stringify(content);
          if (text !== told) yield message.type === 'result' ? { result: message.resource as T } : { error: this.errorOf({ status: message.status, text }) };
          if (message.type === 'end') return;
          told = text;
        }
        if (!this.isClosed && !this.isOver() && !atOnce) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    } finally {
      this.close();
    }
  }

  /** The messages of one engine. They also end when that engine is gone without a word. */
  private async *messages(): AsyncGenerator<Message, undefined> {
    const { status, body } = await this.ask();
    if (typeof body === 'string' || body instanceof Uint8Array) {
      yield { ...(JSON.parse(textOf(body)) as { errors?: unknown }), type: 'end', status };
      return;
    }
    const chunks = (this.body = body[Symbol.asyncIterator]());
    // It was closed while the engine was asked.
    if (this.isClosed) void chunks.return?.();
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        const lines = (rest + decoder.decode(next.value, { stream: true })).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as Message;
      }
    } catch {
      // The stream was cut off, as the worker has ended.
    } finally {
      void chunks.return?.();
    }
  }
}

// `POST /live`: the result of a query that only reads, now and whenever it has changed. It is no part of
// the original's interface: only the page API's `subscribe` may ask for it. A module of its own, loaded when it is
// first asked for.
//
// Messages are lines of JSON: `{"type":"result","txn":…,"resource":…}`, `{"type":"failure",
// "txn":…,"status":…,"errors":…}` where the query fails for now, and a last
// `{"type":"end","status":…,"errors":…}` where it cannot be asked any more.
import { andThen, type MaybePromise, rescue } from '../../base/maybe.ts';
import type { Ts } from '../../base/platform.ts';
import { FqlError } from '../../errors/fql-error.ts';
import { StorageError } from '../../kv/log-store.ts';
import { Watch } from '../../stream/watch.ts';
import { earliestEnd } from '../../stream/earliest-end.ts';
import type { Txn } from '../../txn/txn.ts';
import { render } from '../../wire/encode.ts';
import { type Answer, errorAnswer, internalError, MESSAGE_END } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { observe } from '../observe.ts';
import { namesOf, type Session } from '../sessions.ts';
import { requestedTerms, type Terms } from '../terms.ts';
import { queryWork } from './query.ts';

const READS_ONLY = { effect: 'read', reason: 'live queries' } as const;

/** What one run of the query gave. */
interface Reading {
  readonly txn: Ts;
  /** What follows `"txn":…` in its message. */
  readonly content: string;
  /** When something it has read runs out. */
  readonly end: Ts;
}

export async function live(core: Core, request: HttpRequest): Promise<Answer> {
  const query = new LiveQuery(core, requestedTerms(request, core.platform, READS_ONLY), textOf(request, core.platform.utf8));
  try {
    const first = await query.read('first');
    return {
      status: 200,
      text: '',
      stream: { parts: query.messages(first), close: () => query.close() },
      type: 'application/json',
      headers: { 'x-txn-time': String(first.txn) },
    };
  } catch (error) {
    query.close();
    throw error;
  }
}

class LiveQuery {
  private readonly watch: Watch;

  constructor(
    private readonly core: Core,
    private readonly terms: Terms,
    private readonly text: string,
  ) {
    this.watch = new Watch(core.feed, core.platform);
  }

  close(): void {
    this.watch.close();
  }

  async *messages(first: Reading): AsyncGenerator<string> {
    let reading = first;
    let told: string | null = null;
    try {
      for (;;) {
        if (reading.content !== told) {
          told = reading.content;
          yield `{"type":${typeOf(told)},"txn":${reading.txn},${told}${MESSAGE_END}`;
        }
        if (!(await this.watch.changed(reading.end))) return;
        reading = await this.read('again');
      }
    } catch (error) {
      const { status, text } = errorAnswer(error, this.terms.wire.words) ?? internalError();
      yield `{"type":"end","status":${status},${text.slice(1)}${MESSAGE_END}`;
      if (status === 500) throw error;
    }
  }

  /** @throws HttpError, StorageError; the first time also FqlError, for a query that is wrong as it is written */
  async read(turn: 'first' | 'again'): Promise<Reading> {
    const { core, terms, watch } = this;
    watch.begin();
    await core.log.refresh();
    let end: Ts = Infinity;
    const begin = (): Txn => {
      end = Infinity;
      const now = core.platform.now();
      return core.log.beginReadAt(terms.id, core.log.lastCommit, (source) => earliestEnd(source, now, (time) => (end = Math.min(end, time))));
    };
    const { content, txn, until } = await observe(core, terms, begin, (session) =>
      andThen(this.answer(session, turn), (content) => ({ content, txn: session.ctx.txn, until: session.ctx.caller.until ?? Infinity })),
    );
    watch.settle(txn.reads.merged(), txn.snapshot);
    return { txn: txn.snapshot, content, end: Math.min(end, until) };
  }

  private answer(session: Session, turn: 'first' | 'again'): MaybePromise<string> {
    const { core, terms } = this;
    return rescue<string>(
      () =>
        andThen(queryWork(readQuery(this.text)).prepare(session).run(session), ({ value }) =>
          core.sessions.withNames(session, (named) => `"resource":${render(value, { wire: terms.wire, names: namesOf(named), commitTs: null })}}`),
        ),
      (error) => {
        const isMisspelt = error instanceof FqlError && error.failures.some(({ code }) => code === 'invalid expression');
        const failure = error instanceof StorageError || (isMisspelt && turn === 'first') ? null : errorAnswer(error, terms.wire.words);
        if (failure === null) throw error;
        return `"status":${failure.status},${failure.text.slice(1)}`;
      },
    );
  }
}

const typeOf = (content: string): string => (content.startsWith('"resource"') ? '"result"' : '"failure"');

// `POST /stream`: what happens to a document or set, for as long as the client stays
// (reference: data/history.md §8, §9). A module of its own, loaded when it is first asked for.
//
// The log is followed before the source is looked at, so that nothing is missed between the start that
// is told and the first event. Each transaction is told as of its own moment: what was there before it,
// who could see it, and how things were called.
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { raise } from '../../errors/codes.ts';
import { FqlError, HttpError } from '../../errors/fql-error.ts';
import { StorageError } from '../../kv/log-store.ts';
import { EVENT_FIELDS, type EventField, eventMessage, type Happening, message, type Source } from '../../stream/event.ts';
import { happeningIn, happeningsBetween } from '../../stream/happenings.ts';
import { Inbox } from '../../stream/inbox.ts';
import { sourceOf } from '../../stream/source.ts';
import type { News } from '../../txn/feed.ts';
import { Obj } from '../../value/value.ts';
import { render } from '../../wire/encode.ts';
import { type Answer, MESSAGE_END } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { observe } from '../observe.ts';
import { parameter } from '../parameter.ts';
import { namesOf, type Session } from '../sessions.ts';
import type { Terms } from '../terms.ts';
import { transact } from '../transact.ts';
import { queryWork, termsOf } from './query.ts';

const READS_ONLY = { effect: 'read', reason: 'stream requests' } as const;

const DEFAULT_FIELDS: readonly EventField[] = ['action', 'document'];

/** How many transactions may wait for a client that does not read on. */
const MAX_WAITING = 4_096;
const MAX_STREAMS = 1_000;

export async function stream(core: Core, request: HttpRequest): Promise<Answer> {
  const terms = termsOf(core, request, READS_ONLY);
  const text = textOf(request, core.platform.utf8);
  const inbox = new Inbox<News>(MAX_WAITING);
  const leave = core.feed.follow((news) => inbox.put(news));
  const close = (): void => {
    leave();
    inbox.close();
  };
  try {
    const { value: { source, fields }, session, ts: start } = await transact(core, terms, {
      prepare(session) {
        const fields = fieldsOf(request);
        const { writes, run } = queryWork(readQuery(text)).prepare(session);
        return { writes, run: (own) => andThen(run(own), ({ value }) => ({ value: { source: sourceOf(value, own.ctx), fields }, commit: false })) };
      },
    });
    inbox.narrow((news) => {
      if (news.kind !== 'commit') return news;
      const happening = news.commit.ts > start ? happeningIn(news.commit, source.span) : null;
      return happening === null ? null : { kind: 'commit', commit: { ...news.commit, ...happening } };
    });
    const parts = new Telling(core, terms, source, start, fields).messages(inbox);
    return {
      status: 200,
      text: '',
      stream: { parts, close },
      type: 'application/json',
      headers: { 'x-txn-time': String(start), 'x-fauna-stream-id': String(session.ctx.txn.nextId()) },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** @throws FqlError `invalid url parameter` for each that there is not */
function fieldsOf(request: HttpRequest): ReadonlySet<EventField> {
  const asked = parameter(request, 'fields')?.split(',').map((part) => part.trim()) ?? DEFAULT_FIELDS;
  const fields = new Set(EVENT_FIELDS.filter((field) => asked.includes(field)));
  const unknown = asked.filter((name) => !EVENT_FIELDS.some((field) => field === name));
  if (unknown.length === 0) return fields;
  throw new FqlError(unknown.flatMap((name) => raise(Path.root, 'invalid url parameter', `Invalid url parameter fields. Invalid field name '${name}'.`).failures));
}

class Telling {
  constructor(
    private readonly core: Core,
    private readonly terms: Terms,
    private readonly source: Source,
    private readonly start: Ts,
    private readonly fields: ReadonlySet<EventField>,
  ) {}

  async *messages(inbox: Inbox<News>): AsyncGenerator<string> {
    try {
      if (this.core.feed.size > MAX_STREAMS) throw TOO_MANY;
      yield this.written(message('start', this.start, BigInt(this.start)));
      for (let news = await inbox.next(); news !== null; news = await inbox.next()) {
        for (const happening of await this.happenings(news)) {
          const events = await this.at(happening.ts, (session) => this.told(happening, session));
          if (events !== '') yield events;
        }
      }
      if (inbox.overflowed) throw CONGESTED;
    } catch (error) {
      const { code, description, txn } = endOf(error);
      yield this.written(message('error', txn, Obj.of(['code', code], ['description', description])));
      if (code === UNKNOWN) throw error;
    }
  }

  private async happenings(news: News): Promise<readonly Happening[]> {
    if (news.kind === 'end') throw CLOSED;
    if (news.kind === 'commit') return [news.commit];
    const { after, upTo, rows } = news;
    return this.at(upTo, ({ ctx }) => {
      if (after < this.source.earliest(ctx)) throw CLOSED; // some of it may be gone
      return happeningsBetween(Math.max(after, this.start), upTo, this.source.span, rows());
    });
  }

  private told(happening: Happening, session: Session): MaybePromise<string> {
    return andThen(this.source.events(happening, session.ctx), (events) =>
      this.core.sessions.withNames(session, (named) =>
        events.map((event) => this.written(eventMessage(event, happening.ts, this.fields), named)).join(''),
      ),
    );
  }

  private written(json: Obj, session: Session | null = null): string {
    const names = session === null ? NO_NAMES : namesOf(session);
    return render(json, { wire: this.terms.wire, names, commitTs: null }) + MESSAGE_END;
  }

  /** Does something as it was at a commit, if the secret was still good then. */
  private at<T>(ts: Ts, act: (session: Session) => MaybePromise<T>): Promise<T> {
    const { core, terms } = this;
    return observe(core, terms, () => core.log.beginReadAt(terms.id, ts), act).catch((error: unknown) => {
      throw error instanceof HttpError && error.status === 401 ? authorizationLost(ts) : error;
    });
  }
}

/** Of messages without refs. */
const NO_NAMES = { scope: 0n, name: () => null, databasePath: () => null };

/** An error that ends a stream. */
class StreamEnd extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
    readonly txn: Ts = 0,
  ) {
    super(description);
  }
}

const CLOSED = new StreamEnd('time out', 'Stream was unexpectedly closed by its source.');
const CONGESTED = new StreamEnd('time out', `Stream closed due to congestion after accumulating ${MAX_WAITING} items.`);
const TOO_MANY = new StreamEnd('too many requests', 'Too many open streams.');
const UNKNOWN = 'internal server error';
const authorizationLost = (txn: Ts): StreamEnd => new StreamEnd('permission denied', 'Authorization lost during stream evaluation.', txn);

function endOf(error: unknown): StreamEnd {
  if (error instanceof StreamEnd) return error;
  if (error instanceof StorageError) return CLOSED;
  if (error instanceof HttpError) return new StreamEnd(error.code, error.description);
  return new StreamEnd(UNKNOWN, 'Internal server error.');
}

// `POST /stream`: what happens to a document or set, for as long as the client stays
// (reference: data/history.md §8, §9). A module of its own, loaded when it is first asked for.
//
// The log is followed before the source is looked at, so that nothing is missed between the start that
// is told and the first event. Each transaction is told as of its own moment: what was there before it,
// who could see it, and how things were called.
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import { Path } from '../../base/path.ts';
import type { Ts } from '../../base/platform.ts';
import { raise, unauthorized } from '../../errors/codes.ts';
import { FqlError, HttpError } from '../../errors/fql-error.ts';
import { StorageError } from '../../kv/log-store.ts';
import { EVENT_FIELDS, type EventField, eventMessage, type Happening, message, type Source } from '../../stream/event.ts';
import { happeningIn, happeningsBetween } from '../../stream/happenings.ts';
import { Inbox } from '../../stream/inbox.ts';
import { sourceOf } from '../../stream/source.ts';
import { type Standing, standingOf } from '../../stream/standing.ts';
import type { News } from '../../txn/feed.ts';
import { writeJson } from '../../value/json.ts';
import { Obj } from '../../value/value.ts';
import { render } from '../../wire/encode.ts';
import { type Answer, MESSAGE_END } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { observe } from '../observe.ts';
import { parameter } from '../parameter.ts';
import { namesOf, type Session } from '../sessions.ts';
import { requestedTerms, type Terms } from '../terms.ts';
import { type Result, transact } from '../transact.ts';
import { queryWork } from './query.ts';

const READS_ONLY = { effect: 'read', reason: 'stream requests' } as const;

const DEFAULT_FIELDS: readonly EventField[] = ['action', 'document'];

/** How many transactions may wait for a client that does not read on. */
const MAX_WAITING = 4_096;
const MAX_STREAMS = 1_000;

export async function stream(core: Core, request: HttpRequest): Promise<Answer> {
  const terms = requestedTerms(request, core.platform, READS_ONLY);
  const text = textOf(request, core.platform.utf8);
  const inbox = new Inbox<News>(MAX_WAITING);
  const leave = core.feed.follow((news) => inbox.put(news));
  const close = (): void => {
    leave();
    inbox.close();
  };
  try {
    const { value: subject, session, ts: start } = await transact(core, terms, {
      prepare(session) {
        const fields = fieldsOf(request);
        const query = queryWork(readQuery(text)).prepare(session);
        const run = (own: Session): MaybePromise<Result<Subject>> =>
          andThen(query.run(own), ({ value }) => {
            const source = sourceOf(value, own.ctx);
            return andThen(standingOf(own.ctx), (stands) => ({ value: { source, fields, stands }, commit: false }));
          });
        return { ...query, run };
      },
    });
    inbox.narrow((news) => {
      if (news.kind !== 'commit') return news;
      const happening = news.commit.ts > start ? happeningIn(news.commit, subject.source.span) : null;
      return happening === null ? null : { kind: 'commit', commit: { ...news.commit, ...happening } };
    });
    const parts = messages(core, terms, subject, start, inbox);
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

/** What is told, and what has to hold for it to be. */
interface Subject {
  readonly source: Source;
  readonly fields: readonly EventField[];
  readonly stands: Standing;
}

/** @throws FqlError `invalid url parameter` for each that there is not */
function fieldsOf(request: HttpRequest): readonly EventField[] {
  const given = parameter(request, 'fields');
  const asked = given === undefined ? DEFAULT_FIELDS : listed(given);
  const unknown = asked.filter((name) => !EVENT_FIELDS.some((field) => field === name));
  if (unknown.length === 0) return EVENT_FIELDS.filter((field) => asked.includes(field));
  throw new FqlError(unknown.flatMap((name) => raise(Path.root, 'invalid url parameter', `Invalid url parameter fields. Invalid field name '${name}'.`).failures));
}

/** The names of a list. As in the original, commas at its end begin no further one: the Go driver always sends one there. */
function listed(text: string): readonly string[] {
  const names = text.split(',');
  while (text !== '' && names.at(-1) === '') names.pop();
  return names.map((name) => name.trim());
}

/** What a stream tells, from its start on. */
async function* messages(core: Core, terms: Terms, { source, fields, stands }: Subject, start: Ts, inbox: Inbox<News>): AsyncGenerator<string> {
  /** Does something as it was at a commit, if the secret was still good then, and gave the same rights. */
  const at = <T>(ts: Ts, act: (session: Session) => MaybePromise<T>): Promise<T> => {
    const ifItStands = (session: Session): MaybePromise<T> =>
      andThen(stands(session.ctx), (stand) => {
        if (!stand) throw unauthorized();
        return act(session);
      });
    return observe(core, terms, () => core.log.beginReadAt(terms.id, ts), ifItStands).catch((error: unknown) => {
      throw error instanceof HttpError && error.status === 401 ? authorizationLost(ts) : error;
    });
  };

  const happenings = async (news: News): Promise<readonly Happening[]> => {
    if (news.kind === 'end') throw CLOSED;
    if (news.kind === 'commit') return [news.commit];
    const { after, upTo, rows } = news;
    return at(upTo, ({ ctx }) => {
      if (after < source.earliest(ctx)) throw CLOSED; // some of it may be gone
      return happeningsBetween(Math.max(after, start), upTo, source.span, rows());
    });
  };

  const told = (happening: Happening): Promise<string> =>
    at(happening.ts, (session) => {
      if (happening.ts - 1 < source.earliest(session.ctx)) throw CLOSED; // what was before it may be gone
      return andThen(source.events(happening, session.ctx), (events) =>
        core.sessions.withNames(session, (named) => {
          const view = { wire: terms.wire, names: namesOf(named), commitTs: null };
          return events.map((event) => render(eventMessage(event, happening.ts, fields), view) + MESSAGE_END).join('');
        }),
      );
    });

  try {
    if (core.feed.size > MAX_STREAMS) throw TOO_MANY;
    yield written(message('start', start, BigInt(start)));
    for (let news = await inbox.next(); news !== null; news = await inbox.next()) {
      for (const happening of await happenings(news)) {
        const events = await told(happening);
        if (events !== '') yield events;
      }
    }
    if (inbox.overflowed) throw CONGESTED;
  } catch (error) {
    const { code, description, txn } = endOf(error);
    yield written(message('error', txn, Obj.of(['code', code], ['description', description])));
    if (code === UNKNOWN) throw error;
  }
}

/** A message without refs. */
const written = (json: Obj): string => writeJson(json) + MESSAGE_END;

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

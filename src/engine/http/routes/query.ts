// The query interface: a JSON expression in, its value out (brief §4.2).
import { andThen, type MaybePromise, rescue } from '../../base/maybe.ts';
import { FqlError } from '../../errors/fql-error.ts';
import { exceeds } from '../../form/effect.ts';
import { parseContext } from '../../fql/context.ts';
import { evaluate } from '../../fql/evaluate.ts';
import { parseQuery } from '../../fql/parse.ts';
import { bounded } from '../../value/parts.ts';
import { Doc, type Value } from '../../value/value.ts';
import { render } from '../../wire/encode.ts';
import { type Answer, errorAnswer } from '../answer.ts';
import { readQuery, textOf } from '../body.ts';
import type { Core } from '../core.ts';
import type { HttpRequest } from '../message.ts';
import { metrics, type Spent } from '../metrics.ts';
import { parameter } from '../parameter.ts';
import { namesOf, type Session } from '../sessions.ts';
import { MAY_READ, MAY_WRITE, requestedTerms, type Terms } from '../terms.ts';
import { type Done, transact, type Work } from '../transact.ts';

/** `POST /` and `/linearized` with the query as body, `GET /?q=` with one that only reads. */
export function query(core: Core, request: HttpRequest): MaybePromise<Answer> {
  const terms = requestedTerms(request, core.platform, request.method === 'GET' ? MAY_READ : MAY_WRITE);
  const text = request.method === 'GET' ? (parameter(request, 'q') ?? '') : textOf(request, core.platform.utf8);
  return answerQuery(core, request, terms, () => readQuery(text));
}

/**
 * @param read makes the query; a secret that opens nothing is reported before any fault in it
 * @param explain what a failure of the query means to the client
 */
export function answerQuery(
  core: Core,
  request: HttpRequest,
  terms: Terms,
  read: (session: Session) => Value,
  explain: (error: unknown) => unknown = (error) => error,
): MaybePromise<Answer> {
  const began = core.platform.now();
  const cost = (spent: Spent) => metrics(spent, began, core.platform, request);
  let json: Value | undefined;
  const opened: { session?: Session } = {};
  const work: Work<Value> = {
    prepare(session) {
      opened.session = session;
      const { writes, run } = queryWork((json ??= read(session))).prepare(session);
      return { writes, run: (its) => run((opened.session = its)) };
    },
  };
  const answered = (done: Done<Value>): MaybePromise<Answer> =>
    andThen(
      core.sessions.withNames(done.session, (session) => render(done.value, { wire: terms.wire, names: namesOf(session), commitTs: done.ts })),
      (result) => ({ status: done.value instanceof Doc && done.value.created ? 201 : 200, text: `{"resource":${result}}`, headers: cost(done) }),
    );
  return rescue<Answer>(
    () => andThen(transact(core, terms, work), answered),
    (error) => {
      const answer = errorAnswer(explain(error), terms.wire.words);
      if (answer === null || opened.session === undefined) throw error;
      const { session } = opened;
      if (isFree(error)) {
        session.ctx.txn.cost.restart();
        session.ctx.budget.steps = 0;
      }
      // What it was judged on: by now others may have committed.
      const spent: Spent = { session, ts: session.ctx.txn.snapshot || core.txnTime, retries: 0 };
      return { ...answer, headers: { ...cost(spent), ...answer.headers } };
    },
  );
}

/** Whether a failed query is not billed: errors of the language are free, but not `abort` (the original's api/fql1/TMPEndpoint). */
const isFree = (error: unknown): boolean => error instanceof FqlError && error.failures.every(({ code }) => code !== 'transaction aborted');

/** A query as one transaction. */
export const queryWork = (json: Value): Work<Value> => ({
  prepare({ ctx }) {
    const expr = parseQuery(json, parseContext(ctx));
    return {
      writes: exceeds(expr.effect, 'read'),
      run: (session) => andThen(evaluate(expr, null, session.ctx), (value) => ({ value: bounded(value), commit: true })),
    };
  },
});

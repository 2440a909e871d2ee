// Reading documents and pages (functions.md §7; brief §4.2).
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import { emptyArray, emptySet, invalidArgument, setNotFound } from '../../errors/codes.ts';
import { any, boolean, type Cast, identifier, integer, optional, setOrArray, type SetLike, transactionTimestamp } from '../../form/casts.ts';
import type { Path } from '../../base/path.ts';
import type { EvalContext } from '../../form/context.ts';
import type { Direct } from '../../form/direct.ts';
import { type Form, form } from '../../form/form.ts';
import { allows } from '../../form/permission.ts';
import { findDocument, getDocument } from '../../doc/read.ts';
import { pageSize, paginate, type PageRequest } from '../../set/paginate.ts';
import { edgeOf, hasHead, headOf } from '../../set/read.ts';
import { elementOf } from '../../set/set-op.ts';
import { eventsOf, toSet } from '../../set/to-set.ts';
import { isArray, Obj, Page, type PendingTs, Ref, type Time, UnresolvedRef, type Value } from '../../value/value.ts';
import { validTimeOf } from '../valid-time.ts';

const SOURCE = 'functions.md §7; ast/functions/ReadAdaptor';

/** The context for a read with a `ts` of its own. */
const atTime = (ts: Time | bigint | PendingTs, ctx: EvalContext): EvalContext => ctx.with({ validTime: validTimeOf(ts, ctx) });

const readSubject: Direct = (subject) => {
  subject.steps++;
  subject.isRead = true;
  return subject;
};

const isDocumentRef = (value: SetLike): value is Ref => value instanceof Ref && !value.isNativeCollection;

const perhapsUnresolved: Cast<SetLike | UnresolvedRef> = {
  ...identifier,
  read: (value, at) => (value instanceof UnresolvedRef ? value : identifier.read(value, at)),
};

/** The first or last element of a set or array. */
function edge(name: 'first' | 'last'): Form {
  return form({
    params: { [name]: setOrArray },
    effect: 'read',
    since: '4',
    source: SOURCE,
    summary: `The ${name} element of a set or array.`,
    examples: [[`{"${name}":[1,2,3]}`, name === 'first' ? '1' : '3']],
    run(args, ctx, at) {
      const source = args[name] as SetLike | readonly Value[];
      const here = at.at(name);
      if (isArray(source as Value)) {
        const element = (source as readonly Value[]).at(name === 'first' ? 0 : -1);
        if (element === undefined) throw emptyArray(here);
        return element;
      }
      return andThen(edgeOf(source as SetLike, ctx, here, name), (entry) => {
        if (entry === null) throw emptySet(here);
        return elementOf(entry);
      });
    },
  });
}

const PAGE_PARAMS = {
  ts: optional(transactionTimestamp),
  size: optional(integer),
  events: optional(boolean),
  sources: optional(boolean),
} as const;

interface PageArgs {
  readonly paginate: SetLike;
  readonly ts?: Time | bigint | PendingTs | undefined;
  readonly size?: bigint | undefined;
  readonly events?: boolean | undefined;
  readonly sources?: boolean | undefined;
}

function page(args: PageArgs, start: Pick<PageRequest, 'direction' | 'cursor' | 'cursorAt'>, ctx: EvalContext, at: Path): MaybePromise<Page> {
  const here = at.at('paginate');
  const size = pageSize(args.size, ctx, at.at('size'));
  const source = toSet(args.paginate, ctx);
  const set = args.events === true && !source.historical ? eventsOf(source, here) : source;
  return paginate({ set, size, ...start, sources: args.sources === true }, args.ts === undefined ? ctx : atTime(args.ts, ctx), here);
}

const PAGE = 'One page of a set.';
const BY_COST = '{"paginate":{"match":{"index":"spells_by_cost"}}';
const FIRE = '[10,"Fire Beak"]';
const WATER = `[25,"Water Dragon's Claw"]`;
const HIPPO = `[35,"Hippo's Wallow"]`;

export const reads: readonly Form[] = [
  form({
    params: { exists: perhapsUnresolved, ts: optional(transactionTimestamp) },
    effect: 'read',
    source: SOURCE,
    summary: 'Whether a document is there, or a set has any element.',
    examples: [['{"exists":{"collection":"nowhere"}}', 'false']],
    run({ exists, ts }, outer, at) {
      const ctx = ts === undefined ? outer : atTime(ts, outer);
      if (exists instanceof UnresolvedRef) return false;
      if (!isDocumentRef(exists)) return hasHead(exists, ctx, at.at('exists'));
      return andThen(allows(ctx, 'read', exists), (allowed) => allowed && andThen(findDocument(exists, ctx), (doc) => doc !== null));
    },
  }),
  form({
    params: { get: identifier, ts: optional(transactionTimestamp) },
    effect: 'read',
    source: `${SOURCE}; brief §4.2`,
    summary: 'A document, or the one that the first entry of a set leads to.',
    examples: [
      ['{"select":["data","cost"],"from":{"get":{"ref":{"collection":"spells"},"id":"1"}}}', '10'],
      ['{"select":["data","cost"],"from":{"get":{"match":{"index":"spells_by_element"},"terms":"water"}}}', '25'],
    ],
    run({ get, ts }, outer, at) {
      const ctx = ts === undefined ? outer : atTime(ts, outer);
      if (isDocumentRef(get)) return getDocument(get, ctx, at);
      return ctx.txn.cost.together(() =>
        andThen(headOf(get, ctx, at.at('get')), (entry) => {
          if (entry === null) throw setNotFound(at);
          return getDocument(entry.ref, ctx, at);
        }),
      );
    },
    direct: ([of, time]) => (of?.isArgument === true && time === undefined ? readSubject : null),
  }),
  edge('first'),
  edge('last'),
  form({
    effect: 'read',
    source: `${SOURCE}; brief §4.2`,
    summary: PAGE,
    params: { paginate: identifier, after: optional(any), ...PAGE_PARAMS },
    examples: [[`${BY_COST},"after":20}`, `{"before":[20],"data":[${WATER},${HIPPO}]}`]],
    run: (args, ctx, at) => page(args, { direction: 'after', cursor: args.after, cursorAt: at.at('after') }, ctx, at),
  }),
  form({
    effect: 'read',
    source: `${SOURCE}; brief §4.2`,
    summary: PAGE,
    params: { paginate: identifier, before: any, ...PAGE_PARAMS },
    examples: [[`${BY_COST},"before":20}`, `{"after":[20],"data":[${FIRE}]}`]],
    run: (args, ctx, at) => page(args, { direction: 'before', cursor: args.before, cursorAt: at.at('before') }, ctx, at),
  }),
  form({
    effect: 'read',
    source: `${SOURCE}; brief §4.2`,
    summary: PAGE,
    params: { paginate: identifier, cursor: any, ...PAGE_PARAMS },
    examples: [[`${BY_COST},"cursor":{"object":{"before":[30]}}}`, `{"after":[30],"data":[${FIRE},${WATER}]}`]],
    run(args, ctx, at) {
      const here = at.at('cursor');
      const { cursor } = args;
      if (cursor === null) return page(args, { direction: 'after', cursor: undefined, cursorAt: here }, ctx, at);
      const [direction] = cursor instanceof Obj && cursor.size === 1 ? cursor.keys : [];
      if (!(cursor instanceof Obj) || (direction !== 'after' && direction !== 'before')) {
        throw invalidArgument(here, "Invalid cursor object. Expected an object with either 'before' or 'after' key in it.");
      }
      return page(args, { direction, cursor: cursor.get(direction), cursorAt: here.at(direction) }, ctx, at);
    },
  }),
];

// Sets: what they are made of (functions.md §6). Reading them is `reads.ts`.
import { invalidLambda, invalidRef } from '../../errors/codes.ts';
import { allOf } from '../../errors/fql-error.ts';
import type { Path } from '../../base/path.ts';
import { isRefOf } from '../../errors/type-name.ts';
import { any, cast, type Cast, collectionRef, identifier, type Identifier, optional, ref, set, stringOrIndexRef, term, zeroOrMore } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import { exceeds } from '../../form/effect.ts';
import { type Form, form } from '../../form/form.ts';
import { DocumentsSet, SingletonSet } from '../../set/ops/documents.ts';
import { JoinSet } from '../../set/ops/join.ts';
import { MatchSet } from '../../set/ops/match.ts';
import { cursorParts } from '../../set/position.ts';
import type { SetOp } from '../../set/set-op.ts';
import { eventsOf, rangeOf, toSet } from '../../set/to-set.ts';
import { bounded } from '../../value/parts.ts';
import { Lambda, type Ref, type Value } from '../../value/value.ts';

const SOURCE = 'functions.md §6; ast/functions/SetFunctions';

/** A set whose index is there. @throws FqlError where it is not */
function sound(set: SetOp, ctx: EvalContext): SetOp {
  set.shape(ctx);
  return set;
}

function match(index: Identifier, terms: readonly Value[], ctx: EvalContext, at: Path): Value {
  const found = typeof index === 'string' ? ctx.catalog.resolve('index', index) : index;
  if (found === null) throw invalidRef(at.at('index'), 'index', String(index));
  return sound(new MatchSet(found, bounded(terms), at.at('index')), ctx);
}

/** A lambda that is written out, or an index. */
const joinTarget: Cast<Lambda | Ref> = {
  ...cast(['Lambda', 'Index Ref'], (value): value is Lambda | Ref => value instanceof Lambda || isRefOf(value, 'indexes')),
  syntax: 'lambda or expression',
};

export const sets: readonly Form[] = [
  form({
    params: { match: stringOrIndexRef, terms: optional(zeroOrMore(term)) },
    effect: 'pure',
    source: SOURCE,
    summary: 'The entries of an index under some terms.',
    examples: [['{"count":{"match":{"index":"spells_by_element"},"terms":"fire"}}', '2']],
    run: (args, ctx, at) => match(args.match, args.terms ?? [], ctx, at),
  }),
  form({
    params: { match: zeroOrMore(term), index: stringOrIndexRef },
    effect: 'pure',
    source: `${SOURCE} (the older spelling)`,
    summary: 'The entries of an index under some terms.',
    examples: [['{"count":{"match":"fire","index":{"index":"spells_by_element"}}}', '2']],
    run: (args, ctx, at) => match(args.index, args.match, ctx, at),
  }),
  form({
    params: { singleton: ref },
    effect: 'pure',
    source: SOURCE,
    summary: 'The set of one document.',
    examples: [['{"count":{"singleton":{"ref":{"collection":"spells"},"id":"1"}}}', '1']],
    run: (args) => new SingletonSet(args.singleton),
  }),
  form({
    params: { documents: collectionRef },
    effect: 'pure',
    source: SOURCE,
    summary: 'The documents of a collection.',
    examples: [['{"count":{"documents":{"collection":"spells"}}}', '3']],
    run: (args) => new DocumentsSet(args.documents),
  }),
  form({
    params: { events: identifier },
    effect: 'pure',
    source: SOURCE,
    summary: 'The history of a document or a set.',
    examples: [
      ['{"select":["data",0,"action"],"from":{"paginate":{"events":{"ref":{"collection":"spells"},"id":"1"}}}}', '"create"'],
    ],
    run: (args, ctx, at) => eventsOf(toSet(args.events, ctx), at),
  }),
  form({
    params: { join: set, with: joinTarget },
    effect: 'pure',
    source: SOURCE,
    summary: 'For each element of a set the set that a lambda or an index gives, all merged.',
    examples: [
      [
        '{"count":{"join":{"match":{"index":"spells_by_element"},"terms":"fire"},"with":{"lambda":"spell","expr":{"singleton":{"var":"spell"}}}}}',
        '2',
      ],
    ],
    run(args, ctx, at) {
      const target = args.with;
      if (target instanceof Lambda && exceeds(ctx.effectOf(target), 'pure')) throw invalidLambda(at.at('with'), 'pure');
      return sound(new JoinSet(toSet(args.join, ctx), target, toSet, at.at('with')), ctx);
    },
  }),
  form({
    params: { range: set, from: any, to: any },
    effect: 'pure',
    source: SOURCE,
    summary: 'The elements of a set between two bounds, both inside.',
    examples: [
      [
        '{"paginate":{"range":{"match":{"index":"spells_by_cost"}},"from":20,"to":30}}',
        `{"data":[[25,"Water Dragon's Claw"]]}`,
      ],
    ],
    run(args, ctx, at) {
      const [from, to] = allOf(() => cursorParts(args.from, at.at('from')), () => cursorParts(args.to, at.at('to')));
      return rangeOf(toSet(args.range, ctx), from, to, ctx);
    },
  }),
];

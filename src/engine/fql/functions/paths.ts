// Paths into values: `select` takes what stands at one, `contains` asks whether there is
// something. Until version 2.12 the default of `select` is evaluated in any case, from
// version 3 on only when the path misses, and selecting is not billed.
import type { MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { valueNotFound, wrongType } from '../../errors/codes.ts';
import { any, boolean, optional, path, type PathStep, string, undefinedRef } from '../../form/casts.ts';
import type { EvalContext } from '../../form/context.ts';
import type { Direction } from '../../form/direct.ts';
import { type Example, type Form, form, lazyOptional } from '../../form/form.ts';
import { FieldPath, type Told, UNTOLD } from '../../value/field-path.ts';
import { beginParts } from '../../value/parts.ts';
import { isArray, Obj, UnresolvedRef, type Value } from '../../value/value.ts';
import { lookup } from '../lookup.ts';
import { hasValue } from '../has-value.ts';

const SOURCE = 'functions.md §3, §3.1; ast/functions/BasicFunctions, ReadAdaptor';

interface Selection {
  readonly select: readonly PathStep[];
  readonly from: Value;
  /** All there is: always an array, if need be an empty one, so that nothing can be missed. */
  readonly all?: boolean | undefined;
}

function selectAt({ select: steps, from, all }: Selection, ctx: EvalContext, at: Path, otherwise?: () => MaybePromise<Value>): MaybePromise<Value> {
  if (from instanceof UnresolvedRef) throw undefinedRef(from, at.at('from'));
  beginParts();
  const found = lookup(from, steps, ctx, all ? [] : null);
  if (all) return found === undefined ? [] : isArray(found) ? found : [found];
  if (found !== undefined) return found;
  if (otherwise === undefined) throw valueNotFound(at.at('from'), steps);
  return otherwise();
}

/** Fields of documents and objects; anything else that a path may lead into is left to `lookup`. */
const selectDirectly = (steps: 0 | 1): Direction => ([path, from, all, otherwise]) => {
  const source = from?.direct;
  const [name, ...names] = namesOf(path?.literal);
  const fallback = otherwise?.literal;
  const isKnown = otherwise === undefined || (fallback !== undefined && !(fallback instanceof UnresolvedRef));
  if (!source || name === undefined || DOCUMENT_WORDS.has(name) || all !== undefined || !isKnown) return null;
  const field = new FieldPath([name, ...names]);
  return (subject) => {
    const container = source(subject);
    subject.steps += steps;
    let found: Told = UNTOLD;
    if (container === subject) found = subject.at(field);
    else if (container instanceof Obj) found = field.of(container);
    if (found === UNTOLD) return undefined;
    return found === undefined ? fallback : found;
  };
};

/** What stands in a document beside its fields. */
const DOCUMENT_WORDS: ReadonlySet<string> = new Set(['ref', 'ts', 'class']);

const namesOf = (path: Value | undefined): readonly string[] =>
  typeof path === 'string' ? [path] : path !== undefined && isArray(path) && path.every((step) => typeof step === 'string') ? path : [];

const selectExamples: readonly Example[] = [
  ['{"select":["a",1],"from":{"object":{"a":[10,20]}}}', '20'],
  ['{"select":"b","from":{"object":{"a":1}},"default":null}', 'null'],
  ['{"select":"a","from":[{"object":{"a":1}},{"object":{"a":[2,3]}}],"all":true}', '[1,2,3]'],
];

const selectForms: readonly Form[] = [
  form({
    params: { select: path, from: any, all: optional(boolean), default: optional(any) },
    effect: 'pure',
    until: '2.12',
    source: SOURCE,
    summary: 'The value at a path; without a default it is an error if there is none.',
    examples: selectExamples,
    run: (args, ctx, at) => selectAt(args, ctx, at, args.default === undefined ? undefined : () => args.default as Value),
    direct: selectDirectly(1),
  }),
  form({
    params: { select: path, from: any, all: optional(boolean), default: lazyOptional },
    effect: 'pure',
    free: true,
    since: '3',
    source: SOURCE,
    summary: 'The value at a path; without a default, which is evaluated only then, it is an error if there is none.',
    examples: selectExamples,
    run: (args, ctx, at) => selectAt(args, ctx, at, args.default?.evaluate),
    direct: selectDirectly(0),
  }),
];

/** `select` with `all`. It takes a default too, although none is ever needed. */
function selectAll(name: string): Form[] {
  const shared = {
    effect: 'pure',
    source: SOURCE,
    summary: 'All values at a path that goes through every element of the arrays on its way, as one flat array.',
    examples: [
      [`{"${name}":["a","b"],"from":{"object":{"a":[{"object":{"b":1}},{"object":{"b":[2,[3]]}},4]}}}`, '[1,2,3]'],
      [`{"${name}":"x","from":{"object":{"a":1}}}`, '[]'],
    ],
  } as const;
  const run = (args: Readonly<Record<string, unknown>>, ctx: EvalContext, at: Path): MaybePromise<Value> =>
    selectAt({ select: args[name] as readonly PathStep[], from: args['from'] as Value, all: true }, ctx, at);
  return [
    form({ ...shared, params: { [name]: path, from: any, default: optional(any) }, until: '2.12', run }),
    form({ ...shared, params: { [name]: path, from: any, default: lazyOptional }, since: '3', free: true, run }),
  ];
}

const contains = (container: Value, steps: readonly PathStep[], ctx: EvalContext): boolean => lookup(container, steps, ctx) !== undefined;

export const paths: readonly Form[] = [
  ...selectForms,
  ...selectAll('select_all'),
  ...selectAll('select_as_index'),
  form({
    params: { contains: path, in: any },
    effect: 'pure',
    source: SOURCE,
    summary: 'Whether there is something at a path; the older name of contains_path.',
    examples: [['{"contains":["a","b"],"in":{"object":{"a":{"object":{"b":1}}}}}', 'true']],
    run: ({ contains: steps, in: container }, ctx) => contains(container, steps, ctx),
  }),
  form({
    params: { contains_path: path, in: any },
    effect: 'pure',
    since: '3',
    source: SOURCE,
    summary: 'Whether there is something at a path.',
    examples: [
      ['{"contains_path":["a",1],"in":{"object":{"a":[10,20]}}}', 'true'],
      ['{"contains_path":["a",2],"in":{"object":{"a":[10,20]}}}', 'false'],
    ],
    run: ({ contains_path: steps, in: container }, ctx) => contains(container, steps, ctx),
  }),
  form({
    params: { contains_field: string, in: any },
    effect: 'pure',
    since: '3',
    source: SOURCE,
    summary: 'Whether an object or document has a field.',
    examples: [['{"contains_field":"a","in":{"object":{"a":null}}}', 'true']],
    run({ contains_field: name, in: container }, ctx, at) {
      if (isArray(container)) throw wrongType(at.at('in'), ['Object'], 'Array');
      return contains(container, [name], ctx);
    },
  }),
  form({
    params: { contains_value: any, in: any },
    effect: 'read',
    since: '3',
    source: SOURCE,
    summary: 'Whether a value is an element of an array, page or set, or a field of an object, document, ref or event.',
    examples: [
      ['{"contains_value":2,"in":[1,2]}', 'true'],
      ['{"contains_value":1.0,"in":{"object":{"a":1}}}', 'false'],
    ],
    run: ({ contains_value: value, in: container }, ctx, at) => hasValue(container, value, ctx, at),
  }),
];

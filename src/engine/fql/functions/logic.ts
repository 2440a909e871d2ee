// Logic and comparison.
//
// `and` and `or` come in two forms: until version 2.12 all operands are evaluated first,
// from version 3 on only as many as the answer needs, and they are no functions any more.
import { andThen, loop, type MaybePromise } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { transactionAborted } from '../../errors/codes.ts';
import { any, boolean, oneOrMore, string } from '../../form/casts.ts';
import { type Direction, overValues } from '../../form/direct.ts';
import { type Example, type Form, form, type Lazy, lazyListOrOne } from '../../form/form.ts';
import { compare } from '../../order/compare.ts';
import { equals } from '../../value/equal.ts';
import type { Value } from '../../value/value.ts';
import { unary } from './unary.ts';
import { refuseUnresolved } from './unresolved.ts';

const SOURCE = 'functions.md §4; ast/functions/BooleanFunctions, BasicFunctions, ComparisonFunctions';

/** A connective answers `decisive` as soon as one operand is that, otherwise the opposite. */
function connective(name: string, decisive: boolean, summary: string, examples: readonly Example[]): Form[] {
  const eager = unary(name, oneOrMore(boolean), {
    effect: 'pure',
    until: '2.12',
    source: SOURCE,
    summary: `${summary} All operands are evaluated.`,
    examples,
    run: (operands) => (operands.includes(decisive) ? decisive : !decisive),
  });
  const lazy = form({
    params: { [name]: lazyListOrOne },
    effect: 'pure',
    free: true,
    since: '3',
    source: SOURCE,
    summary: `${summary} Operands after the one that decides are not evaluated.`,
    examples,
    run: (args, _ctx, at) => evaluateUntil(args[name] ?? [], decisive, at.at(name)),
    direct: untilDirectly(decisive),
  });
  return [eager, lazy];
}

const untilDirectly =
  (decisive: boolean): Direction =>
  ([argument]) => {
    const operands = (argument?.items ?? []).map(({ direct }) => direct);
    if (operands.length === 0 || operands.includes(null)) return null;
    return (subject) => {
      for (const operand of operands) {
        const result = operand?.(subject);
        if (typeof result !== 'boolean') return undefined;
        if (result === decisive) return decisive;
      }
      return !decisive;
    };
  };

function evaluateUntil(operands: readonly Lazy[], decisive: boolean, at: Path): MaybePromise<boolean> {
  let index = 0;
  return loop(() => {
    const operand = operands[index];
    if (operand === undefined) return !decisive;
    // A single operand is cast at index 0 too, although it does not stand in an array.
    const place = at.at(index++);
    return andThen(operand.evaluate(), (value) => (boolean.read(value, place) === decisive ? decisive : undefined));
  });
}

/** A comparison holds when it holds between all neighbours. */
function comparison(name: string, words: string, holds: (order: number) => boolean, examples: readonly Example[]): Form {
  return unary(name, oneOrMore(any), {
    effect: 'pure',
    source: SOURCE,
    summary: `Whether each operand is ${words} the next one, in the order of all values.`,
    examples,
    run(operands, _ctx, at) {
      refuseUnresolved(operands, at.at(name));
      for (let index = 1; index < operands.length; index++) {
        if (!holds(compare(operands[index - 1] as Value, operands[index] as Value))) return false;
      }
      return true;
    },
    direct: overValues(2, (a, b) => holds(compare(a, b))),
  });
}

export const logic: readonly Form[] = [
  ...connective('and', false, 'Whether all operands are true.', [
    ['{"and":[true,false]}', 'false'],
    ['{"and":true}', 'true'],
  ]),
  ...connective('or', true, 'Whether at least one operand is true.', [
    ['{"or":[false,true]}', 'true'],
    ['{"or":[false,false]}', 'false'],
  ]),
  unary('not', boolean, {
    effect: 'pure',
    source: SOURCE,
    summary: 'The opposite of a boolean.',
    examples: [['{"not":true}', 'false']],
    run: (operand) => !operand,
    direct: overValues(1, (operand) => (typeof operand === 'boolean' ? !operand : undefined)),
  }),
  unary('equals', oneOrMore(any), {
    effect: 'pure',
    source: SOURCE,
    summary: 'Whether all operands are equal; numbers by value, but inside arrays and objects an integer is no double.',
    examples: [
      ['{"equals":[1,1.0,1]}', 'true'],
      ['{"equals":[[1],[1.0]]}', 'false'],
      ['{"equals":[{"object":{"a":1,"b":2}},{"object":{"b":2,"a":1}}]}', 'true'],
    ],
    run: ([first, ...others]) => others.every((other) => equals(first, other)),
    direct: overValues(2, equals),
  }),
  comparison('lt', 'less than', (order) => order < 0, [
    ['{"lt":[1,1.5,2]}', 'true'],
    ['{"lt":[1,1]}', 'false'],
  ]),
  comparison('lte', 'less than or equal to', (order) => order <= 0, [['{"lte":[1,1.0,2]}', 'true']]),
  comparison('gt', 'greater than', (order) => order > 0, [['{"gt":["b","a"]}', 'true']]),
  comparison('gte', 'greater than or equal to', (order) => order >= 0, [['{"gte":[null,true,true]}', 'true']]),
  unary('abort', string, {
    effect: 'pure',
    source: 'functions.md §3; ast/functions/BasicFunctions, AbortFunction',
    summary: 'Ends the transaction with a message and undoes all its writes.',
    examples: [['{"if":true,"then":1,"else":{"abort":"never"}}', '1']],
    run(message, _ctx, at) {
      throw transactionAborted(at, message);
    },
  }),
];

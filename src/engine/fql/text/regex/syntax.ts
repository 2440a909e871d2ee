// The syntax tree of a pattern.
import type { CaseRules, CharClass } from './char-class.ts';

export type Node =
  | { readonly kind: 'character'; readonly class: CharClass }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly branches: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number | null; readonly body: Node }
  | { readonly kind: 'atomic'; readonly body: Node }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number; readonly mode: Mode }
  | { readonly kind: 'ahead'; readonly negative: boolean; readonly body: Node }
  | {
      readonly kind: 'behind';
      readonly negative: boolean;
      readonly body: Node;
      /** How far it may look back: in code points if it names a character beyond the basic plane, else in code units. */
      readonly unit: 'point' | 'code';
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'reference'; readonly group: number; readonly rules: CaseRules }
  | { readonly kind: 'assertion'; readonly holds: Assertion }
  | { readonly kind: 'cluster' }
  | { readonly kind: 'line break' };

export type Mode = 'greedy' | 'reluctant' | 'possessive';

/**
 * @param previous where the match before this one ended
 * @param effort counts what is read beyond the place itself
 */
export type Assertion = (text: string, at: number, previous: number, effort: { spent: number }) => boolean;

/** What "no upper bound" is: the largest 32-bit integer. */
export const UNBOUNDED = 0x7fff_ffff;

export const EMPTY: Node = { kind: 'sequence', items: [] };

/** What is known of a part of a pattern without running it. */
export interface Extent {
  readonly min: number;
  readonly max: number;
  /** Whether `max` means something. */
  readonly bounded: boolean;
  /** Whether it can match in one way only from any one place. */
  readonly fixed: boolean;
}

/** A sum on its way through a pattern: `sum` counts anew after each choice, `before` is what came until then. */
interface Progress {
  readonly before: Extent;
  readonly sum: Extent;
}

const NOTHING: Extent = { min: 0, max: 0, bounded: true, fixed: true };

const add = (a: Extent, b: Extent): Extent => ({
  min: a.min + b.min,
  max: (a.max + b.max) | 0,
  bounded: a.bounded && b.bounded,
  fixed: a.fixed && b.fixed,
});

/**
 * How far a part reaches, counted as java.util.regex counts it: in 32-bit arithmetic whose
 * overflows decide which look-behinds are refused (`(?<=a*)` is not, `(?<=xa*?)` is).
 */
export function extent(node: Node): Extent {
  const { before, sum } = follow(node, { before: NOTHING, sum: NOTHING });
  return add(before, sum);
}

function follow(node: Node, so: Progress): Progress {
  const grow = (max: number): Progress => ({ ...so, sum: add(so.sum, { ...NOTHING, min: 1, max }) });
  switch (node.kind) {
    case 'character':
      return grow(1);
    case 'line break':
      return grow(2);
    case 'sequence':
      return node.items.reduce((progress, item) => follow(item, progress), so);
    case 'group':
      return follow(node.body, so);
    case 'atomic':
      return { ...so, sum: closed(node.body, so.sum) };
    case 'reference':
      return { ...so, sum: { ...so.sum, bounded: false } };
    case 'choice':
      return { before: add(add(so.before, so.sum), choice(node.branches.map(extent))), sum: NOTHING };
    case 'repeat':
      return repetition(node, so);
    default:
      return so;
  }
}

/** The sum after a part whose choices nothing outside it sees. */
function closed(node: Node, sum: Extent): Extent {
  const inner = follow(node, { before: NOTHING, sum });
  return add(inner.before, inner.sum);
}

function choice(branches: readonly Extent[]): Extent {
  return {
    min: Math.min(...branches.map(({ min }) => min)),
    // Not below -1: a negative one has overflowed.
    max: Math.max(-1, ...branches.map(({ max }) => max)),
    bounded: branches.every(({ bounded }) => bounded),
    fixed: false,
  };
}

function repetition({ body, min, max, mode }: Node & { kind: 'repeat' }, so: Progress): Progress {
  const { before, sum } = so;
  if (min === 0 && max === 1) {
    if (body.kind === 'group' && mode !== 'possessive') return follow({ kind: 'choice', branches: [body, EMPTY] }, so);
    return { before, sum: { ...closed(body, sum), min: sum.min, fixed: false } };
  }
  if (body.kind === 'character' && mode === 'greedy' && max === UNBOUNDED && min <= 1) {
    return { before, sum: add(sum, { min, max: UNBOUNDED, bounded: true, fixed: false }) };
  }
  const once = extent(body);
  // A group that can match in several ways is repeated by a loop nobody can see the end of.
  const looped = body.kind === 'group' && !once.fixed && mode !== 'possessive';
  const most = (Math.imul(once.max, max) + sum.max) | 0;
  return {
    before,
    sum: {
      min: sum.min + once.min * min,
      max: most,
      bounded: !looped && sum.bounded && once.bounded && most >= sum.max,
      fixed: sum.fixed && once.fixed && min === max,
    },
  };
}

// Turns the tree of a pattern into instructions for the machine. Registers hold, in turn:
// where each group begins and ends, and what loops, look-arounds and atomic groups keep.
import { type CaseRules, type CharClass, ranges } from './char-class.ts';
import type { Pattern } from './parser.ts';
import { type Assertion, type Node, UNBOUNDED } from './syntax.ts';

export type Instruction =
  | { readonly op: 'character'; readonly class: CharClass }
  /** As many characters as can be had; gives them back one by one. */
  | { readonly op: 'span'; readonly class: CharClass; readonly min: number; readonly max: number }
  | { readonly op: 'cluster' }
  | { readonly op: 'assert'; readonly holds: Assertion }
  | { readonly op: 'reference'; readonly group: number; readonly rules: CaseRules }
  /** Goes on at `first`, and at `second` should that fail. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'keep'; readonly register: number }
  /** The group reaches from a kept place to here. */
  | { readonly op: 'capture'; readonly group: number; readonly start: number }
  /** Goes back to a kept place. */
  | { readonly op: 'return'; readonly register: number }
  /** Fails unless this is a kept place. */
  | { readonly op: 'here'; readonly register: number }
  /** Keeps how many alternatives there are; `cut` forgets all that came since. */
  | { readonly op: 'mark'; readonly register: number }
  | { readonly op: 'cut'; readonly register: number }
  | { readonly op: 'fail' }
  /** Goes on from between `max` and `min` characters back, nearest first. */
  | { readonly op: 'behind'; readonly unit: 'point' | 'code'; readonly min: number; readonly max: number }
  /** `count` and the register after it: rounds begun, and where the last one began. */
  | { readonly op: 'enter'; readonly count: number }
  | {
      readonly op: 'loop';
      readonly count: number;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
      /** Whether a place from which it failed once fails always. */
      readonly memo: boolean;
      exit: number;
    }
  | { readonly op: 'zero'; readonly count: number }
  | { readonly op: 'match' };

export interface Program {
  readonly code: readonly Instruction[];
  readonly registers: number;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  /** Whether only characters of the basic plane are asked for: see `CharClass.basic`. */
  readonly basic: boolean;
  /** What every match begins with, when that is known. */
  readonly first: CharClass | null;
}

export function compile({ root, groups, names }: Pattern): Program {
  const builder = new Builder(2 * groups + 2, !hasReference(root));
  builder.emit(root, true);
  builder.code.push({ op: 'match' });
  const { code, registers, basic } = builder;
  return { code, registers, groups, names, basic, first: firstOf(code[0]) };
}

function firstOf(instruction: Instruction | undefined): CharClass | null {
  if (instruction?.op === 'character') return instruction.class;
  return instruction?.op === 'span' && instruction.min > 0 ? instruction.class : null;
}

function hasReference(node: Node): boolean {
  switch (node.kind) {
    case 'reference':
      return true;
    case 'sequence':
      return node.items.some(hasReference);
    case 'choice':
      return node.branches.some(hasReference);
    default:
      return 'body' in node && hasReference(node.body);
  }
}

const one = (pairs: string): Node => ({ kind: 'character', class: ranges(pairs) });

/** `\R`: any line end, `\r\n` first of all. */
const LINE_BREAK: readonly Node[] = [
  { kind: 'sequence', items: [one('\r\r'), one('\n\n')] },
  one('\n\r\u0085\u0085\u2028\u2029'),
];

class Builder {
  readonly code: Instruction[] = [];
  basic = true;

  constructor(
    public registers: number,
    private readonly memo: boolean,
  ) {}

  /** @param outermost whether what follows the node is the same each time it is reached */
  emit(node: Node, outermost = false): void {
    switch (node.kind) {
      case 'character':
        return this.character(node.class);
      case 'sequence':
        return node.items.forEach((item) => this.emit(item, outermost));
      case 'choice':
        return this.choice(node.branches, outermost);
      case 'group':
        return this.group(node.index, node.body, outermost);
      case 'atomic':
        return this.atomic(() => this.emit(node.body));
      case 'repeat':
        return this.repeat(node, outermost);
      case 'ahead':
        return this.look(node.negative, () => this.emit(node.body));
      case 'behind':
        return this.look(node.negative, (origin) => this.behind(node, origin));
      case 'reference':
        return this.push({ op: 'reference', group: node.group, rules: node.rules });
      case 'assertion':
        return this.push({ op: 'assert', holds: node.holds });
      case 'cluster':
        this.basic = false;
        return this.push({ op: 'cluster' });
      case 'line break':
        return this.choice(LINE_BREAK, outermost);
    }
  }

  private push(instruction: Instruction): void {
    this.code.push(instruction);
  }

  private character(type: CharClass): void {
    this.basic &&= type.basic;
    this.push({ op: 'character', class: type });
  }

  private choice(branches: readonly Node[], outermost: boolean): void {
    const jumps = branches.map((branch, index) => {
      if (index === branches.length - 1) {
        this.emit(branch, outermost);
        return null;
      }
      const split = this.split();
      this.emit(branch, outermost);
      const jump: Instruction & { op: 'jump' } = { op: 'jump', to: 0 };
      this.push(jump);
      split.second = this.code.length;
      return jump;
    });
    for (const jump of jumps) if (jump !== null) jump.to = this.code.length;
  }

  /** A split that goes on right after itself; its other way is for the caller to set. */
  private split(): Instruction & { op: 'split' } {
    const split: Instruction & { op: 'split' } = { op: 'split', first: this.code.length + 1, second: 0 };
    this.push(split);
    return split;
  }

  private group(index: number | null, body: Node, outermost: boolean): void {
    if (index === null) return this.emit(body, outermost);
    // The end is set together with the beginning, so that a half-read group keeps its old text.
    const start = this.registers++;
    this.push({ op: 'keep', register: start });
    this.emit(body, outermost);
    this.push({ op: 'capture', group: index, start });
  }

  private atomic(body: () => void): void {
    const register = this.registers++;
    this.push({ op: 'mark', register });
    body();
    this.push({ op: 'cut', register });
  }

  private look(negative: boolean, body: (origin: number) => void): void {
    const mark = this.registers++;
    const origin = this.registers++;
    this.push({ op: 'keep', register: origin });
    this.push({ op: 'mark', register: mark });
    const split = negative ? this.split() : null;
    body(origin);
    this.push({ op: 'cut', register: mark });
    if (split === null) return this.push({ op: 'return', register: origin });
    this.push({ op: 'fail' });
    split.second = this.code.length;
  }

  private behind({ unit, min, max, body }: Node & { kind: 'behind' }, origin: number): void {
    this.push({ op: 'behind', unit, min, max });
    this.emit(body);
    this.push({ op: 'here', register: origin });
  }

  private repeat(node: Node & { kind: 'repeat' }, outermost: boolean): void {
    const { min, max, mode } = node;
    // Each round of a possessive loop is atomic by itself, and so is a repeated line break.
    const whole = node.body.kind !== 'character' && (mode === 'possessive' || node.body.kind === 'line break');
    const body: Node = whole ? { kind: 'atomic', body: node.body } : node.body;
    if (mode === 'possessive') return this.atomic(() => this.repeat({ ...node, body, mode: 'greedy' }, false));
    if (min === 0 && max === 1) return this.optional(body, mode === 'greedy', outermost);
    if (body.kind === 'character' && mode === 'greedy') {
      this.basic &&= body.class.basic;
      return this.push({ op: 'span', class: body.class, min, max });
    }
    this.loop({ ...node, body }, outermost);
  }

  private optional(body: Node, greedy: boolean, outermost: boolean): void {
    const split = this.split();
    this.emit(body, outermost);
    const after = this.code.length;
    if (greedy) split.second = after;
    else [split.first, split.second] = [after, split.first];
  }

  private loop({ body, min, max, mode }: Node & { kind: 'repeat' }, outermost: boolean): void {
    const count = this.registers;
    this.registers += 2;
    this.push({ op: 'zero', count });
    const top = this.code.length;
    const greedy = mode === 'greedy';
    const memo = this.memo && outermost && greedy && max === UNBOUNDED;
    const loop: Instruction & { op: 'loop' } = { op: 'loop', count, min, max, greedy, memo, exit: 0 };
    this.push(loop);
    this.push({ op: 'enter', count });
    this.emit(body);
    this.push({ op: 'jump', to: top });
    loop.exit = this.code.length;
  }
}

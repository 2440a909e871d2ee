// Matching by backtracking, on a stack of its own: it can be stopped and gone on with, so a
// pattern that takes exponential time costs its request the time limit and nobody else's.
import { isHigh, isLow } from '../code-points.ts';
import { clusterEnd, stepBack } from './assertions.ts';
import { type CaseRules, sameCharacter } from './char-class.ts';
import type { Instruction, Program } from './program.ts';

/** The stack of alternatives may not grow beyond this. */
const MAX_ALTERNATIVES = 1 << 20;

/** A match needs more memory than is allowed. */
export class RegexTooLarge extends Error {
  override readonly name = 'RegexTooLarge';
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** Text of each group, the whole match first; `null` where a group took no part. */
  readonly groups: readonly (string | null)[];
}

/** A way not yet tried. */
interface Alternative {
  readonly pc: number;
  at: number;
  /** Lowest place to go back to, one `unit` at a time; below 0 there is only the one. */
  readonly low: number;
  readonly unit: 'point' | 'code';
  readonly registers: readonly number[];
  /** When this way is taken, the loop of that number is known to fail from here. */
  readonly memo: number;
}

export class Matcher {
  /** Where the next search begins, and where the last match ended. */
  private from = 0;
  private previous = 0;
  private start = -1;
  private pc = 0;
  private at = 0;
  private registers: readonly number[] = [];
  private stack: Alternative[] = [];
  private failed = new Map<number, Set<number>>();
  private readonly blank: readonly number[];
  /** Steps of the last search. An instruction that goes over much text, or copies many registers, counts as several. */
  spent = 0;

  constructor(
    private readonly program: Program,
    private readonly text: string,
  ) {
    this.blank = new Array<number>(program.registers).fill(-1);
  }

  /**
   * Goes on with the search for the next match. An empty match is followed by a search one
   * place on.
   * @param steps how many instructions to run at most, unless one takes as long as several
   * @returns `undefined` when the steps were not enough
   * @throws RegexTooLarge
   */
  search(steps: number): Match | null | undefined {
    this.spent = 0;
    if (this.start < 0) {
      this.failed = new Map();
      this.begin(this.from);
    }
    while (this.start <= this.text.length) {
      let done: boolean | undefined;
      while (done === undefined) {
        if (this.spent >= steps) return undefined;
        this.spent++;
        done = this.step();
      }
      if (done) return this.found();
      this.spent += this.advance();
    }
    this.start = -1;
    this.from = this.text.length + 1;
    return null;
  }

  private begin(start: number): void {
    this.start = start;
    this.pc = 0;
    this.at = start;
    this.registers = this.blank;
    this.stack = [];
  }

  /** Moves the beginning to the next place worth trying; answers how many places that is. */
  private advance(): number {
    const { text, program } = this;
    let next = this.start;
    do {
      next += !program.basic && isHigh(text.charCodeAt(next)) && isLow(text.charCodeAt(next + 1)) ? 2 : 1;
    } while (program.first !== null && next < text.length && !program.first.has(text.codePointAt(next) as number));
    const moved = next - this.start;
    this.begin(next);
    return moved;
  }

  private found(): Match {
    const { start, at: end, text, registers } = this;
    this.previous = end;
    this.from = end === start ? end + 1 : end;
    this.start = -1;
    const groups = Array.from({ length: this.program.groups }, (_, index) => {
      const begin = registers[2 * index + 2] as number;
      return begin < 0 ? null : text.slice(begin, registers[2 * index + 3]);
    });
    return { start, end, groups: [text.slice(start, end), ...groups] };
  }

  /** Runs one instruction: `true` at a match, `false` when no way is left. */
  private step(): boolean | undefined {
    const instruction = this.program.code[this.pc] as Instruction;
    switch (instruction.op) {
      case 'character':
        return this.readCharacter(instruction);
      case 'span':
        return this.readSpan(instruction);
      case 'cluster':
        return this.at < this.text.length ? this.goOn(this.over(clusterEnd(this.text, this.at))) : this.backtrack();
      case 'assert':
        return instruction.holds(this.text, this.at, this.previous, this) ? this.goOn() : this.backtrack();
      case 'reference':
        return this.readReference(instruction.group, instruction.rules);
      case 'split':
        this.offer(instruction.second);
        this.pc = instruction.first;
        return undefined;
      case 'jump':
        this.pc = instruction.to;
        return undefined;
      case 'keep':
        return this.set(instruction.register, this.at);
      case 'capture':
        this.set(2 * instruction.group, this.registers[instruction.start] as number);
        return this.write(2 * instruction.group + 1, this.at);
      case 'return':
        return this.goOn(this.registers[instruction.register]);
      case 'here':
        return this.registers[instruction.register] === this.at ? this.goOn() : this.backtrack();
      case 'mark':
        return this.set(instruction.register, this.stack.length);
      case 'cut':
        this.stack.length = this.registers[instruction.register] as number;
        return this.goOn();
      case 'fail':
        return this.backtrack();
      case 'behind':
        return this.lookBehind(instruction);
      case 'zero':
        this.set(instruction.count, 0);
        return this.write(instruction.count + 1, -1);
      case 'enter':
        this.set(instruction.count, (this.registers[instruction.count] as number) + 1);
        return this.write(instruction.count + 1, this.at);
      case 'loop':
        return this.loop(instruction);
      case 'match':
        return true;
    }
  }

  private goOn(at = this.at): undefined {
    this.pc++;
    this.at = at;
    return undefined;
  }

  private set(register: number, value: number): undefined {
    this.write(register, value);
    return this.goOn();
  }

  private write(register: number, value: number): undefined {
    this.spent += this.registers.length >> 4;
    this.registers = this.registers.with(register, value);
    return undefined;
  }

  /** Counts the text between here and another place, which is read at once. */
  private over(place: number): number {
    this.spent += Math.abs(place - this.at) >> 3;
    return place;
  }

  private offer(pc: number, at = this.at, low = -1, memo = -1, unit: Alternative['unit'] = 'point'): void {
    if (this.stack.length >= MAX_ALTERNATIVES) throw new RegexTooLarge();
    this.stack.push({ pc, at, low, unit, memo, registers: this.registers });
  }

  /** Takes the last way not yet tried. */
  private backtrack(): false | undefined {
    const last = this.stack.at(-1);
    if (last === undefined) return false;
    if (last.low < 0) {
      this.stack.pop();
      if (last.memo >= 0) this.failuresOf(last.memo).add(last.at);
    } else {
      last.at = last.unit === 'code' ? last.at - 1 : Math.max(stepBack(this.text, last.at), last.low);
      if (last.at === last.low) this.stack.pop();
    }
    this.pc = last.pc;
    this.at = last.at;
    this.registers = last.registers;
    return undefined;
  }

  private failuresOf(loop: number): Set<number> {
    const known = this.failed.get(loop) ?? new Set();
    this.failed.set(loop, known);
    return known;
  }

  private readCharacter({ class: type }: Instruction & { op: 'character' }): false | undefined {
    const point = this.text.codePointAt(this.at);
    if (point === undefined || !type.has(point)) return this.backtrack();
    return this.goOn(this.at + (point > 0xffff ? 2 : 1));
  }

  private readSpan({ class: type, min, max }: Instruction & { op: 'span' }): false | undefined {
    let { at } = this;
    let low = min === 0 ? at : -1;
    for (let count = 1; count <= max; count++) {
      const point = this.text.codePointAt(at);
      if (point === undefined || !type.has(point)) break;
      at += point > 0xffff ? 2 : 1;
      if (count === min) low = at;
    }
    this.over(at);
    if (low < 0) return this.backtrack();
    if (at > low) this.offer(this.pc + 1, at, low);
    return this.goOn(at);
  }

  private readReference(group: number, rules: CaseRules): false | undefined {
    const begin = group > this.program.groups ? -1 : (this.registers[2 * group] as number);
    if (begin < 0) return this.backtrack();
    const length = (this.registers[2 * group + 1] as number) - begin;
    const taken = this.text.slice(begin, begin + length);
    const here = this.text.slice(this.at, this.over(this.at + length));
    return sameText(taken, here, rules) ? this.goOn(this.at + length) : this.backtrack();
  }

  private lookBehind({ unit, min, max }: Instruction & { op: 'behind' }): false | undefined {
    const back = (from: number, count: number): number => {
      if (unit === 'code') return from - count;
      let at = from;
      for (let left = count; left > 0 && at >= 0; left--) at = at > 0 ? stepBack(this.text, at) : -1;
      return at;
    };
    const start = back(this.at, min);
    // In 32 bits too, as the upper bound is: one that overflowed may mean all or nothing.
    const whole = ((this.at - max) | 0) <= 0;
    if (start < 0 || (max < min && !whole)) return this.backtrack();
    const low = this.over(whole ? 0 : Math.max(back(start, max - min), 0));
    if (start > low) this.offer(this.pc + 1, start, low, -1, unit);
    return this.goOn(start);
  }

  private loop({ count, min, max, greedy, memo, exit }: Instruction & { op: 'loop' }): undefined {
    const rounds = this.registers[count] as number;
    // A round that read nothing is the last one.
    const moved = this.at > (this.registers[count + 1] as number);
    if (moved && rounds < min) return this.goOn();
    if (!moved || rounds >= max || (memo && this.failed.get(this.pc)?.has(this.at) === true)) {
      this.pc = exit;
      return undefined;
    }
    if (greedy) {
      this.offer(exit, this.at, -1, memo ? this.pc : -1);
      return this.goOn();
    }
    this.offer(this.pc + 1);
    this.pc = exit;
    return undefined;
  }
}

function sameText(a: string, b: string, rules: CaseRules): boolean {
  if (a === b || !rules.ignoreCase || a.length !== b.length) return a === b;
  const [left, right] = [[...a], [...b]];
  return left.every((c, index) => {
    const other = right[index]?.codePointAt(0);
    return other !== undefined && sameCharacter(c.codePointAt(0) as number, other, rules);
  });
}

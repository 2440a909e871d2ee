// Reads a pattern of java.util.regex, refusing what that refuses.
import { afterPrevious, atEnd, atLastLine, atLineEnd, atLineStart, atStart, clusterBoundary, wordBoundary } from './assertions.ts';
import { charClass, not, ranges, single } from './char-class.ts';
import { type Flags, parseClass, parseClassEscape } from './class-parser.ts';
import { escapedCharacter, PatternError, Reader } from './reader.ts';
import { type Assertion, EMPTY, extent, type Mode, type Node, UNBOUNDED } from './syntax.ts';

export interface Pattern {
  readonly root: Node;
  /** Capturing groups, the whole match not counted. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

/** @throws PatternError when java.util.regex refuses the pattern */
export function parsePattern(text: string): Pattern {
  return new Parser(new Reader(text)).pattern();
}

const NO_FLAGS: Flags = {
  ignoreCase: false, multiline: false, dotAll: false, unicodeCase: false, unixLines: false, comments: false, wide: false,
};

/** What each letter of `(?…)` switches. `c` is read, but canonical equivalence is not looked at. */
const FLAG_LETTERS: Readonly<Record<string, readonly (keyof Flags)[]>> = {
  c: [], d: ['unixLines'], i: ['ignoreCase'], m: ['multiline'], s: ['dotAll'], u: ['unicodeCase'], x: ['comments'],
  U: ['wide', 'unicodeCase'],
};

const ANY = charClass(() => true);
const NOT_LINE_FEED = not(ranges('\n\n'));
const NOT_LINE_END = not(ranges('\n\n\r\r\u0085\u0085\u2028\u2029'));

const assertion = (holds: Assertion): Node => ({ kind: 'assertion', holds });

class Parser {
  private flags = NO_FLAGS;
  private groups = 0;
  private readonly names = new Map<string, number>();

  constructor(private readonly reader: Reader) {}

  pattern(): Pattern {
    const root = this.alternatives();
    if (!this.reader.ended) throw new PatternError('unmatched )');
    return { root, groups: this.groups, names: this.names };
  }

  private setFlags(flags: Flags): void {
    this.flags = flags;
    this.reader.comments = flags.comments;
    this.reader.unixLines = flags.unixLines;
  }

  private alternatives(): Node {
    const branches = [this.sequence()];
    while (this.reader.take('|')) branches.push(this.sequence());
    return branches.length === 1 ? (branches[0] as Node) : { kind: 'choice', branches };
  }

  private sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      const c = this.reader.peek();
      if (c === '' || c === '|' || c === ')') return items.length === 1 ? (items[0] as Node) : { kind: 'sequence', items };
      if (c === '*' || c === '+' || c === '?') throw new PatternError(`dangling ${c}`);
      const atom = this.atom(c);
      if (atom !== null) items.push(this.repeated(atom));
    }
  }

  /** One part of a sequence; `null` for flags set from here on. */
  private atom(c: string): Node | null {
    // A repetition of nothing is allowed, and matches nothing.
    if (c === '{') return EMPTY;
    this.reader.at++;
    switch (c) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'character', class: parseClass(this.reader, this.flags) };
      case '^':
        return assertion(this.flags.multiline ? atLineStart(this.flags.unixLines) : atStart);
      case '$':
        return assertion(this.flags.multiline ? atLineEnd(this.flags.unixLines) : atLastLine(this.flags.unixLines));
      case '.':
        return { kind: 'character', class: this.flags.dotAll ? ANY : this.flags.unixLines ? NOT_LINE_FEED : NOT_LINE_END };
      case '\\':
        return this.escape();
      default:
        return { kind: 'character', class: single(c.codePointAt(0) as number, this.flags) };
    }
  }

  private escape(): Node {
    const { reader, flags } = this;
    const assertions: Readonly<Record<string, Assertion>> = {
      A: atStart,
      B: wordBoundary(true, flags.wide),
      G: afterPrevious,
      Z: atLastLine(flags.unixLines),
      z: atEnd,
    };
    const letter = reader.raw();
    const holds = assertions[letter];
    if (holds !== undefined) {
      reader.at++;
      return assertion(holds);
    }
    if (reader.takeRaw('b{g}')) return assertion(clusterBoundary);
    if (reader.takeRaw('b')) return assertion(wordBoundary(false, flags.wide));
    if (reader.takeRaw('R')) return { kind: 'line break' };
    if (reader.takeRaw('X')) return { kind: 'cluster' };
    if (reader.takeRaw('k<')) return this.namedReference();
    if (/^[1-9]$/.test(letter)) return this.reference();
    const found = parseClassEscape(reader, flags);
    if (found !== null) return { kind: 'character', class: found };
    const point = escapedCharacter(reader);
    if (point === null) throw new PatternError('escape');
    return { kind: 'character', class: single(point, flags) };
  }

  private namedReference(): Node {
    const group = this.names.get(this.groupName());
    if (group === undefined) throw new PatternError('no group of that name');
    return { kind: 'reference', group, rules: this.flags };
  }

  /** More digits belong to the number as long as there is such a group before here. */
  private reference(): Node {
    let group = Number(this.reader.nextRaw());
    for (;;) {
      const digit = this.reader.peek();
      const longer = group * 10 + Number(digit);
      if (!/^[0-9]$/.test(digit) || longer > this.groups) return { kind: 'reference', group, rules: this.flags };
      group = longer;
      this.reader.at++;
    }
  }

  /** A group whose parenthesis is behind the reader. */
  private group(): Node | null {
    const outer = this.flags;
    if (!this.reader.take('?')) return this.capture(outer);
    switch (this.reader.nextRaw()) {
      case ':':
        return { kind: 'group', index: null, body: this.body(outer) };
      case '>':
        return { kind: 'atomic', body: this.body(outer) };
      case '=':
        return { kind: 'ahead', negative: false, body: this.body(outer) };
      case '!':
        return { kind: 'ahead', negative: true, body: this.body(outer) };
      case '<':
        return this.behindOrNamed(outer);
      default:
        this.reader.at--;
        return this.flagged(outer);
    }
  }

  private capture(outer: Flags, name?: string): Node {
    const index = ++this.groups;
    if (name !== undefined) {
      if (this.names.has(name)) throw new PatternError('group name given twice');
      this.names.set(name, index);
    }
    return { kind: 'group', index, body: this.body(outer) };
  }

  /** The rest of a group; flags set inside end with it. */
  private body(outer: Flags): Node {
    const body = this.alternatives();
    this.reader.expect(')');
    this.setFlags(outer);
    return body;
  }

  private behindOrNamed(outer: Flags): Node {
    const negative = this.reader.raw() === '!';
    if (!negative && this.reader.raw() !== '=') return this.capture(outer, this.groupName());
    const start = ++this.reader.at;
    const body = this.body(outer);
    const unit = this.reader.hasWide(start) ? 'point' : 'code';
    const { min, max, bounded } = extent(body);
    if (!bounded) throw new PatternError('look-behind without an end');
    return { kind: 'behind', negative, body, unit, min, max };
  }

  private groupName(): string {
    const name = this.reader.while(/^[a-zA-Z0-9]$/);
    if (!/^[a-zA-Z]/.test(name) || this.reader.nextRaw() !== '>') throw new PatternError('group name');
    return name;
  }

  private flagged(outer: Flags): Node | null {
    let flags: Flags = outer;
    let on = true;
    for (;;) {
      const letter = this.reader.nextRaw();
      if (letter === '-' && on) {
        on = false;
        continue;
      }
      const names = Object.hasOwn(FLAG_LETTERS, letter) ? FLAG_LETTERS[letter] : undefined;
      if (names === undefined) {
        this.setFlags(flags);
        if (letter === ')') return null;
        if (letter === ':') return { kind: 'group', index: null, body: this.body(outer) };
        throw new PatternError('flag');
      }
      flags = { ...flags, ...Object.fromEntries(names.map((name) => [name, on])) };
    }
  }

  /** An atom with the quantifier that follows it, if one does. */
  private repeated(body: Node): Node {
    const bounds = this.quantifier();
    if (bounds === null) return body;
    const mode: Mode = this.reader.take('?') ? 'reluctant' : this.reader.take('+') ? 'possessive' : 'greedy';
    return { kind: 'repeat', body, mode, ...bounds };
  }

  private quantifier(): { readonly min: number; readonly max: number } | null {
    if (this.reader.take('?')) return { min: 0, max: 1 };
    if (this.reader.take('*')) return { min: 0, max: UNBOUNDED };
    if (this.reader.take('+')) return { min: 1, max: UNBOUNDED };
    return this.reader.take('{') ? this.counts() : null;
  }

  private counts(): { readonly min: number; readonly max: number } {
    const digits = /^[0-9]$/;
    const least = this.reader.while(digits);
    const comma = this.reader.takeRaw(',');
    const most = comma ? this.reader.while(digits) : least;
    const min = Number(least);
    const max = most === '' && comma && this.reader.raw() === '}' ? UNBOUNDED : Number(most);
    if (least === '' || !this.reader.takeRaw('}')) throw new PatternError('repetition');
    if (min > UNBOUNDED || max > UNBOUNDED || max < min) throw new PatternError('repetition range');
    return { min, max };
  }
}

// Character classes between brackets, with the unions and intersections of java.util.regex.
import { both, type CharClass, charClass, either, not, range, single } from './char-class.ts';
import { named, predefined } from './properties.ts';
import { escapedCharacter, PatternError, type Reader } from './reader.ts';

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicodeCase: boolean;
  readonly unixLines: boolean;
  readonly comments: boolean;
  /** `(?U)`: predefined classes mean all of Unicode. */
  readonly wide: boolean;
}

/**
 * Reads a class whose `[` is behind the reader. Kept as odd as the original: characters
 * written alone join the others last, or when an `&&` follows.
 * @param bracketed whether it is in brackets of its own: what follows `&&` without them ends with the class around it, and `^` is a character there
 */
export function parseClass(reader: Reader, flags: Flags, bracketed = true): CharClass {
  const negated = bracketed && reader.take('^');
  let all: CharClass | null = null;
  let last: CharClass | null = null;
  let lone: CharClass | null = null;
  const join = (part: CharClass): void => {
    last = part;
    all = all === null ? part : either(all, part);
  };
  for (;;) {
    const c = reader.peek();
    if (c === '') throw new PatternError('unclosed class');
    if (c === '[') {
      reader.at++;
      join(parseClass(reader, flags));
    } else if (c === '&' && isIntersection(reader)) {
      const right = parseOperand(reader, flags);
      if (lone !== null) {
        if (all === null) last = lone;
        all = all === null ? lone : either(all, lone);
        lone = null;
      }
      last = right ?? last;
      if (all === null) all = right;
      else if (last !== null) all = both(all, last);
      if (all === null) throw new PatternError('class syntax');
    } else if (c === ']' && (all !== null || lone !== null)) {
      if (bracketed) reader.at++;
      const whole = all === null ? lone : lone === null ? all : either(all, lone);
      return negated ? not(whole as CharClass) : (whole as CharClass);
    } else {
      const part = parseMember(reader, flags);
      if (part.alone) {
        lone = lone === null ? part.class : either(lone, part.class);
        last = null;
      } else {
        join(part.class);
      }
    }
  }
}

function isIntersection(reader: Reader): boolean {
  const start = reader.at;
  reader.at++;
  if (reader.take('&')) return true;
  reader.at = start;
  return false;
}

/** What follows `&&`: classes in brackets, or the whole rest. */
function parseOperand(reader: Reader, flags: Flags): CharClass | null {
  let right: CharClass | null = null;
  for (;;) {
    const c = reader.peek();
    if (c === ']' || c === '&') return right;
    const part = parseClass(reader, flags, reader.take('['));
    right = right === null ? part : either(right, part);
  }
}

interface Member {
  readonly class: CharClass;
  /** A single character of Latin-1, which joins the others last. */
  readonly alone: boolean;
}

function parseMember(reader: Reader, flags: Flags): Member {
  const low = readMember(reader, flags, false);
  if (typeof low !== 'number') return { class: low, alone: false };
  if (reader.peek() === '-') {
    const end = reader.raw(1);
    if (end !== '[' && end !== ']') {
      reader.at++;
      const high = readMember(reader, flags, true);
      if (typeof high !== 'number' || high < low) throw new PatternError('character range');
      return { class: range(low, high, flags), alone: false };
    }
  }
  return { class: single(low, flags), alone: low < 256 };
}

function readMember(reader: Reader, flags: Flags, rangeEnd: boolean): number | CharClass {
  const c = reader.next();
  if (c === '') throw new PatternError('unclosed class');
  if (c !== '\\') return c.codePointAt(0) as number;
  // Alone `\v` is all vertical space, but as an end of a range the vertical tab.
  if (reader.raw() === 'v' && (rangeEnd || reader.raw(1) === '-')) {
    reader.at++;
    return 0xb;
  }
  const shared = parseClassEscape(reader, flags) ?? escapedCharacter(reader);
  if (shared === null) throw new PatternError('escape in a class');
  return shared;
}

/** `\d`, `\p{…}` and the like, whose backslash is behind the reader; `null` if it is none of them. */
export function parseClassEscape(reader: Reader, flags: Flags): CharClass | null {
  const letter = reader.raw();
  if (/^[dDsSwWhHvV]$/.test(letter)) {
    reader.at++;
    return predefined(letter, flags.wide);
  }
  if (letter !== 'p' && letter !== 'P') return null;
  reader.at++;
  const found = named(propertyName(reader), flags);
  if (found === null) throw new PatternError('property name');
  return letter === 'P' ? not(found) : charClass(found.has);
}

function propertyName(reader: Reader): string {
  const first = reader.next();
  if (first !== '{') return first;
  const name = reader.while(/^[^}]$/u);
  if (name === '' || reader.nextRaw() !== '}') throw new PatternError('property name');
  return name;
}

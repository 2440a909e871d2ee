// Regular expressions as java.util.regex reads them (JDK 17, reference: fql/functions.md §11).
//
// The platform's own RegExp would not do: it reads patterns differently, forgets groups at
// every round of a loop, and cannot be stopped when a pattern takes exponential time. So
// patterns are parsed (`regex/parser`), compiled (`regex/program`) and run (`regex/machine`)
// here, in slices that the request's budget counts.
import { isExhaustion } from '../../base/exhaustion.ts';
import { loop, type MaybePromise, andThen } from '../../base/maybe.ts';
import type { Path } from '../../base/path.ts';
import { badRequest, invalidArgument } from '../../errors/codes.ts';
import type { Budget } from '../../form/budget.ts';
import { interned } from '../../value/known-keys.ts';
import { affordable } from './length-limit.ts';
import { type Match, Matcher, RegexTooLarge } from './regex/machine.ts';
import { parsePattern } from './regex/parser.ts';
import { compile, type Program } from './regex/program.ts';
import { PatternError } from './regex/reader.ts';

export type { Match } from './regex/machine.ts';

/** A pattern ready to run. */
export interface Regex {
  readonly pattern: string;
  readonly program: Program;
}

/** Patterns compiled lately: a filter asks for the same one at every element. */
const compiled = new Map<string, Regex | null>();
const MAX_COMPILED = 64;
/** Characters of all of these patterns, unless the last has more: a program takes a hundred times the memory of its pattern. */
const MAX_LENGTH = 100_000;
let held = 0;

/** The pattern ready to run, or `null` when java.util.regex refuses it. */
export function compileRegex(pattern: string): Regex | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  // A part of what was sent would keep all of it.
  const own = interned(pattern);
  const regex = read(own);
  held += own.length;
  for (const oldest of compiled.keys()) {
    if (compiled.size < MAX_COMPILED && held <= MAX_LENGTH) break;
    compiled.delete(oldest);
    held -= oldest.length;
  }
  compiled.set(own, regex);
  return regex;
}

function read(pattern: string): Regex | null {
  try {
    return { pattern, program: compile(parsePattern(pattern)) };
  } catch (error) {
    // Groups nested so deep that reading them overflows the stack are refused as well.
    if (error instanceof PatternError || isExhaustion(error)) return null;
    throw error;
  }
}

/** Instructions run between two looks at the budget. */
const SLICE = 1000;

/**
 * Takes the matches of a pattern in a text one by one, in order, at most so many.
 * @throws HttpError when time, work or memory is used up
 */
function eachMatch(regex: Regex, text: string, most: number, budget: Budget, take: (match: Match) => unknown): MaybePromise<true> {
  const matcher = new Matcher(regex.program, text);
  let left = most;
  return loop(() => {
    const match = left > 0 ? search(matcher, regex) : null;
    if (match === null) return true;
    if (match !== undefined) {
      left--;
      take(match);
    }
    return andThen(budget.spent({ steps: Math.max(1, Math.floor(matcher.spent / SLICE)) }), () => undefined);
  });
}

/** The matches. As `eachMatch`. */
export function findMatches(regex: Regex, text: string, most: number, budget: Budget): MaybePromise<readonly Match[]> {
  const found: Match[] = [];
  return andThen(eachMatch(regex, text, most, budget, (match) => found.push(match)), () => found);
}

function search(matcher: Matcher, { pattern }: Regex): Match | null | undefined {
  try {
    return matcher.search(SLICE);
  } catch (error) {
    if (!(error instanceof RegexTooLarge)) throw error;
    throw badRequest(`Search pattern /${pattern}/ needs too much memory for this text.`);
  }
}

/** `\Q…\E` around a text, so that it stands for itself; `Pattern.quote`. */
export function quoteRegex(text: string): string {
  return `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`;
}

/** A part of a replacement: text, or the number of a group. */
type ReplacementPart = string | number;

/**
 * Reads a replacement: `\x` is x, `$1` and `${name}` are groups; digits belong to a group's
 * number as long as there is such a group. `null` when it cannot be read.
 */
function readReplacement(replacement: string, { program }: Regex): readonly ReplacementPart[] | null {
  const parts: ReplacementPart[] = [];
  for (const [token, escaped, name, digits] of replacement.matchAll(REPLACEMENT)) {
    if (name !== undefined || digits !== undefined) {
      const [group, rest] = name === undefined ? longestGroup(digits ?? '', program.groups) : [program.names.get(name), ''];
      if (group === undefined || group > program.groups) return null;
      parts.push(group, rest);
    } else if (token === '\\' || token === '$') {
      return null;
    } else {
      parts.push(escaped ?? token);
    }
  }
  return parts;
}

const REPLACEMENT = /\\([^])|\$\{([a-zA-Z][a-zA-Z0-9]*)\}|\$([0-9]+)|[^\\$]+|[\\$]/g;

function longestGroup(digits: string, groups: number): readonly [number, string] {
  let length = 1;
  while (length < digits.length && Number(digits.slice(0, length + 1)) <= groups) length++;
  return [Number(digits.slice(0, length)), digits.slice(length)];
}

/** Pieces that are joined at once: put together one by one they would take many times the memory of their characters. */
const PIECES = 1000;

/**
 * The text with each match replaced, at most so many.
 * @throws FqlError `invalid argument` for a replacement that cannot be read, if there is a match; as `eachMatch`, also when the text gets too long
 */
export function replaceMatches(regex: Regex, text: string, replacement: string, most: number, budget: Budget, at: Path): MaybePromise<string> {
  const parts = readReplacement(replacement, regex);
  let replaced = '';
  let pieces: string[] = [];
  let length = 0;
  let copied = 0;
  const put = (piece: string): void => {
    affordable((length += piece.length));
    if (pieces.push(piece) < PIECES) return;
    replaced += pieces.join('');
    pieces = [];
  };
  const all = eachMatch(regex, text, most, budget, ({ start, end, groups }) => {
    if (parts === null) throw invalidArgument(at, `Replacement '${replacement}' is not valid for the search pattern.`);
    put(text.slice(copied, start));
    for (const part of parts) put(typeof part === 'string' ? part : (groups[part] ?? ''));
    copied = end;
  });
  return andThen(all, () => {
    put(text.slice(copied));
    affordable(length, budget);
    return replaced + pieces.join('');
  });
}

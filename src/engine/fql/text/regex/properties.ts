// Named classes of java.util.regex: `\p{Lu}`, `\p{IsGreek}`, `\p{javaWhitespace}` and the
// predefined `\d`, `\s`, `\w` and so on.
//
// Categories, scripts and binary properties come from the platform's own tables. Blocks
// (`\p{InGreek}`) have no such table there: those in `BLOCKS` are known.
import { isJavaWhitespace } from '../white-space.ts';
import { type CharClass, charClass, either, not, ranges } from './char-class.ts';
import { BLOCKS } from './blocks.ts';

/** A property in the platform's notation, such as `Lu` or `sc=Greek`; `null` when it knows none of that name. */
function platform(property: string): CharClass | null {
  if (!/^[\w=]+$/.test(property)) return null;
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${property}}$`, 'u');
  } catch {
    return null;
  }
  return charClass((c) => test.test(String.fromCodePoint(c)));
}

/** A union of platform properties that surely exist. */
const unicode = (...properties: readonly string[]): CharClass => {
  // Made when it is first asked: all of them take 5 ms, more than the rest of this library.
  let test: RegExp | undefined;
  return charClass((c) => (test ??= new RegExp(`^[${properties.map((property) => `\\p{${property}}`).join('')}]$`, 'u')).test(String.fromCodePoint(c)));
};

const CATEGORIES =
  'Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf L M N Z C P S LC'.split(' ');
const CASED = unicode('Lu', 'Ll', 'Lt');
const ANY = charClass(() => true);
export const LETTER_OR_DIGIT = unicode('L', 'Nd');

const CONTROL = ranges('\u0000\u001f\u007f\u009f');
const IGNORABLE = either(ranges('\u0000\u0008\u000e\u001b\u007f\u009f'), unicode('Cf'));
const IDENTIFIER_START = unicode('L', 'Nl', 'Sc', 'Pc');

const ASCII = {
  Alnum: ranges('09azAZ'),
  Alpha: ranges('azAZ'),
  ASCII: ranges('\u0000\u007f'),
  Blank: ranges('  \t\t'),
  Cntrl: ranges('\u0000\u001f\u007f\u007f'),
  Digit: ranges('09'),
  Graph: ranges('!~'),
  Lower: ranges('az'),
  Print: ranges(' ~'),
  Punct: ranges('!/:@[`{~'),
  Space: ranges('\t\r  '),
  Upper: ranges('AZ'),
  XDigit: ranges('09afAF'),
} as const;

const JAVA: Readonly<Record<string, CharClass>> = {
  javaAlphabetic: unicode('Alphabetic'),
  javaDefined: not(unicode('Cn')),
  javaDigit: unicode('Nd'),
  javaISOControl: CONTROL,
  javaIdentifierIgnorable: IGNORABLE,
  javaIdeographic: unicode('Ideographic'),
  javaJavaIdentifierPart: either(either(IDENTIFIER_START, unicode('Nd', 'Mc', 'Mn')), IGNORABLE),
  javaJavaIdentifierStart: IDENTIFIER_START,
  javaLetter: unicode('L'),
  javaLetterOrDigit: LETTER_OR_DIGIT,
  javaLowerCase: unicode('Lowercase'),
  javaMirrored: unicode('Bidi_Mirrored'),
  javaSpaceChar: unicode('Z'),
  javaTitleCase: unicode('Lt'),
  javaUnicodeIdentifierPart: either(unicode('ID_Continue'), IGNORABLE),
  javaUnicodeIdentifierStart: unicode('ID_Start'),
  javaUpperCase: unicode('Uppercase'),
  javaWhitespace: charClass(isJavaWhitespace),
};

/** Classes by the names of Unicode (`\p{IsAlphabetic}`), underscores left out. */
const UNICODE: Readonly<Record<string, CharClass>> = {
  ALPHABETIC: unicode('Alphabetic'),
  ASSIGNED: not(unicode('Cn')),
  CONTROL: unicode('Cc'),
  HEXDIGIT: either(unicode('Nd'), ranges('afAF\uff21\uff26\uff41\uff46')),
  IDEOGRAPHIC: unicode('Ideographic'),
  JOINCONTROL: ranges('\u200c\u200d'),
  LETTER: unicode('L'),
  LOWERCASE: unicode('Lowercase'),
  NONCHARACTERCODEPOINT: unicode('Noncharacter_Code_Point'),
  PUNCTUATION: unicode('P'),
  TITLECASE: unicode('Lt'),
  UPPERCASE: unicode('Uppercase'),
  WHITESPACE: unicode('White_Space'),
  WORD: either(unicode('Alphabetic', 'Mn', 'Mc', 'Me', 'Nd', 'Pc'), ranges('\u200c\u200d')),
};

const UNASSIGNED_OR_SPACE = unicode('Z', 'Cc', 'Cs', 'Cn');
const UNICODE_BLANK = either(unicode('Zs'), ranges('\t\t'));

/** What the POSIX names mean under `(?U)`, and behind `Is`. */
const WIDE_POSIX: Readonly<Record<string, CharClass>> = {
  ALNUM: unicode('Alphabetic', 'Nd'),
  ALPHA: unicode('Alphabetic'),
  BLANK: UNICODE_BLANK,
  CNTRL: unicode('Cc'),
  DIGIT: unicode('Nd'),
  GRAPH: not(UNASSIGNED_OR_SPACE),
  LOWER: unicode('Lowercase'),
  PRINT: charClass((c) => (UNICODE_BLANK.has(c) || !UNASSIGNED_OR_SPACE.has(c)) && !CONTROL.has(c)),
  PUNCT: unicode('P'),
  SPACE: unicode('White_Space'),
  UPPER: unicode('Uppercase'),
  XDIGIT: UNICODE.HEXDIGIT as CharClass,
};

/** Names that stop telling cases apart when case is ignored. */
const CASE_NAMES = new Set(['Lu', 'Ll', 'Lt', 'javaLowerCase', 'javaUpperCase', 'javaTitleCase']);
const UNICODE_CASE_NAMES = new Set(['LOWERCASE', 'UPPERCASE', 'TITLECASE']);
const ANY_CASE = unicode('Lowercase', 'Uppercase', 'Lt');

export interface NameRules {
  readonly ignoreCase: boolean;
  /** `(?U)`: predefined and POSIX classes mean all of Unicode. */
  readonly wide: boolean;
}

/** The class of a name inside `\p{…}`; `null` when there is none. */
export function named(name: string, rules: NameRules): CharClass | null {
  const equals = name.indexOf('=');
  if (equals >= 0) return assigned(name.slice(0, equals).toLowerCase(), name.slice(equals + 1), rules);
  if (name.startsWith('In')) return block(name.slice(2));
  if (name.startsWith('Is')) {
    const rest = name.slice(2);
    return unicodeName(rest, rules) ?? posixName(rest, rules) ?? javaName(rest, rules) ?? script(rest);
  }
  return (rules.wide ? posixName(name, rules) : null) ?? javaName(name, rules);
}

function assigned(key: string, value: string, rules: NameRules): CharClass | null {
  if (key === 'sc' || key === 'script') return script(value);
  if (key === 'blk' || key === 'block') return block(value);
  return key === 'gc' || key === 'general_category' ? javaName(value, rules) : null;
}

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(table, name) ? (table[name] as T) : null;

function unicodeName(name: string, { ignoreCase }: NameRules): CharClass | null {
  const key = name.toUpperCase().replaceAll('_', '');
  return ignoreCase && UNICODE_CASE_NAMES.has(key) ? ANY_CASE : own(UNICODE, key);
}

function posixName(name: string, { ignoreCase }: NameRules): CharClass | null {
  const key = name.toUpperCase();
  return ignoreCase && (key === 'LOWER' || key === 'UPPER') ? ANY_CASE : own(WIDE_POSIX, key);
}

function javaName(name: string, { ignoreCase }: NameRules): CharClass | null {
  if (ignoreCase && CASE_NAMES.has(name)) return name.length === 2 ? CASED : ANY_CASE;
  if (ignoreCase && (name === 'Lower' || name === 'Upper')) return ASCII.Alpha;
  if (CATEGORIES.includes(name)) return platform(name);
  if (name === 'LD') return LETTER_OR_DIGIT;
  if (name === 'L1') return ranges('\u0000\u00ff');
  if (name === 'all') return ANY;
  return own(ASCII, name) ?? own(JAVA, name);
}

/** `LATIN`, `Latn` and `old_italic` are `Latin`, `Latn` and `Old_Italic` to the platform. */
function script(name: string): CharClass | null {
  const spelled = name.toLowerCase().replace(/(^|_)[a-z]/g, (letter) => letter.toUpperCase());
  return platform(`sc=${SCRIPT_SPELLING[spelled] ?? spelled}`);
}
const SCRIPT_SPELLING: Readonly<Record<string, string>> = {
  Signwriting: 'SignWriting',
};

function block(name: string): CharClass | null {
  const bounds = BLOCKS.get(name.toLowerCase().replace(/[ _-]/g, ''));
  return bounds === undefined ? null : charClass((c) => c >= bounds[0] && c <= bounds[1], bounds[1] < 0x10000);
}

const HORIZONTAL = ranges('  \t\t\u00a0\u00a0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000');
const VERTICAL = ranges('\n\r\u0085\u0085\u2028\u2029');
const WORD = either(ASCII.Alnum, ranges('__'));

/** `\d \s \w \h \v` by their letters; the capital ones are their opposites. */
export function predefined(letter: string, wide: boolean): CharClass {
  const lower = letter.toLowerCase();
  const found = (wide ? own(WIDE_PREDEFINED, lower) : null) ?? PREDEFINED[lower];
  if (found === undefined) throw new Error(`no predefined class ${letter}`);
  return lower === letter ? found : not(found);
}

const PREDEFINED: Readonly<Record<string, CharClass>> = {
  d: ASCII.Digit, s: ASCII.Space, w: WORD, h: HORIZONTAL, v: VERTICAL,
};
const WIDE_PREDEFINED: Readonly<Record<string, CharClass>> = {
  d: unicode('Nd'), s: unicode('White_Space'), w: UNICODE.WORD as CharClass,
};

// Title case: in each word the first letter is a capital and the others are small. Words are
// cut by the word boundaries of Unicode, as far as letters and digits are concerned: an
// apostrophe or a point between letters does not end a word, a hyphen does.

const MARKS = '(?:(?!\\u200b)[\\p{M}\\p{Cf}])*';
/** Scripts whose words end where other letters begin. */
const APART = '[\\p{Ideographic}\\p{sc=Hira}\\p{sc=Kana}\\uac00-\\ud7a3]';
const LETTER = `(?!${APART})\\p{Alphabetic}${MARKS}`;
const DIGIT = `\\p{Nd}${MARKS}`;
const INSIDE_WORDS = "['.\\u00b7\\u0387\\u055f\\u05f4\\u2018\\u2019\\u2024\\u2027\\ufe13\\ufe52\\uff07\\uff0e]";
const INSIDE_NUMBERS = "['.,;\\u037e\\u0589\\u060c\\u060d\\u066c\\u07f8\\u2018\\u2019\\u2024\\u2044\\ufe10\\ufe14\\uff07\\uff0e]";

const WORD = new RegExp(
  [
    `(?:${LETTER}(?:${INSIDE_WORDS}${MARKS}(?=${LETTER}))?`,
    `${DIGIT}(?:${INSIDE_NUMBERS}${MARKS}(?=${DIGIT}))?`,
    `\\p{Pc}${MARKS})+`,
  ].join('|'),
  'gu',
);

export const titleCase = (text: string): string => text.replace(WORD, titleWord);

function titleWord(word: string): string {
  // A letter that modifies others, such as the one that looks like an apostrophe, has no title form.
  const start = word.search(/(?!\p{Lm}(?<!\p{Cased}))[\p{L}\p{N}\p{S}\p{Co}]/u);
  if (start < 0) return word;
  const first = String.fromCodePoint(word.codePointAt(start) as number);
  // The word is lowered as a whole: what a sigma becomes depends on what is around it.
  const rest = word.toLowerCase().slice(start + first.toLowerCase().length);
  return word.slice(0, start) + titleLetter(first) + rest;
}

/** The title form of a letter: mostly its capital, of several letters only the first one. */
function titleLetter(letter: string): string {
  const special = SPECIAL.get(letter);
  if (special !== undefined) return special;
  if (GEORGIAN.test(letter)) return letter;
  const [first = '', ...rest] = letter.toUpperCase();
  if (rest.at(-1) === IOTA) return withIotaBelow(letter, [first, ...rest.slice(0, -1)].join(''));
  return first + rest.join('').toLowerCase();
}

const SPECIAL: ReadonlyMap<string, string> = new Map(
  [
    ['Ǆǅǆ', 'ǅ'],
    ['Ǉǈǉ', 'ǈ'],
    ['Ǌǋǌ', 'ǋ'],
    ['Ǳǲǳ', 'ǲ'],
    ['ŉ', 'ʼN'],
  ].flatMap(([letters = '', title = '']) => [...letters].map((letter) => [letter, title] as const)),
);

/** Georgian has capitals but does not begin words with them. */
const GEORGIAN = /^[\u10d0-\u10fa\u10fd-\u10ff]$/;

const IOTA = '\u0399';

/** `ᾳ` has the title form `ᾼ`; its capital form writes the iota beside it. */
function withIotaBelow(letter: string, capital: string): string {
  const point = letter.codePointAt(0) as number;
  if (point <= 0x1faf) return String.fromCodePoint(point | 8);
  if ((point & 15) === 3) return String.fromCodePoint(point + 9);
  return (point & 15) === 12 ? letter : `${capital}\u0345`;
}

import { describe, expect, it } from 'vitest';
import { Path } from '../../base/path.ts';
import type { Budget } from '../../form/budget.ts';
import { FqlError } from '../../errors/fql-error.ts';
import { compileRegex, findMatches, quoteRegex, type Regex, replaceMatches } from './java-regex.ts';

const freely = { spent: () => undefined, characters: 0 } as unknown as Budget;

function regexOf(pattern: string): Regex {
  const regex = compileRegex(pattern);
  if (regex === null) throw new Error(`refused: ${pattern}`);
  return regex;
}

/** Matches as `start-end`, with their groups behind colons. */
async function find(pattern: string, text: string): Promise<string> {
  const matches = await findMatches(regexOf(pattern), text, 1024, freely);
  return matches.map(({ start, end, groups }) => [`${start}-${end}`, ...groups.slice(1).map((group) => group ?? 'null')].join(':')).join(' ');
}

// All expected values below are what java.util.regex of JDK 17 answers.

describe('matching', () => {
  it.each([
    ['a|b*', 'abba', '0-1 1-3 3-4 4-4'],
    ['^|man', 'a man', '0-0 2-5'],
    ['(a)|b', 'ab', '0-1:a 1-2:null'],
    // Groups keep their text over the rounds of a loop, unlike in JavaScript.
    ['(?:(a)|b)*', 'ab', '0-2:a 2-2:null'],
    ['(a+)+b', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac', ''],
    ['a++a', 'aaa', ''],
    ['(?>a|ab)c', 'abc', ''],
    ['(a|ab){2}+', 'aba', ''],
    ['a{2}{3}', 'aa', '0-2'],
    ['(\\w)\\1', 'hello', '2-4:l'],
    ['(?<first>a)\\k<first>', 'aa', '0-2:a'],
    ['\\1(a)', 'aa', ''],
    ['(a)(b)\\11', 'aba1', '0-4:a:b'],
    ['x*', '😀', '0-0 1-1 2-2'],
    ['[^x]*?', '😀', '0-0 1-1 2-2'],
    ['.', '😀', '0-2'],
    ['\\x{1F600}|\\ud83d\\ude01', '😀😁', '0-2 2-4'],
    ['\\X', 'e\u0301a', '0-2 2-3'],
    ['\\R', 'a\r\nb\n', '1-3 4-5'],
  ])('%s in %j finds %j', async (pattern, text, found) => {
    expect(await find(pattern, text)).toBe(found);
  });
});

describe('places', () => {
  it.each([
    ['a$', 'a\n', '0-1'],
    ['a$', 'a\nb', ''],
    ['(?m)a$', 'a\r\nb', '0-1'],
    ['(?m)^', 'a\nb\n', '0-0 2-2'],
    ['(?m)^', '', ''],
    ['a\\z', 'a\n', ''],
    ['a\\Z', 'a\r\n', '0-1'],
    ['(?d).+', 'a\rb', '0-3'],
    ['\\Ga', 'aab', '0-1 1-2'],
    // Words of `\b` know letters of any script, `\w` does not.
    ['\\b\\w', 'éa', ''],
    ['(?U)\\w+', 'été', '0-3'],
    ['(?<=a{1,2})b', 'aab', '2-3'],
    ['(?<=a*)b', 'aab', '2-3'],
    ['(?<!a)b', 'abb', '2-3'],
    ['a(?!b)', 'abac', '2-3'],
  ])('%s in %j finds %j', async (pattern, text, found) => {
    expect(await find(pattern, text)).toBe(found);
  });
});

describe('classes', () => {
  it.each([
    ['[a-z&&[^aeiou]]+', 'hello', '0-1 2-4'],
    ['[a-c[x-z]]+', 'axd', '0-2'],
    ['[^a&&b]', 'c', '0-1'],
    ['[]a]+', ']a', '0-2'],
    ['[\\Q^-]\\E]+', '^-]', '0-3'],
    ['\\p{Lu}\\p{javaLowerCase}', 'Éa', '0-2'],
    ['\\p{IsGreek}+', 'aλό', '1-3'],
    ['\\p{InGreekAndCoptic}', 'λ', '0-1'],
    ['\\p{InCyrillic}', 'λ', ''],
    ['\\p{InArabicExtended-A}+', '\u089f\u08a0\u08ff\u0900', '1-3'],
    ['\\p{InTags}+', '\u{dffff}\u{e0000}\u{e007f}\u{e0080}', '2-6'],
    ['\\p{InSupplementaryPrivateUseAreaB}+', '\u{fffff}\u{100000}\u{10ffff}', '2-6'],
    ['\\p{Alpha}', 'é', ''],
    ['[\\h\\v]+', ' \t\n', '0-3'],
    ['[\\x41-\\x43]', 'B', '0-1'],
  ])('%s in %j finds %j', async (pattern, text, found) => {
    expect(await find(pattern, text)).toBe(found);
  });
});

describe('flags', () => {
  it.each([
    ['(?i)ab', 'aB', '0-2'],
    ['(?i)é', 'É', ''],
    ['(?iu)é', 'É', '0-1'],
    ['(?i:a)b', 'AB', ''],
    ['(a(?i)b)c', 'aBC', ''],
    ['(?x) a b # then nothing', 'ab', '0-2'],
    ['(?s).', '\n', '0-1'],
    ['(?i)\\p{Lower}', 'A', '0-1'],
    ['(?iU)\\p{Lower}', 'É', '0-1'],
    // The POSIX names mean all of Unicode behind `Is`.
    ['\\p{IsAlnum}+', '-é٣-', '1-3'],
    ['\\p{IsDigit}\\p{IsPunct}\\p{IsBlank}\\p{IsGraph}', '٣¡\u3000λ', '0-4'],
    ['\\p{IsPunct}', '$', ''],
    ['(?i)\\p{IsUpper}', 'é', '0-1'],
  ])('%s in %j finds %j', async (pattern, text, found) => {
    expect(await find(pattern, text)).toBe(found);
  });
});

describe('refused patterns', () => {
  it.each([
    '{', 'x{', 'x{a}', 'a{2,1}', 'a{,3}', 'a{99999999999}', 'a**', '*', '?a', '(', 'a)', '[', '[]', '[b-a]', '[a-\\d]', '\\', '\\i',
    '\\0', '\\08', '\\x4', '\\u12', '\\k<n>', '\\p{Foo}', '\\p{', '(?<1>a)', '(?<n>a)(?<n>b)', '(?z)a', '(?<=(?:a|b){1,3})c', '(?<=xa*?)b',
  ])('%s', (pattern) => {
    expect(compileRegex(pattern)).toBeNull();
  });
});

describe('budget', () => {
  it('is asked again and again while a pattern takes exponential time', () => {
    let steps = 0;
    const strict = {
      spent: () => {
        if (++steps === 50) throw new Error('out of time');
      },
    } as unknown as Budget;
    expect(() => findMatches(regexOf('((a+)+)+b'), 'a'.repeat(60), 1, strict)).toThrow('out of time');
  });

  it('goes on after a pause', async () => {
    const pausing = { spent: () => Promise.resolve() } as unknown as Budget;
    const found = await findMatches(regexOf('(?:a|b)*c'), `${'ab'.repeat(5000)}c`, 1, pausing);
    expect(found.map(({ start, end }) => [start, end])).toEqual([[0, 10_001]]);
  });
});

describe('what takes long counts as much', () => {
  /** Steps of the budget, of a thousand instructions each, for a search in a text of so many characters. */
  async function stepsOf(pattern: string, text: string): Promise<number> {
    let spent = 0;
    const counting = { spent: ({ steps }: { steps: number }) => void (spent += steps) } as unknown as Budget;
    await findMatches(regexOf(pattern), text, 1, counting);
    return spent;
  }

  const MARK = '\u0301';
  it.each([
    ['a run too short, read anew at every place', 'a{1000000000}', 'a', 2000],
    ['a run in an atomic group', '(?>a+)+b', 'a', 2000],
    ['a possessive run', '[^b]*+c', 'a', 2000],
    ['clusters of many characters', '\\Xb', MARK, 2000],
    ['boundaries of clusters', '\\b{g}b', 'a', 500],
    ['boundaries of words made of marks', '\\bq', MARK, 500],
    ['a group taken once more', '(a+)\\1b', 'a', 100],
    ['looking back', '(?<=a{1,1000000}b)a', 'a', 100],
  ])('%s', async (_what, pattern, character, length) => {
    const [short, long] = await Promise.all([stepsOf(pattern, character.repeat(length)), stepsOf(pattern, character.repeat(4 * length))]);
    // The text is four times as long, and read four times as often.
    expect(long / short).toBeGreaterThan(8);
  });

  it('many groups, each time one is entered', async () => {
    const [few = 0, many = 0] = await Promise.all([100, 1000].map((groups) => stepsOf(`(?:${'(x)?'.repeat(groups)}a)*b`, 'a'.repeat(20))));
    expect(many / few).toBeGreaterThan(20);
  });

  it('looking back for a billion characters ends at the beginning', async () => {
    expect(await find('(?<=a{1000000000})b', 'ab')).toBe('');
  });
});

describe('replacement', () => {
  const replace = (pattern: string, text: string, replacement: string, most = Infinity): string =>
    replaceMatches(regexOf(pattern), text, replacement, most, freely, Path.root) as string;

  it.each([
    ['(a)(b)', '$2$1', 'xabx', 'xbax'],
    ['(?<n>a)', '<${n}>', 'a', '<a>'],
    ['a', '\\$1\\\\', 'a', '$1\\'],
    ['(a)', '$11', 'a', 'a1'],
    ['(a)|b', '[$1]', 'ab', '[a][]'],
  ])('%s by %s in %s gives %s', (pattern, replacement, text, result) => {
    expect(replace(pattern, text, replacement)).toBe(result);
  });

  it.each(['$', '$x', '${', '${1}', '${n}', '$2', '\\'])('cannot be %s, where there is something to replace', (replacement) => {
    expect(() => replace('(a)', 'a', replacement)).toThrow(FqlError);
    expect(replace('(a)', 'b', replacement)).toBe('b');
  });

  it('of more pieces than are joined at once gives the same', () => {
    const text = 'ab'.repeat(5000);
    expect(replace('a', text, '<$0>')).toBe('<a>b'.repeat(5000));
    expect(replace('a', text, 'c', 2)).toBe(`cbcb${'ab'.repeat(4998)}`);
  });

  it('is refused before more is put together than may be', () => {
    expect(() => replace('a+', 'a'.repeat(1000), '$0'.repeat(70_000))).toThrow(expect.objectContaining({ description: 'String length (67109000) exceeds threshold (67108864)' }));
  });

  it('quotes text', async () => {
    const text = 'a.b\\Ec';
    expect(quoteRegex('a.b')).toBe('\\Qa.b\\E');
    expect(await find(quoteRegex(text), `x${text}`)).toBe('1-7');
  });
});

describe('patterns compiled lately', () => {
  // Of this test alone, whatever others have left.
  const pattern = (name: string, length = 0): string => `${name}kept${'x'.repeat(length)}`;

  it('are kept, 64 of them, and give way one by one', () => {
    const first = compileRegex(pattern('first'));
    const second = compileRegex(pattern('second'));
    for (let n = 0; n < 62; n++) compileRegex(pattern(`${n}`));
    expect(compileRegex(pattern('first'))).toBe(first);
    compileRegex(pattern('another'));
    expect(compileRegex(pattern('second'))).toBe(second);
    expect(compileRegex(pattern('first'))).not.toBe(first);
  });

  it('are kept up to 100,000 characters, or one that is longer', () => {
    const short = compileRegex(pattern('short'));
    const long = compileRegex(pattern('long', 90_000));
    expect([compileRegex(pattern('short')), compileRegex(pattern('long', 90_000))].map((one, at) => one === [short, long][at])).toEqual([true, true]);
    const longer = compileRegex(pattern('longer', 110_000));
    expect(compileRegex(pattern('longer', 110_000)) === longer).toBe(true);
    expect(compileRegex(pattern('long', 90_000)) === long).toBe(false);
    expect(compileRegex(pattern('longer', 110_000)) === longer).toBe(false);
    // What has given way takes no room.
    const one = compileRegex(pattern('one'));
    compileRegex(pattern('other'));
    expect(compileRegex(pattern('one'))).toBe(one);
  });
});

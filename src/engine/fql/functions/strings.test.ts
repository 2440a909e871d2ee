import { describe, expect, it } from 'vitest';
import { Path } from '../../base/path.ts';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import { readJson, writeJson } from '../../value/json.ts';
import { NATIVE, Ref, ROOT_SCOPE } from '../../value/ref.ts';
import { WIRE_VERSIONS } from '../../wire/version.ts';
import { format } from './format.ts';
import { strings } from './strings.ts';

const ctx = stubContext({ catalog: { scope: 0n, definition: () => null } as never });
const run = (query: string) => runForm(strings, query, ctx);

describe('examples', () => {
  it.each(strings.flatMap((form) => form.examples))('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(writeJson(readJson(result)));
  });
});

describe('values', () => {
  it.each([
    ['{"concat": []}', '""'],
    ['{"concat": "5"}', '"5"'],
    ['{"casefold": "φιλόσοφος"}', '"φιλόσοφοσ"'],
    ['{"casefold": ["İstanbul", "Diyarbakır"]}', '["i̇stanbul","diyarbakır"]'],
    ['{"casefold": ["A"]}', '"a"'],
    ['{"casefold": []}', '[]'],
    ['{"casefold": "É", "normalizer": "NFD"}', '"E\u0301"'],
    ['{"findstr": "", "find": ""}', '0'],
    ['{"findstr": "ABC", "find": "A", "start": 1}', '-1'],
    ['{"findstr": "ABC", "find": "A", "start": 3}', '0'],
    ['{"findstr": "😀 ABC 😀 ABC", "find": "ABC", "start": 3}', '8'],
    ['{"findstr": "😀😀a", "find": "a", "start": 4}', '-1'],
    ['{"length": ""}', '0'],
    ['{"lowercase": "ΦΙΛΟΣ"}', '"φιλος"'],
    ['{"uppercase": "straße"}', '"STRASSE"'],
    ['{"ltrim": "\\u1680\\u001fa"}', '"a"'],
    // No-break spaces are not white space to Java.
    ['{"trim": "\\u00a0a\\ufeff "}', '"\u00a0a\ufeff"'],
    ['{"rtrim": "a\\t\\n\\u3000"}', '"a"'],
    ['{"trim": "  "}', '""'],
    ['{"ngram": "apple"}', '["a","ap","p","pp","p","pl","l","le","e"]'],
    ['{"ngram": "apple", "min": 5, "max": 6}', '["apple"]'],
    ['{"ngram": "ab", "min": 2}', '["ab"]'],
    ['{"ngram": ["😀a", 7]}', '["😀","😀a","a",7]'],
    ['{"repeat": "a", "number": 0}', '""'],
    ['{"repeat": "a", "number": -5}', '""'],
    ['{"length": {"repeat": "ab", "number": 5000}}', '2048'],
    ['{"length": {"space": 5000}}', '1024'],
    ['{"space": -10}', '""'],
    ['{"replacestr": "One Fis? Two", "find": "Fis?", "replace": "$&"}', '"One $& Two"'],
    ['{"replacestr": "ab", "find": "", "replace": "-"}', '"-a-b-"'],
    ['{"substring": "ABC"}', '"ABC"'],
    ['{"substring": "ABCDE", "start": 5, "length": 2}', '""'],
    ['{"substring": "DEFABCHIJ", "start": -6, "length": 3}', '"ABC"'],
    ['{"substring": "😀 ABC 😀", "start": 2, "length": 3}', '"ABC"'],
    ['{"substring": "ABC", "start": 1, "length": 9223372036854775807}', '"BC"'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });
});

describe('title case', () => {
  it.each([
    ['Bob f smith BILL WALSH', 'Bob F Smith Bill Walsh'],
    ["don't o'neil’s", "Don't O'neil’s"],
    ['foo-bar foo_bar foo.bar', 'Foo-Bar Foo_bar Foo.bar'],
    ['3rd (second) "third"', '3rd (Second) "Third"'],
    ['ßtraße ﬁnal ǆ', 'Sstraße Final ǅ'],
    ['ΟΔΥΣΣΕΥΣ ένας', 'Οδυσσευς Ένας'],
    ['ქართული', 'ქართული'],
    ['aloha ʻohana OʻAHU', 'Aloha ʻOhana Oʻahu'],
    ['\u02bcboom ᵃbc', '\u02bcBoom ᵃbc'],
    ['chapter:one a\u200bb', 'Chapter:One A\u200bB'],
    ['한국kbs ไทยTV 東京dome', '한국Kbs ไทยtv 東京Dome'],
  ])('%s is %s', async (text, result) => {
    expect(await run(`{"titlecase": ${JSON.stringify(text)}}`)).toBe(JSON.stringify(result));
  });
});

describe('patterns', () => {
  it.each([
    ['{"containsstrregex": "One 2\\n3 Four", "pattern": "2$"}', 'false'],
    ['{"containsstrregex": "One 2\\n3 Four", "pattern": "(?m)2$"}', 'true'],
    ['{"findstrregex": "One Fish Two fish", "pattern": "[fF]ish", "start": 9}', '[{"start":13,"end":16,"data":"fish"}]'],
    ['{"findstrregex": "aab", "pattern": "^a", "start": 1}', '[{"start":1,"end":1,"data":"a"}]'],
    ['{"findstrregex": "aaa", "pattern": "a", "num_results": 2}', '[{"start":0,"end":0,"data":"a"},{"start":1,"end":1,"data":"a"}]'],
    ['{"findstrregex": "aaa", "pattern": "a", "num_results": 0}', '[]'],
    ['{"findstrregex": "a man", "pattern": "^|man"}', '[{"start":0,"end":0,"data":""},{"start":2,"end":4,"data":"man"}]'],
    ['{"findstrregex": "😀 ABC 😀 ABc", "pattern": "AB[cC]"}', '[{"start":2,"end":4,"data":"ABC"},{"start":8,"end":10,"data":"ABc"}]'],
    ['{"replacestrregex": "1 Cat 2 Cap 3 cam", "pattern": "[cC]a.", "replace": "FISH", "first": true}', '"1 FISH 2 Cap 3 cam"'],
    ['{"replacestrregex": "One Car", "pattern": "\\\\s", "replace": ""}', '"OneCar"'],
    ['{"replacestrregex": "abc", "pattern": "x", "replace": "$9"}', '"abc"'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('finds 1024 matches at most', async () => {
    const found = readJson(await run(`{"findstrregex": "${'a'.repeat(1500)}", "pattern": "a"}`));
    expect(found).toHaveLength(1024);
  });
});

// From the reference's own tests and from java.util.Formatter.
describe('format', () => {
  it.each([
    ['{"format": "%s %s %s %s", "values": ["str", true, false, null]}', '"str true false null"'],
    ['{"format": "%d %o %x %X", "values": [15, 15, 15, 255]}', '"15 17 f FF"'],
    ['{"format": "%e %f %g", "values": [3.14, 3.14, 3.14]}', '"3.140000e+00 3.140000 3.14000"'],
    ['{"format": "%e %.0e %.2E", "values": [5e-324, 5e-324, 1e-323]}', '"4.900000e-324 5e-324 9.90E-324"'],
    ['{"format": "%b %b %b %B", "values": [true, 3.14, null, false]}', '"true true false FALSE"'],
    ['{"format": "%20s|%-20d|%08.3f", "values": ["str", 10, 3.14159]}', '"                 str|10                  |0003.142"'],
    ['{"format": "%+d %(d %,d % d", "values": [10, -10, 1234567, 5]}', '"+10 (10) 1,234,567  5"'],
    ['{"format": "%2$s%3$s %1$s", "values": ["rocks", "Fauna", "DB"]}', '"FaunaDB rocks"'],
    ['{"format": "%% %n", "values": []}', '"% \\n"'],
    ['{"format": "%x %#o", "values": [-1, 8]}', '"ffffffffffffffff 010"'],
    ['{"format": "%.1f %.0f %.3f", "values": [0.15, 2.5, 1e-10]}', '"0.2 3 0.000"'],
    ['{"format": "%g %g", "values": [0.00001, 1234567.0]}', '"1.00000e-05 1.23457e+06"'],
    ['{"format": "%@", "values": {"object": {"x": 10, "y": 3.14, "z": ["str"]}}}', '"{\\"x\\":10,\\"y\\":3.14,\\"z\\":[\\"str\\"]}"'],
    ['{"format": "%tB %Tb %ta %tC %ty %tj %tD %tF", "values": [' + Array(8).fill('{"@date": "1970-03-01"}').join(', ') + ']}', '"March MAR Sun 19 70 060 03/01/70 1970-03-01"'],
    ['{"format": "%t %s", "values": [{"@date": "1970-03-01"}, {"@ts": "1970-03-01T15:30:45.123456789Z"}]}', '"1970-03-01 1970-03-01T15:30:45.123456789Z"'],
    ['{"format": "%1$tH %1$tI %1$tL %1$tN %1$tp %1$ts %1$tQ %1$tz %1$tZ %1$tr %1$tc", "values": {"@ts": "1970-03-01T15:30:45.123456789Z"}}', '"15 03 123 123456789 pm 5153445 5153445123 +0000 Z 03:30:45 PM Sun Mar 01 15:30:45 Z 1970"'],
  ])('%s is %s', async (query, result) => {
    expect(await run(query)).toBe(result);
  });

  it('shows refs as of 2.1 by %@ and as of the query by %^', () => {
    const old = { ...ctx, wire: WIRE_VERSIONS['2.0'] };
    const values = Array(2).fill(new Ref(NATIVE.collections, BigInt(NATIVE.indexes), ROOT_SCOPE));
    expect(format.code.run({ format: '%@ %^', values } as never, old, Path.root)).toBe('{"@ref":{"id":"indexes"}} {"@ref":"indexes"}');
  });
});

describe('errors', () => {
  it.each([
    ['{"concat": ["4", "2"], "separator": 5}', 'String expected, Integer provided. @ separator'],
    ['{"concat": [5]}', 'String expected, Integer provided. @ concat.0'],
    ['{"casefold": "a", "normalizer": "x"}', "String 'NFKCCaseFold', 'NFC', 'NFD', 'NFKC', or 'NFKD' expected, String provided. @ normalizer"],
    ['{"casefold": [["a"]]}', 'Scalar expected, Array provided. @ casefold.0'],
    ['{"findstr": "ABC", "find": 7}', 'String expected, Integer provided. @ find'],
    ['{"containsstrregex": "", "pattern": "{"}', 'Search pattern /{/ is not a valid regular expression. @ pattern'],
    ['{"containsstrregex": "", "pattern": 1}', 'String expected, Integer provided. @ pattern'],
    ['{"replacestrregex": "a", "pattern": "a", "replace": "$1"}', "Replacement '$1' is not valid for the search pattern. @ replace"],
    ['{"substring": "ABCDE", "start": 6}', 'start must be less than or equal to the string length @ '],
    ['{"substring": "ABCDE", "start": -6}', 'start must be less than or equal to the string length @ '],
    ['{"substring": "ABCDE", "length": -1}', 'length must be positive @ '],
    ['{"space": "Hello"}', 'Integer expected, String provided. @ space'],
    ['{"format": "%Z", "values": ""}', "Invalid conversion format '%Z'. @ format"],
    ['{"format": "a %", "values": ""}', "Invalid conversion format '%'. @ format"],
    ['{"format": "% s", "values": ""}', "Invalid conversion format '% s'. @ format"],
    ['{"format": "%1$-s", "values": ""}', "Invalid conversion format '%-s'. @ format"],
    ['{"format": "%.2d", "values": 1}', "Invalid conversion format '%.2d'. @ format"],
    ['{"format": "%t", "values": 10}', 'Date or Time expected, Integer provided. @ values.0'],
    ['{"format": "%tH", "values": {"@date": "1970-03-01"}}', "Invalid date/time suffix '%tH'. @ values.0"],
    ['{"format": "%d", "values": 1.0}', 'Integer expected, Double provided. @ values.0'],
    ['{"format": "%s %f", "values": ["a", 1]}', 'Number expected, Integer provided. @ values.1'],
    ['{"format": "%s", "values": [[1]]}', 'Cannot cast Array to String. @ values.0'],
    ['{"format": "%d %d", "values": 10}', 'format specifiers count must be <= arguments size @ format'],
    ['{"format": "%4$d", "values": 10}', 'index must be >= 1 and <= arguments size @ format'],
    ['{"format": "%999999999d", "values": 10}', "Invalid conversion format '%999999999d'. @ format"],
  ])('%s fails: %s', async (query, error) => {
    expect(await run(query)).toBe(`invalid argument: ${error}`);
  });

  it.each([
    ['"min": 0', ['min ngram size must be > 0 and <= max', 'min ngram size must be >= max - 1']],
    ['"min": 3', ['min ngram size must be > 0 and <= max']],
    ['"max": 1', ['max ngram size must be > 0 and >= min']],
    ['"max": 3', ['max ngram size must be <= min + 1']],
    ['"min": 1, "max": 0', ['min ngram size must be > 0 and <= max', 'max ngram size must be > 0']],
    ['"min": 20, "max": 22', ['max ngram size must be <= min + 1']],
  ])('n-grams with %s fail', async (sizes, texts) => {
    expect(await run(`{"ngram": "a", ${sizes}}`)).toBe(texts.map((text) => `invalid argument: ${text} @ `).join('; '));
  });
});

describe('limits', () => {
  it('refuses to multiply strings without end', async () => {
    const kilobytes = '{"repeat": {"repeat": {"repeat": "abcd", "number": 1024}, "number": 1024}, "number": 1024}';
    await expect(run(kilobytes)).rejects.toThrow('String length (4294967296) exceeds threshold (67108864)');
  });
});

describe('strings that repeat themselves', () => {
  // What is sought is longer than the platform's own search copes with.
  const [text, find] = [`${'a'.repeat(40_000)}b${'a'.repeat(300)}`, `b${'a'.repeat(300)}`];
  const long = (query: string): Promise<string> => runForm(strings, query, ctx, { text, find, none: 'a'.repeat(300) + 'bb' });

  it.each([
    ['{"findstr": {"var": "text"}, "find": {"var": "find"}}', '40000'],
    ['{"findstr": {"var": "text"}, "find": {"var": "find"}, "start": 40001}', '-1'],
    ['{"findstr": {"var": "text"}, "find": {"var": "none"}}', '-1'],
    ['{"containsstr": {"var": "text"}, "search": {"var": "find"}}', 'true'],
    ['{"containsstr": {"var": "text"}, "search": {"var": "none"}}', 'false'],
    ['{"length": {"replacestr": {"var": "text"}, "find": {"var": "find"}, "replace": "c"}}', '40001'],
  ])('%s is %s', async (query, result) => {
    expect(await long(query)).toBe(result);
  });
});

it.each(strings.filter(({ keys }) => ['concat', 'casefold', 'lowercase', 'uppercase', 'titlecase', 'regexescape', 'repeat', 'replacestr', 'replacestrregex', 'format', 'ngram'].includes(keys[0] ?? '')).map((form) => [form.keys[0], form.examples[0]?.[0] ?? '']))(
  '%s counts the characters it makes',
  async (_name, query) => {
    const counted = stubContext({ catalog: { scope: 0n, definition: () => null } as never });
    await runForm(strings, query, counted);
    expect(counted.budget.characters).toBeGreaterThan(0);
  },
);

it('all strings of a request may have 2³⁰ characters together', async () => {
  const spent = stubContext();
  spent.budget.characters = 2 ** 30 - 4;
  expect(await runForm(strings, '{"repeat": "ab"}', spent)).toBe('"abab"');
  await expect(runForm(strings, '{"repeat": "", "number": 1}', spent)).resolves.toBe('""');
  await expect(runForm(strings, '{"concat": "a"}', spent)).rejects.toMatchObject({ code: 'bad request', description: 'Total length of strings (1073741825) exceeds threshold (1073741824)' });
});

it.each(['NFC', 'NFD', 'NFKC', 'NFKD', 'NFKCCaseFold'])('marks in a row are brought into order a thousand at a time: %s', async (normalizer) => {
  const text = '\u0301\u0323'.repeat(1000);
  const ordered = `${'\u0323'.repeat(500)}${'\u0301'.repeat(500)}`;
  expect(await run(`{"casefold": "${text}", "normalizer": "${normalizer}"}`)).toBe(`"${ordered}${ordered}"`);
});

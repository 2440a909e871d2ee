// Strings (reference: fql/functions.md §11).
import { badArgument, type Cases } from '../cases.ts';

export const strings: Cases = {
  Concat: [
    [(q) => [q.Concat(['Hen', 'Wen']), q.Concat(['Hen', 'Wen'], ' '), q.Concat([]), q.Concat('one')], ['HenWen', 'Hen Wen', '', 'one']],
    [(q) => q.Concat(['a', 1]), badArgument('String expected, Integer provided.', 'concat', 1)],
  ],
  Casefold: [
    [(q) => [q.Casefold('Hen Wen'), q.Casefold('Straße'), q.Casefold(['A', 1])], ['hen wen', 'strasse', ['a', 1]]],
    [(q) => [q.Casefold('Å', 'NFD'), q.Casefold('A\u030a', 'NFC'), q.Casefold('ﬁ', 'NFKC'), q.Casefold('ﬁÅ', 'NFKD')], ['A\u030a', 'Å', 'fi', 'fiA\u030a'], { from: '2.0.0' }],
    [(q) => q.Casefold('x', 'none'), badArgument("String 'NFKCCaseFold', 'NFC', 'NFD', 'NFKC', or 'NFKD' expected, String provided.", 'normalizer'), { from: '2.0.0' }],
  ],
  ContainsStr: [
    [(q) => [q.ContainsStr('Hen Wen', 'n W'), q.ContainsStr('Hen Wen', 'x')], [true, false]],
    [(q) => q.ContainsStr(1, ''), badArgument('String expected, Integer provided.', 'containsstr')],
  ],
  ContainsStrRegex: [
    [(q) => [q.ContainsStrRegex('Hen Wen', 'H\\w+ W'), q.ContainsStrRegex('Hen Wen', '^W')], [true, false]],
    [(q) => q.ContainsStrRegex('', '('), badArgument('Search pattern /(/ is not a valid regular expression.', 'pattern')],
  ],
  StartsWith: [[(q) => [q.StartsWith('Hen Wen', 'Hen'), q.StartsWith('Hen Wen', 'Wen')], [true, false]]],
  EndsWith: [[(q) => [q.EndsWith('Hen Wen', 'Wen'), q.EndsWith('Hen Wen', 'Hen')], [true, false]]],
  FindStr: [[(q) => [q.FindStr('Hen Wen', 'en'), q.FindStr('Hen Wen', 'en', 2), q.FindStr('Hen Wen', 'x')], [1, 5, -1]]],
  FindStrRegex: [
    [(q) => q.FindStrRegex('Hen Wen', '[A-Z]en'), [{ start: 0, end: 2, data: 'Hen' }, { start: 4, end: 6, data: 'Wen' }]],
    [(q) => q.FindStrRegex('Hen Wen', '[A-Z]en', 1), [{ start: 4, end: 6, data: 'Wen' }]],
    [(q) => q.FindStrRegex('Hen Wen', '.', 0, 1), [{ start: 0, end: 0, data: 'H' }]],
    [(q) => q.FindStrRegex('Hen Wen', '*'), badArgument('Search pattern /*/ is not a valid regular expression.', 'pattern')],
  ],
  Length: [[(q) => [q.Length(''), q.Length('é😀')], [0, 2]]],
  LowerCase: [[(q) => q.LowerCase('HEN Ärger'), 'hen ärger']],
  UpperCase: [[(q) => q.UpperCase('hen straße'), 'HEN STRASSE']],
  TitleCase: [[(q) => q.TitleCase('hEN wEN'), 'Hen Wen']],
  LTrim: [[(q) => q.LTrim('\n a '), 'a ']],
  RTrim: [[(q) => q.RTrim(' a \t'), ' a']],
  Trim: [[(q) => q.Trim(' a b\u00a0 '), 'a b\u00a0']],
  NGram: [
    [(q) => q.NGram('hen'), ['h', 'he', 'e', 'en', 'n']],
    [(q) => q.NGram('hen', 2, 3), ['he', 'hen', 'en']],
    [(q) => q.NGram(['ab', 'c'], 1, 1), ['a', 'b', 'c']],
  ],
  Repeat: [[(q) => [q.Repeat('ab'), q.Repeat('ab', 3), q.Repeat('ab', 0)], ['abab', 'ababab', '']]],
  Space: [[(q) => [q.Space(3), q.Space(-1)], ['   ', '']]],
  ReplaceStr: [[(q) => [q.ReplaceStr('a.b.c', '.', '-'), q.ReplaceStr('abc', 'x', 'y')], ['a-b-c', 'abc']]],
  ReplaceStrRegex: [
    [(q) => [q.ReplaceStrRegex('Hen Wen', '(.)en', '$1an'), q.ReplaceStrRegex('Hen Wen', 'en', 'an', true)], ['Han Wan', 'Han Wen']],
  ],
  RegexEscape: [
    [(q) => q.RegexEscape('a.b'), '\\Qa.b\\E'],
    [(q) => [q.ContainsStrRegex('a.b', q.RegexEscape('.')), q.ContainsStrRegex('ab', q.RegexEscape('.'))], [true, false]],
  ],
  SubString: [
    [(q) => [q.SubString('ABCDEF', 1, 2), q.SubString('ABCDEF', -3), q.SubString('ABC'), q.SubString('ABC', 3)], ['BC', 'DEF', 'ABC', '']],
    [(q) => q.SubString('ABC', 4), badArgument('start must be less than or equal to the string length')],
  ],
  Format: [
    [(q) => q.Format('%3$s%1$s %2$s', 'DB', 'rocks', 'Fauna'), 'FaunaDB rocks'],
    [(q) => q.Format('%d %05d %.2f %s %%', 34, 7, 3.14159, true), '34 00007 3.14 true %'],
    [(q) => q.Format('plain'), 'plain'],
    [(q) => q.Format('%s'), badArgument('format specifiers count must be <= arguments size', 'format')],
    [(q) => q.Format('%d', 'x'), badArgument('Integer expected, String provided.', 'values', 0)],
  ],
};

// `format` (reference: fql/functions.md §11); the printing is in `text/format-values`.
import { andThen } from '../../base/maybe.ts';
import { any, string, zeroOrMore } from '../../form/casts.ts';
import { form } from '../../form/form.ts';
import { textLibrary } from '../text/lazy.ts';

export const format = form({
  params: { format: string, values: zeroOrMore(any) },
  effect: 'pure',
  source: 'functions.md §11; ast/functions/StringFunctions',
  summary: 'Values printed into a text, in the notation of printf; `%t` prints dates and times, `%@` any value as JSON.',
  examples: [
    ['{"format": "%s has %d gold and %.2f silver", "values": ["Ada", 3, 1.255]}', '"Ada has 3 gold and 1.26 silver"'],
    ['{"format": "%2$s %1$s", "values": ["a", "b"]}', '"b a"'],
    ['{"format": "%tY", "values": {"@date": "2024-05-06"}}', '"2024"'],
  ],
  run: ({ format: text, values }, ctx, at) => andThen(textLibrary(), ({ formatValues }) => formatValues(text, values, ctx, at)),
});

// Functions that search by regular expression (reference: fql/functions.md §11).
import { andThen, type MaybePromise } from '../../base/maybe.ts';
import { invalidRegex } from '../../errors/codes.ts';
import { boolean, type Cast, integer, optional, string } from '../../form/casts.ts';
import { type Form, form } from '../../form/form.ts';
import { offsetOfPoint } from '../text/code-points.ts';
import type { Regex } from '../text/java-regex.ts';
import { textLibrary } from '../text/lazy.ts';

const SOURCE = 'functions.md §11; ast/functions/StringFunctions';

/** Compiled where it is read: a bad pattern is reported before the arguments after it are evaluated. */
const regex: Cast<MaybePromise<Regex>> = {
  names: string.names,
  read(value, at) {
    const pattern = string.read(value, at);
    return andThen(textLibrary(), ({ compileRegex }) => {
      const compiled = compileRegex(pattern);
      if (compiled === null) throw invalidRegex(at, pattern);
      return compiled;
    });
  },
};

/** Matches that `findstrregex` gives at most. */
const MAX_RESULTS = 1024n;

export const patterns: readonly Form[] = [
  form({
    params: { containsstrregex: string, pattern: regex },
    effect: 'pure',
    source: SOURCE,
    summary: 'Whether a regular expression matches anywhere in a string.',
    examples: [['{"containsstrregex": "Fireball", "pattern": "^F.*l$"}', 'true']],
    run: ({ containsstrregex: text, pattern }, { budget }) =>
      andThen(textLibrary(), ({ findMatches }) => andThen(findMatches(pattern, text, 1, budget), ({ length }) => length > 0)),
  }),
  form({
    params: { findstrregex: string, pattern: regex, start: optional(integer), num_results: optional(integer) },
    effect: 'pure',
    source: SOURCE,
    summary: 'Where a regular expression matches in a string, from a position on; 1024 matches at most.',
    examples: [
      [
        '{"findstrregex": "One Fish Two fish", "pattern": "[fF]ish"}',
        '[{"start":4,"end":7,"data":"Fish"},{"start":13,"end":16,"data":"fish"}]',
      ],
    ],
    run: ({ findstrregex, pattern, start = 0n, num_results = MAX_RESULTS }, ctx) => {
      const offset = start > 0n && start < BigInt(findstrregex.length) ? Number(start) : 0;
      // The text before is cut off rather than skipped: `^` matches where the rest begins.
      const text = findstrregex.slice(offsetOfPoint(findstrregex, offset));
      const most = Number(num_results < MAX_RESULTS ? num_results : MAX_RESULTS);
      return andThen(textLibrary(), ({ describeMatches, findMatches }) =>
        andThen(findMatches(pattern, text, most, ctx.budget), (matches) => describeMatches(matches, text, offset)),
      );
    },
  }),
  form({
    params: { replacestrregex: string, pattern: regex, replace: string, first: optional(boolean) },
    effect: 'pure',
    source: SOURCE,
    summary: 'A string with every match of a regular expression replaced, or just the first; `$1` stands for a group.',
    examples: [
      ['{"replacestrregex": "One Fish Two fish", "pattern": "[fF]ish", "replace": "bird"}', '"One bird Two bird"'],
      ['{"replacestrregex": "2024-05-06", "pattern": "(\\\\d+)-(\\\\d+)-(\\\\d+)", "replace": "$3.$2.$1"}', '"06.05.2024"'],
    ],
    run: ({ replacestrregex: text, pattern, replace, first = false }, { budget }, at) =>
      andThen(textLibrary(), ({ replaceMatches }) => replaceMatches(pattern, text, replace, first ? 1 : Infinity, budget, at.at('replace'))),
  }),
];

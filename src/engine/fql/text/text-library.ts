// What `lazy` loads: nothing else may import these modules, other than their types.
export { describeMatches } from './describe-matches.ts';
export { formatValues } from './format-values.ts';
export { compileRegex, findMatches, quoteRegex, replaceMatches } from './java-regex.ts';
export { gramSizes, nGrams } from './n-grams.ts';
export { parseNumberText } from './number-text.ts';
export { indexIn, replaceAll } from './search.ts';
export { titleCase } from './title-case.ts';
export { trimEnd, trimSpace, trimStart } from './white-space.ts';

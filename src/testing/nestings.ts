// Queries as deep as the service takes them, one for each way in which a query can be deep
// (reference: fql/wire.md §5.6). Every host has to answer them, each on its own stack.

interface Nesting {
  /** Repeated around the core. */
  readonly before: string;
  readonly core: string;
  readonly after: string;
  /** Put once around all that. */
  readonly within?: readonly [before: string, after: string];
  /** What comes of it, where that is no deep value itself. */
  readonly result?: string;
}

const EMPTY_PAGE = '{"data":[]}';
const DATABASES = '{"databases":null}';

const NESTINGS: Readonly<Record<string, Nesting>> = {
  arrays: { before: '[', core: '[]', after: ']' },
  objects: { before: '{"object":{"a":', core: '1', after: '}}' },
  'wrapped objects': { before: '{"@obj":', core: '{"add":[1]}', after: '}', result: '1' },
  'quoted arrays': { before: '[', core: '[]', after: ']', within: ['{"quote":', '}'] },
  'quoted objects': { before: '{"a":', core: '1', after: '}', within: ['{"quote":', '}'] },
  sums: { before: '{"add":[', core: '1', after: ']}', result: '1' },
  conversions: { before: '{"to_string":', core: '"a"', after: '}', result: '"a"' },
  conditions: { before: '{"if":', core: 'true', after: ',"then":true,"else":false}', result: 'true' },
  branches: { before: '{"if":true,"then":', core: '1', after: ',"else":0}', result: '1' },
  disjunctions: { before: '{"or":', core: 'true', after: '}', result: 'true' },
  sequences: { before: '{"do":[0,', core: '1', after: ']}', result: '1' },
  'bodies of let': { before: '{"let":{"x":1},"in":', core: '{"var":"x"}', after: '}', result: '1' },
  'bindings of let': { before: '{"let":[{"x":', core: '1', after: '}],"in":{"var":"x"}}', result: '1' },
  times: { before: '{"at":{"now":null},"expr":', core: '1', after: '}', result: '1' },
  selections: { before: '{"select":[],"from":', core: '1', after: '}', result: '1' },
  defaults: { before: '{"select":["a"],"from":{"object":{}},"default":', core: '1', after: '}', result: '1' },
  merges: { before: '{"merge":{"object":{}},"with":', core: '{"object":{}}', after: '}', result: '{}' },
  lambdas: { before: '{"query":{"lambda":"x","expr":', core: '1', after: '}}' },
  sets: { before: '{"reverse":', core: DATABASES, after: '}' },
  'escaped sets': { before: '{"@set":{"distinct":', core: '{"@ref":"databases"}', after: '}}' },
  'pages of sets': { before: '{"distinct":', core: DATABASES, after: '}', within: ['{"paginate":', '}'], result: EMPTY_PAGE },
  'pages of unions': { before: '{"union":[', core: DATABASES, after: ',{"keys":null}]}', within: ['{"paginate":', '}'], result: EMPTY_PAGE },
  'pages of joins': {
    before: '{"join":{"databases":null},"with":{"lambda":"_","expr":', core: DATABASES, after: '}}', within: ['{"paginate":', '}'], result: EMPTY_PAGE,
  },
};

export const NESTING_NAMES: readonly string[] = Object.keys(NESTINGS);

/** Arrays and objects may nest this deep. */
const LIMIT = 1000;

/** The deepest query of its kind that fits, the first that does not, and what comes of the one that does. */
export function nestingOf(name: string): { readonly deepest: string; readonly tooDeep: string; readonly result?: string } {
  const { before, core, after, within = ['', ''], ...rest } = NESTINGS[name] as Nesting;
  const around = (times: number): string => within[0] + before.repeat(times) + core + after.repeat(times) + within[1];
  // Each repetition adds as many levels as the one before.
  const [one, two] = [depthOf(around(1)), depthOf(around(2))];
  const times = 1 + Math.floor((LIMIT - one) / (two - one));
  return { deepest: around(times), tooDeep: around(times + 1), ...rest };
}

/** Levels of arrays and objects; none of these texts has a bracket in a string. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}

export const TOO_DEEP = '{"errors":[{"position":[],"code":"invalid expression","description":"Request body JSON exceeds nesting limit."}]}';

/** The queries that make a function which calls itself as often as its argument says, from the bottom of a deep body. */
export const DEEP_FUNCTION: readonly string[] = [
  '{"create_function":{"object":{"name":"down","body":{"query":{"lambda":"n","expr":0}}}}}',
  `{"update":{"function":"down"},"params":{"object":{"body":{"query":{"lambda":"n","expr":{"if":{"lte":[{"var":"n"},1]},"then":"bottom","else":${
    '{"let":{"m":{"var":"n"}},"in":'.repeat(20)
  }{"call":"down","arguments":{"subtract":[{"var":"n"},1]}}${'}'.repeat(20)}}}}}}}`,
];

// What a value is, and what it becomes (reference: fql/functions.md §12).
import { badArgument, type Case, type Cases, date, time, type Shown } from '../cases.ts';
import type { Expr, FunctionName, Query } from '../driver.ts';

/** One value of each kind. */
const KINDS: Readonly<Record<string, (q: Query) => Expr | string | number | boolean | null>> = {
  integer: () => 1,
  double: () => 1.5,
  boolean: () => true,
  null: () => null,
  string: () => 'a',
  bytes: () => new Uint8Array([1]),
  time: (q) => q.Now(),
  date: (q) => q.Date('2020-01-01'),
  array: () => [1],
  object: () => ({ a: 1 }),
  page: (q) => q.Paginate(q.Documents(q.Collection('spells'))),
  set: (q) => q.Match(q.Index('levels')),
  lambda: (q) => q.Query(q.Lambda('x', q.Var('x'))),
  document: (q) => q.Get(q.Ref('classes/spells/1')),
  ref: (q) => q.Ref('classes/spells/1'),
  collection: (q) => q.Collection('spells'),
  database: (q) => q.Database('child'),
  index: (q) => q.Index('levels'),
  function: (q) => q.Function('double'),
  role: (q) => q.Role('reader'),
  key: (q) => q.Ref(q.Keys(), '1'),
  token: (q) => q.Ref(q.Tokens(), '1'),
  credentials: (q) => q.Ref(q.Credentials(), '1'),
  keys: (q) => q.Keys(),
};
const REFS = ['ref', 'collection', 'database', 'index', 'function', 'role', 'key', 'token', 'credentials'];

/** Asks for every kind at once, and names those of which it is true. */
const isTrueOf = (name: FunctionName, ...kinds: readonly string[]): Case => [
  async (q, { client }) => {
    const answers = await client.query<Readonly<Record<string, boolean>>>(Object.fromEntries(Object.entries(KINDS).map(([kind, value]) => [kind, q[name](value(q))])));
    return Object.keys(KINDS).filter((kind) => answers[kind] === true);
  },
  kinds,
];

const MOMENT = '2019-04-29T12:51:17.123456Z';
const part = (name: FunctionName, value: number): readonly Case[] => [
  [(q) => q[name](q.Time(MOMENT)), value],
  [(q) => q[name]('x'), (): Shown => badArgument('Time expected, String provided.', name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase())],
];

export const types: Cases = {
  IsNumber: [isTrueOf('IsNumber', 'integer', 'double')],
  IsDouble: [isTrueOf('IsDouble', 'double')],
  IsInteger: [isTrueOf('IsInteger', 'integer')],
  IsBoolean: [isTrueOf('IsBoolean', 'boolean')],
  IsNull: [isTrueOf('IsNull', 'null')],
  IsBytes: [isTrueOf('IsBytes', 'bytes')],
  IsTimestamp: [isTrueOf('IsTimestamp', 'time')],
  IsDate: [isTrueOf('IsDate', 'date')],
  IsString: [isTrueOf('IsString', 'string')],
  IsArray: [isTrueOf('IsArray', 'array')],
  IsObject: [isTrueOf('IsObject', 'object', 'page', 'document')],
  IsRef: [isTrueOf('IsRef', ...REFS, 'keys')],
  IsSet: [isTrueOf('IsSet', 'set', 'keys')],
  IsDoc: [isTrueOf('IsDoc', 'document', ...REFS, 'keys')],
  IsLambda: [isTrueOf('IsLambda', 'lambda')],
  IsCollection: [isTrueOf('IsCollection', 'collection', 'keys')],
  IsDatabase: [isTrueOf('IsDatabase', 'database')],
  IsIndex: [isTrueOf('IsIndex', 'index')],
  IsFunction: [isTrueOf('IsFunction', 'function')],
  IsKey: [isTrueOf('IsKey', 'key')],
  IsToken: [isTrueOf('IsToken', 'token')],
  IsCredentials: [isTrueOf('IsCredentials', 'credentials')],
  IsRole: [isTrueOf('IsRole', 'role')],
  ToString: [
    [(q) => [1, 1.5, 1e10, true, null, 'a', q.Date('2020-01-01'), q.Time(MOMENT)].map((value) => q.ToString(value)), ['1', '1.5', '10000000000', 'true', 'null', 'a', '2020-01-01', MOMENT]],
    [(q) => q.ToString([]), badArgument('Cannot cast Array to String.')],
  ],
  ToNumber: [
    [(q) => ['3.14', '12', '-0.5', 7].map((value) => q.ToNumber(value)), [3.14, 12, -0.5, 7]],
    [(q) => q.ToNumber('x'), badArgument('Cannot cast String to Number.')],
  ],
  ToObject: [
    [(q) => q.ToObject([['a', 1], ['b', [2]]]), { a: 1, b: [2] }],
    [(q) => q.ToObject([['a']]), badArgument('Field/Value expected, Array provided.', 'to_object', 0)],
  ],
  ToArray: [
    [(q) => q.ToArray({ a: 1, b: 'x' }), [['a', 1], ['b', 'x']]],
    [(q) => q.ToArray(1), badArgument('Cannot cast Integer to Array.', 'to_array')],
  ],
  ToDouble: [
    [(q) => [q.ToDouble('1.5'), q.ToDouble(2), q.IsDouble(q.ToDouble(2))], [1.5, 2, true]],
    [(q) => q.ToDouble('x'), badArgument('Cannot cast String to Double.', 'to_double')],
  ],
  ToInteger: [
    [(q) => [q.ToInteger(1.9), q.ToInteger(-1.9), q.ToInteger('12')], [1, -1, 12]],
    [(q) => q.ToInteger(true), badArgument('Cannot cast Boolean to Integer.', 'to_integer')],
  ],
  ToTime: [
    [(q) => [q.ToTime(1500), q.ToTime(MOMENT), q.ToTime(q.Date('2020-01-01'))], [time('1970-01-01T00:00:01.500Z'), time(MOMENT), time('2020-01-01T00:00:00Z')]],
    [(q) => q.ToTime('x'), badArgument("Cannot cast 'x' to a time.")],
  ],
  ToDate: [
    [(q) => [q.ToDate(q.Time(MOMENT)), q.ToDate('2020-02-29')], [date('2019-04-29'), date('2020-02-29')]],
    [(q) => q.ToDate('2019-02-29'), badArgument("Cannot cast '2019-02-29' to a date.")],
  ],
  ToSeconds: part('ToSeconds', 1_556_542_277),
  ToMillis: part('ToMillis', 1_556_542_277_123),
  ToMicros: part('ToMicros', 1_556_542_277_123_456),
  DayOfWeek: part('DayOfWeek', 1),
  DayOfYear: part('DayOfYear', 119),
  DayOfMonth: part('DayOfMonth', 29),
  Second: part('Second', 17),
  Minute: part('Minute', 51),
  Hour: part('Hour', 12),
  Month: part('Month', 4),
  Year: part('Year', 2019),
};

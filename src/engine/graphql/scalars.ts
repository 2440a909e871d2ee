// The scalars of the gateway beside those of the specification, and how a scalar's values
// pass between JSON, literals and the database (reference: graphql/graphql.md §3).
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { MAX_LONG, MIN_LONG } from '../value/long.ts';
import { DateValue, parseDate, parseTime, Time } from '../value/time.ts';
import { PendingTs } from '../value/value.ts';

/** Thrown by coercion; becomes the reason in a violation. */
const reject = (reason: string): never => {
  throw new GraphQLError(reason);
};

/** The time of the running transaction passes through; it is filled in when it is known. */
export const GraphQLLong = new GraphQLScalarType<bigint, bigint | number | PendingTs>({
  name: 'Long',
  description:
    'The `Long` scalar type represents non-fractional signed whole numeric values. Long can represent values between -(2^63) and 2^63 - 1.',
  serialize: (value) =>
    value instanceof PendingTs ? value : isInteger(value) ? plainInteger(BigInt(value)) : reject('Long value expected'),
  parseValue: (value) => (isInteger(value) ? inRange(BigInt(value)) : reject('Long value expected')),
  parseLiteral: (node) => (node.kind === Kind.INT ? inRange(BigInt(node.value)) : reject('Long value expected')),
});

export const GraphQLDate = textScalar('Date', DateValue, parseDate);
export const GraphQLTime = textScalar('Time', Time, parseTime);

/** An integer as JSON can show it: a number where that is exact. */
export const plainInteger = (value: bigint): bigint | number =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

const isInteger = (value: unknown): value is bigint | number => typeof value === 'bigint' || Number.isInteger(value);
const inRange = (value: bigint): bigint =>
  value < MIN_LONG || value > MAX_LONG ? reject('Value is too big to fit in Long') : value;

function textScalar<T extends object>(
  name: string, type: abstract new (...args: never[]) => T, parse: (text: string) => T | null,
): GraphQLScalarType<T, string> {
  const read = (text: unknown): T => (typeof text === 'string' ? parse(text) : null) ?? reject(`${name} value expected`);
  return new GraphQLScalarType<T, string>({
    name,
    serialize: (value) => (value instanceof type ? String(value) : reject(`${name} value expected`)),
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
  });
}

const MAX_INT = 2n ** 31n;

const intReason = (value: bigint): string | null => (value >= -MAX_INT && value < MAX_INT ? null : 'Value is too big to fit in Int');
const floatReason = (value: string | number | bigint): string | null =>
  Number.isFinite(Number(value)) ? null : 'Float or Int value is too big to fit in double';

/** Why something is not a value of a built-in scalar, in the words of the gateway: the library's own are others. */
interface Reasons {
  literal(node: ValueNode): string | null;
  value(value: unknown): string | null;
}

const REASONS: Readonly<Record<string, Reasons>> = {
  Int: {
    literal: (node) => (node.kind === Kind.INT ? intReason(BigInt(node.value)) : 'Int value expected'),
    value: (value) => (isInteger(value) ? intReason(BigInt(value)) : 'Int value expected'),
  },
  Float: {
    literal: (node) => (node.kind === Kind.INT || node.kind === Kind.FLOAT ? floatReason(node.value) : 'Float or Int value expected'),
    value: (value) => (typeof value === 'number' || typeof value === 'bigint' ? floatReason(value) : 'Float or Int value expected'),
  },
  Boolean: {
    literal: (node) => (node.kind === Kind.BOOLEAN ? null : 'Boolean value expected'),
    value: (value) => (typeof value === 'boolean' ? null : 'Boolean value expected'),
  },
  String: {
    literal: (node) => (node.kind === Kind.STRING ? null : 'String value expected'),
    value: (value) => (typeof value === 'string' ? null : 'String value expected'),
  },
  ID: {
    literal: (node) => (node.kind === Kind.STRING || node.kind === Kind.INT ? null : 'String or Int value expected'),
    value: (value) => (typeof value === 'string' || isInteger(value) ? null : 'String or Int value expected'),
  },
};

/** Why a literal is not a value of a built-in scalar; `null` when it is one, or the scalar is another. */
export const literalReason = (scalar: string, node: ValueNode): string | null => REASONS[scalar]?.literal(node) ?? null;
/** The same for a value of a variable. */
export const valueReason = (scalar: string, value: unknown): string | null => REASONS[scalar]?.value(value) ?? null;

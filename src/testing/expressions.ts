// Random expressions, for tests of what must hold of every expression.
import { FORMS } from '../engine/fql/registry.ts';
import type { Form, Param } from '../engine/form/form.ts';
import type { Gen } from './gen.ts';

/** Queries that make what the expressions name. */
export const WORLD = [
  '{"create_collection":{"object":{"name":"spells"}}}',
  '{"create_index":{"object":{"name":"all","source":{"collection":"spells"}}}}',
  '{"create_index":{"object":{"name":"costs","source":{"collection":"spells"},"terms":[{"object":{"field":["data","t"]}}],"values":[{"object":{"field":["data","c"]}}]}}}',
  '{"create_function":{"object":{"name":"f","body":{"query":{"lambda":["a","b"],"expr":{"add":[{"var":"a"},{"var":"b"}]}}}}}}',
  '{"create_role":{"object":{"name":"r"}}}',
  '{"create_database":{"object":{"name":"child"}}}',
  ...Array.from({ length: 10 }, (_, id) => `{"create":{"ref":{"collection":"spells"},"id":${id}},"params":{"object":{"data":{"object":{"t":["a","b"],"c":${id}}}}}}`),
];

const KEYS = ['a', 'b', 'ref', 'ts', 'data', 'name', 'source', 'role', 'ttl', 'params', '10', '__proto__', 'constructor', 'é', ''];
const NAMES = ['spells', 'all', 'costs', 'f', 'r', 'child', 'nope', '_', 'self', ''];

/** Expressions as JSON text: calls of all forms with arguments that often fit, and often do not. */
export class Expressions {
  private readonly variables: string[] = [];

  constructor(
    private readonly gen: Gen,
    private readonly forms: readonly Form[] = FORMS,
  ) {}

  any(depth: number): string {
    const { gen } = this;
    if (depth <= 0 || gen.below(5) === 0) return this.leaf();
    return gen.pick<() => string>([
      () => this.call(depth - 1),
      () => this.call(depth - 1),
      () => this.call(depth - 1),
      () => this.array(depth - 1),
      () => `{"object":${this.object(depth - 1)}}`,
      () => this.let(depth - 1),
      () => this.set(),
    ])();
  }

  private leaf(): string {
    const { gen } = this;
    const variable = this.variables.length > 0 && gen.bool() ? gen.pick(this.variables) : 'x';
    return gen.pick<() => string>([
      () => String(gen.long()),
      () => gen.pick(['0', '1', '2', '-1', '1.5', '1e300', '-0.0', '100000']),
      () => JSON.stringify(gen.string()),
      () => JSON.stringify(gen.pick([...NAMES, ...KEYS, 'day', 'seconds', 'create', 'NFC', '[a-c]+', '(', '%d', '%s %t', '2020-01-01', '2020-01-01T00:00:00Z', 'now'])),
      () => gen.pick(['true', 'false', 'null', '[]', '{"object":{}}']),
      () => gen.pick(['{"@ts":"2020-01-01T00:00:00Z"}', '{"@date":"2020-01-01"}', '{"@bytes":"AQID"}', '{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}']),
      () => `{"ref":{"collection":"spells"},"id":${gen.below(12)}}`,
      () => `{"${gen.pick(['collection', 'index', 'function', 'role', 'database'])}":"${gen.pick(NAMES)}"}`,
      () => (this.variables.includes(variable) ? `{"var":"${variable}"}` : '{"now":null}'),
    ])();
  }

  private set(): string {
    return this.gen.pick([
      '{"match":{"index":"all"}}', '{"match":{"index":"costs"},"terms":"a"}', '{"documents":{"collection":"spells"}}', '{"collections":null}',
      '{"paginate":{"match":{"index":"costs"},"terms":"b"},"size":3}', '{"get":{"ref":{"collection":"spells"},"id":1}}',
      '{"paginate":{"events":{"ref":{"collection":"spells"},"id":1}}}', '{"events":{"match":{"index":"all"}}}',
    ]);
  }

  private array(depth: number): string {
    return `[${this.gen.list(3, () => this.any(depth)).join(',')}]`;
  }

  private object(depth: number): string {
    return `{${this.gen.list(3, () => `${JSON.stringify(this.gen.pick(KEYS))}:${this.any(depth)}`).join(',')}}`;
  }

  private let(depth: number): string {
    const name = this.gen.pick(['x', 'y', '_']);
    const value = this.any(depth);
    return `{"let":{"${name}":${value}},"in":${this.within([name], () => this.any(depth))}}`;
  }

  private lambda(depth: number): string {
    const params = this.gen.pick([['x'], ['_'], ['x', 'y'], []]);
    const bound = params.filter((name) => name !== '_');
    const text = params.length === 1 && this.gen.bool() ? JSON.stringify(params[0]) : JSON.stringify(params);
    return `{"lambda":${text},"expr":${this.within(bound, () => this.any(depth))}}`;
  }

  private within(names: readonly string[], make: () => string): string {
    this.variables.push(...names);
    const made = make();
    this.variables.length -= names.length;
    return made;
  }

  private call(depth: number): string {
    const form = this.gen.pick(this.forms);
    const args = form.keys.flatMap((key) => {
      const param = form.params[key];
      if (param !== undefined && 'optional' in param && this.gen.bool()) return [];
      return [`"${key}":${this.gen.below(5) === 0 ? this.any(depth) : this.fitting(param, depth)}`];
    });
    return `{${args.join(',')}}`;
  }

  /** An argument of a kind that the parameter takes. */
  private fitting(param: Param | undefined, depth: number): string {
    if (param === undefined || !('names' in param)) return this.any(depth);
    if (param.syntax !== undefined && param.syntax !== 'literal') return this.lambda(depth);
    const makers = param.names.flatMap((name) => FITTING[name] ?? []);
    const made = makers.length === 0 ? this.any(depth) : this.gen.pick(makers);
    return typeof made === 'string' ? made : made(this, depth);
  }

  /** A write of a document that is there, or may be. */
  change(): string {
    const { gen } = this;
    const ref = `{"ref":{"collection":"spells"},"id":${gen.below(14)}}`;
    const data = `{"object":{"data":{"object":{"t":${gen.pick(['"a"', '"b"', '["a","b"]', 'null'])},"c":${gen.below(12)}}}}}`;
    const at = `"ts":${gen.pick(['{"now":null}', '1', '{"time":"2019-06-01T00:00:00Z"}'])}`;
    return gen.pick([
      `{"create":{"collection":"spells"},"params":${data}}`,
      `{"create":${ref},"params":${data}}`,
      `{"update":${ref},"params":${data}}`,
      `{"replace":${ref},"params":${data}}`,
      `{"delete":${ref}}`,
      `{"insert":${ref},${at},"action":"${gen.pick(['create', 'update', 'delete'])}","params":${data}}`,
      `{"remove":${ref},${at},"action":"${gen.pick(['create', 'update', 'delete'])}"}`,
    ]);
  }

  /** Something asked of a set made of others. */
  question(depth: number): string {
    const set = this.algebra(depth - 1);
    return this.gen.pick([
      `{"paginate":${set}}`,
      `{"paginate":${set},"size":${1 + this.gen.below(3)}}`,
      `{"paginate":${set},"events":true}`,
      `{"${this.gen.pick(['count', 'is_empty', 'is_nonempty', 'first', 'last', 'sum', 'max'])}":${set}}`,
    ]);
  }

  /** A set made of others. */
  algebra(depth: number): string {
    if (depth <= 0) return this.set();
    const { gen } = this;
    const set = (): string => (gen.below(3) === 0 ? this.set() : this.algebra(depth - 1));
    const value = (): string => gen.pick(['"a"', '"none"', '3', '7', SPELL, '[]']);
    return gen.pick<() => string>([
      () => `{"${gen.pick(['union', 'intersection', 'difference'])}":[${set()},${set()}]}`,
      () => `{"${gen.pick(['distinct', 'reverse', 'events'])}":${set()}}`,
      () => `{"join":${set()},"with":${gen.pick(['{"index":"costs"}', '{"index":"all"}', this.lambda(1), '{"lambda":"x","expr":1}', '{"lambda":"x","expr":{"singleton":{"var":"x"}}}'])}}`,
      () => `{"range":${set()},"from":${value()},"to":${value()}}`,
      () => `{"filter":{"lambda":"_","expr":${gen.pick(['true', 'false', '{"exists":{"match":{"index":"all"}}}'])}},"collection":${set()}}`,
      () => `{"singleton":${SPELL}}`,
      () => `{"match":{"index":"costs"},"terms":${value()}}`,
    ])();
  }

  list(depth: number): string {
    return this.array(depth);
  }

  fields(depth: number): string {
    return `{"object":${this.object(depth)}}`;
  }
}

/** Forms that read sets and documents, or write documents. */
export const STORED_FORMS: readonly Form[] = FORMS.filter(({ name, params }) => {
  const takesSet = Object.values(params).some((param) => 'names' in param && param.names.includes('Set'));
  return takesSet || ['get', 'paginate', 'create', 'update', 'replace', 'delete', 'if', 'do', 'select'].includes(name);
});

type Maker = string | ((expressions: Expressions, depth: number) => string);
const SPELL = '{"ref":{"collection":"spells"},"id":1}';
const PARAMS = '{"object":{"data":{"object":{"t":"a","c":1}}}}';

/** Arguments by the names that messages give to types. */
const FITTING: Readonly<Record<string, readonly Maker[]>> = {
  Integer: ['0', '1', '3', '-2', '1000', '9223372036854775807'],
  Number: ['0', '2', '-1.5', '1e10', '{"to_double":"NaN"}', '{"sum":[1,2]}'],
  Boolean: ['true', 'false', '{"equals":[1,1]}'],
  String: ['""', '"abc"', '"a b"', '"spells"', '"day"', '"😀é"', '"2020-01-01"', '"2020-01-01T00:00:00Z"', '"12.5"', '"[a-z]"'],
  Null: ['null'],
  Scalar: ['1', '"a"', 'null', '{"now":null}'],
  Object: [PARAMS, '{"object":{}}', '{"object":{"name":"n"}}', '{"object":{"password":"p"}}', (make, depth) => make.fields(depth)],
  Array: ['[]', '[1,2,3]', '["a","b"]', '[true]', '[[1,2],[3,4]]', (make, depth) => make.list(depth)],
  Page: ['{"paginate":{"match":{"index":"all"}},"size":2}'],
  Set: ['{"match":{"index":"all"}}', '{"match":{"index":"costs"},"terms":"a"}', '{"documents":{"collection":"spells"}}', '{"collections":null}', '{"events":{"match":{"index":"all"}}}', (make, depth) => make.algebra(depth)],
  Ref: [SPELL, '{"ref":{"collection":"spells"},"id":99}', '{"collection":"spells"}', '{"index":"all"}', '{"function":"f"}', '{"role":"r"}'],
  Identifier: [SPELL, '"spells"', '"all"', '"f"', '{"index":"costs"}', '{"function":"f"}', '{"collection":"spells"}'],
  'Collection Ref': ['{"collection":"spells"}', '{"collections":null}', '{"tokens":null}'],
  'Index Ref': ['{"index":"all"}', '{"index":"costs"}'],
  'Database Ref': ['{"database":"child"}'],
  Time: ['{"now":null}', '1577836800000000', '{"@ts":"2020-01-01T00:00:00.123456789Z"}', '{"time":"-999999999-01-01T00:00:00Z"}'],
  Temporal: ['{"now":null}', '{"@date":"2020-02-29"}'],
  'Time Unit': ['"day"', '"half days"', '"nanoseconds"'],
};

// Properties of the language over random input. Each case is made from its seed alone, which
// its name tells, so that one that fails can be run again.
import { describe, expect, it } from 'vitest';
import { populate } from '../../testing/cases.ts';
import { type TestClient, testClient } from '../../testing/client.ts';
import { Gen } from '../../testing/gen.ts';
import type { Form, Param } from '../form/form.ts';
import { WIRE_VERSIONS } from '../wire/version.ts';
import { FORMS } from './registry.ts';

const WORLD = [
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
class Expressions {
  private readonly variables: string[] = [];

  constructor(
    private readonly gen: Gen,
    private readonly forms: readonly Form[],
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

  list(depth: number): string {
    return this.array(depth);
  }

  fields(depth: number): string {
    return `{"object":${this.object(depth)}}`;
  }
}

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
  Set: ['{"match":{"index":"all"}}', '{"match":{"index":"costs"},"terms":"a"}', '{"documents":{"collection":"spells"}}', '{"collections":null}', '{"events":{"match":{"index":"all"}}}'],
  Ref: [SPELL, '{"ref":{"collection":"spells"},"id":99}', '{"collection":"spells"}', '{"index":"all"}', '{"function":"f"}', '{"role":"r"}'],
  Identifier: [SPELL, '"spells"', '"all"', '"f"', '{"index":"costs"}', '{"function":"f"}', '{"collection":"spells"}'],
  'Collection Ref': ['{"collection":"spells"}', '{"collections":null}', '{"tokens":null}'],
  'Index Ref': ['{"index":"all"}', '{"index":"costs"}'],
  'Database Ref': ['{"database":"child"}'],
  Time: ['{"now":null}', '1577836800000000', '{"@ts":"2020-01-01T00:00:00.123456789Z"}', '{"time":"-999999999-01-01T00:00:00Z"}'],
  Temporal: ['{"now":null}', '{"@date":"2020-02-29"}'],
  'Time Unit': ['"day"', '"half days"', '"nanoseconds"'],
};

async function world(): Promise<TestClient> {
  const client = await testClient();
  await populate(client, WORLD);
  return client;
}

describe('random expressions', () => {
  const EACH = 500;
  const VERSIONS = Object.keys(WIRE_VERSIONS);
  // `npm run test:random -- 1000000` asks for more, and begins where it is told to.
  const { VIVARIUM_RANDOM = '10000', VIVARIUM_SEED = '1' } = process.env;
  const seeds = Array.from({ length: Math.ceil(Number(VIVARIUM_RANDOM) / EACH) }, (_, at) => Number(VIVARIUM_SEED) + at);

  it.each(seeds)(`give an answer or an error of the language: ${EACH} of seed %i`, async (seed) => {
    const client = await world();
    const gen = new Gen(seed);
    const expressions = new Expressions(gen, FORMS);
    for (let at = 0; at < EACH; at++) {
      const query = expressions.any(4);
      const version = gen.pick(VERSIONS);
      const { status, text } = await client.query(query, version).catch((error: unknown) => {
        throw new Error(`${version}: ${query}`, { cause: error });
      });
      expect([200, 201, 400, 403, 404], `${version}: ${query}\n${text}`).toContain(status);
    }
  });
});

/** Values as expressions, and nothing that only looks like one. */
function valueText(gen: Gen, depth: number): string {
  if (depth > 0 && gen.below(3) === 0) {
    const items = gen.list(4, () => valueText(gen, depth - 1));
    return gen.bool() ? `[${items.join(',')}]` : `{"object":{"@obj":{${items.map((item, at) => `${JSON.stringify(`${gen.pick(['@', '', 'k'])}${at}`)}:${item}`).join(',')}}}}`;
  }
  const double = gen.double();
  return gen.pick<() => string>([
    () => String(gen.long()),
    () => (Number.isFinite(double) ? double.toExponential() : '1.5'),
    () => JSON.stringify(gen.string()),
    () => gen.pick(['true', 'false', 'null']),
    () => `{"ref":{"collection":"spells"},"id":${gen.below(2 ** 31)}}`,
    () => `{"${gen.pick(['collection', 'index', 'function', 'role', 'database'])}":"${gen.pick(['spells', 'all', 'f', 'r', 'child', 'nope'])}"}`,
    () => `{"epoch":${gen.below(2 ** 31)},"unit":"${gen.pick(['second', 'millisecond', 'nanosecond'])}"}`,
    () => `{"@date":"${1000 + gen.below(9000)}-0${1 + gen.below(9)}-1${gen.below(10)}"}`,
    () => `{"@bytes":"${btoa(String.fromCharCode(...gen.list(5, () => gen.below(256))))}"}`,
    () => '{"@uuid":"5b8ac1f6-2ad4-4b0c-8f8f-6a9d2f2b6c11"}',
    () => '{"query":{"lambda":["a","_"],"expr":{"let":[{"b":{"var":"a"}}],"in":[{"var":"b"},{"quote":{"x":1}}]}}}',
    () => gen.pick(['{"match":{"index":"costs"},"terms":["a"]}', '{"singleton":{"ref":{"collection":"spells"},"id":1}}', '{"union":[{"match":{"index":"all"}},{"documents":{"collection":"spells"}}]}']),
  ])();
}

describe('what a version writes', () => {
  it.each(Object.keys(WIRE_VERSIONS))('it reads as the same: 300 values of seed 7 in %s', async (version) => {
    const client = await world();
    const gen = new Gen(7);
    for (let at = 0; at < 300; at++) {
      const value = valueText(gen, 3);
      const { status, text } = await client.query(value, version);
      expect(status, value).toBe(200);
      const written = text.slice('{"resource":'.length, -1);
      expect((await client.query(`{"quote":${written}}`, version)).text, value).toBe(text);
    }
  });
});

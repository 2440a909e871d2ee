// Properties of the language over random input. Each case is made from its seed alone, which
// its name tells, so that one that fails can be run again.
import { describe, expect, it } from 'vitest';
import { populate } from '../../testing/cases.ts';
import { type TestClient, testClient } from '../../testing/client.ts';
import { Expressions, STORED_FORMS, WORLD } from '../../testing/expressions.ts';
import { Gen } from '../../testing/gen.ts';
import { testPlatform } from '../../testing/platform.ts';
import type { EngineOptions } from '../engine.ts';
import { memoryLogStore } from '../kv/memory.ts';
import { WIRE_VERSIONS } from '../wire/version.ts';

async function world(): Promise<TestClient> {
  const client = await testClient();
  await populate(client, WORLD);
  return client;
}

const EACH = 500;
const VERSIONS = Object.keys(WIRE_VERSIONS);

/** As many as make so many expressions; `npm run test:random -- 1000000` asks for more, and begins where it is told to. */
function seeds(expressions: number): readonly number[] {
  const { VIVARIUM_RANDOM = expressions, VIVARIUM_SEED = '1' } = process.env;
  return Array.from({ length: Math.ceil(Number(VIVARIUM_RANDOM) / EACH) }, (_, at) => Number(VIVARIUM_SEED) + at);
}

describe('random expressions', () => {
  it.each(seeds(10_000))(`give an answer or an error of the language: ${EACH} of seed %i`, async (seed) => {
    const client = await world();
    const gen = new Gen(seed);
    const expressions = new Expressions(gen);
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

/** An engine whose clock stands still between requests, and whose ids are those of any other such engine. */
async function twin(options: Partial<EngineOptions>): Promise<(query: string, version: string) => Promise<string>> {
  let asked = 0;
  const platform = { ...testPlatform(), now: () => 1_577_836_800_000_000 + asked * 10_000, random: (length: number) => new Uint8Array(length).fill(7) };
  const client = await testClient(memoryLogStore(), platform, options, () => `request-${asked}`);
  return async (query, version) => {
    asked++;
    const { status, text } = await client.query(query, version);
    await client.engine.upkeep();
    return `${status} ${text}`;
  };
}

describe('random expressions, asked of an engine that has all in memory and of one that reads all from its blocks', () => {
  /** Then the world is made anew: what deletes a collection leaves little to ask for. */
  const IN_ONE_WORLD = 50;

  it.each(seeds(5000))(`are answered alike: ${EACH} of seed %i`, async (seed) => {
    const gen = new Gen(seed);
    const [all, stored] = [new Expressions(gen), new Expressions(gen, STORED_FORMS)];
    const kinds = [() => all.any(4), () => stored.any(4), () => all.question(4), () => all.change()];
    for (let left = EACH; left > 0; left -= IN_ONE_WORLD) {
      const [warm, cold] = [await twin({}), await twin({ flushAt: 500, cacheBytes: 0 })];
      const queries = [...WORLD, ...Array.from({ length: IN_ONE_WORLD }, () => gen.pick(kinds)())];
      for (const query of queries) {
        const version = gen.pick(VERSIONS);
        expect(await cold(query, version), `${version}: ${query}`).toBe(await warm(query, version));
      }
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

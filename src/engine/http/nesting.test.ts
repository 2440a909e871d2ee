// What is too deep to be read again is refused, and spoils nothing.
import { describe, expect, it } from 'vitest';
import { ALL_VERSIONS, populate } from '../../testing/cases.ts';
import { testClient } from '../../testing/client.ts';
import { DEEP_FUNCTION, NESTING_NAMES, nestingOf, TOO_DEEP } from '../../testing/nestings.ts';

describe('queries of 1000 levels are answered in every version, one level more is refused', () => {
  it.each(NESTING_NAMES)('%s', async (name) => {
    const client = await testClient();
    const { deepest, tooDeep, result } = nestingOf(name);
    for (const version of ALL_VERSIONS.split(' ')) {
      const { status, text } = await client.query(deepest, version);
      expect({ version, status, text: text.slice(0, 200) }).toEqual({ version, status: 200, text: expect.stringMatching(/^\{"resource":/) });
      if (result !== undefined) expect(text).toBe(`{"resource":${result}}`);
      expect(await client.query(tooDeep, version)).toMatchObject({ status: 400, text: TOO_DEEP });
    }
  });

  it('a function calls itself 200 times from the bottom of a deep body', async () => {
    const client = await testClient();
    await populate(client, DEEP_FUNCTION);
    expect((await client.query('{"call":"down","arguments":200}')).text).toBe('{"resource":"bottom"}');
    expect((await client.query('{"call":"down","arguments":201}')).text).toContain('"code":"stack overflow","description":"Call stack reached the maximum limit of 200."');
  });
});

/** An object of `levels` around `inner`, as a query. */
const around = (levels: number, inner: string): string => '{"object":{"a":'.repeat(levels) + inner + '}}'.repeat(levels);

/** Creates a document of `times` × 300 levels, which no single request could hold. */
function nested(times: number): string {
  const bindings = Array.from({ length: times }, (_, at) => `{"v${at}":${around(300, at === 0 ? '1' : `{"var":"v${at - 1}"}`)}}`);
  const data = `{"var":"v${times - 1}"}`;
  return `{"let":[${bindings.join(',')}],"in":{"create":{"ref":{"class":"c"},"id":"1"},"params":{"object":{"data":${data}}}}}`;
}

describe('documents nested deeper than 1000 levels', () => {
  it.each([
    [4, 'Version nesting exceeds threshold (1000)'],
    [60, 'Version nesting exceeds threshold (1000)'],
  ])('are refused: %i times 300', async (times, description) => {
    const client = await testClient();
    await client.query('{"create_class":{"object":{"name":"c"}}}');
    const { status, text } = await client.query(nested(times));
    expect({ status, text }).toEqual({ status: 400, text: `{"errors":[{"code":"bad request","description":"${description}"}]}` });
    expect((await client.query('{"paginate":{"documents":{"class":"c"}}}')).text).toBe('{"resource":{"data":[]}}');
  });

  it('are kept below that', async () => {
    const client = await testClient();
    await client.query('{"create_class":{"object":{"name":"c"}}}');
    expect((await client.query(nested(3))).status).toBe(201);
    expect((await client.query('{"select":["data","a","a"],"from":{"get":{"ref":{"class":"c"},"id":"1"}}}')).status).toBe(200);
  });
});

it('a schema of types nested too deeply is refused', async () => {
  const client = await testClient();
  const type = (levels: number): string => `type A { b: ${'['.repeat(levels)}Int${']'.repeat(levels)} }`;
  expect(await client.send('POST', '/import', type(1500))).toMatchObject({ status: 400, text: 'The schema definition is nested too deeply.' });
  expect((await client.query('{"paginate":{"collections":null}}')).text).toBe('{"resource":{"data":[]}}');
  expect((await client.send('POST', '/import', type(50))).status).toBe(200);
});

// Where the brief says something of its own, through the whole engine.
import { describe, expect, it } from 'vitest';
import { testClient, type TestClient } from '../../testing/client.ts';

/** Levels 1 to 3, in an index that shows them from the greatest down. */
async function levels(): Promise<TestClient> {
  const client = await testClient();
  await client.query('{"create_class":{"object":{"name":"spells"}}}', '');
  await client.query(
    '{"create_index":{"object":{"name":"levels","source":{"class":"spells"},"values":[{"object":{"field":["data","level"],"reverse":true}}]}}}',
    '',
  );
  for (const level of [1, 2, 3]) {
    await client.query(
      `{"create":{"ref":{"class":"spells"},"id":"${level}"},"params":{"object":{"data":{"object":{"level":${level}}}}}}`,
      '',
    );
  }
  return client;
}

const PAGE = (cursor: string): string => `{"paginate":{"match":{"index":"levels"}},"size":2,${cursor}}`;

describe('synthetic cursors of a set in descending order', () => {
  it('are its first page and its last in 2.0', async () => {
    const client = await levels();
    expect((await client.query(PAGE('"before":null'), '')).text).toBe(
      '{"resource":{"after":[1,{"@ref":"classes/spells/1"}],"data":[3,2]}}',
    );
    expect((await client.query(PAGE('"after":0'), '')).text).toBe(
      '{"resource":{"before":[2,{"@ref":"classes/spells/2"}],"data":[2,1]}}',
    );
  });

  it('lie where their values lie when there is something beyond them', async () => {
    const client = await levels();
    await client.query('{"create":{"ref":{"class":"spells"},"id":"4"},"params":{"object":{"data":{"object":{"level":-1}}}}}', '');
    expect((await client.query(PAGE('"after":0'), '')).text).toBe('{"resource":{"before":[0],"data":[-1]}}');
  });

  it('are plain cursors from 2.1 on', async () => {
    const client = await levels();
    expect((await client.query(PAGE('"before":null'), '2.1')).text).toBe('{"resource":{"after":[null],"data":[]}}');
    expect((await client.query(PAGE('"after":0'), '2.1')).text).toBe('{"resource":{"before":[0],"data":[]}}');
  });
});

describe('a history read at a time', () => {
  it('ends there', async () => {
    const client = await testClient();
    await client.query('{"create_class":{"object":{"name":"spells"}}}', '');
    await client.query('{"create_index":{"object":{"name":"all","source":{"class":"spells"}}}}', '');
    const created = await client.query('{"create":{"ref":{"class":"spells"},"id":"1"},"params":{"object":{}}}', '');
    const ts = /"ts":(\d+)/.exec(created.text)?.[1] ?? '';
    await client.query('{"delete":{"ref":{"class":"spells"},"id":"1"}}', '');
    const events = (of: string): string => `{"paginate":{"events":${of}},"ts":${ts}}`;
    expect((await client.query(events('{"ref":{"class":"spells"},"id":"1"}'), '')).text).toBe(
      `{"resource":{"data":[{"ts":${ts},"action":"create","resource":{"@ref":"classes/spells/1"}}]}}`,
    );
    expect((await client.query(events('{"match":{"index":"all"}}'), '')).text).toBe(
      `{"resource":{"data":[{"ts":${ts},"action":"add","resource":{"@ref":"classes/spells/1"}}]}}`,
    );
  });
});

describe('an index without terms, which has 8 partitions', () => {
  const UNIQUE = '{"update":{"index":"levels"},"params":{"object":{"unique":true}}}';

  it('may become unique in 2.0 and is updated by any version then', async () => {
    const client = await levels();
    expect((await client.query(UNIQUE, '')).text).toContain('"partitions":8,"unique":true}');
    expect((await client.query(UNIQUE, '4')).text).toContain('"partitions":8');
  });

  it('may not from 2.1 on', async () => {
    const client = await levels();
    expect((await client.query(UNIQUE, '2.1')).text).toContain('Index partition count may not be updated (8 -> 1).');
  });
});

describe('Basic credentials', () => {
  it.each([
    ['secret:', 200],
    ['secret:anything', 200],
    ['secret', 401],
  ])('%s gets %i: the colon is required', async (credentials, status) => {
    const client = await testClient();
    const { status: actual } = await client.send('POST', '/', '1', { authorization: `Basic ${btoa(credentials)}` });
    expect(actual).toBe(status);
  });

  it.each([
    ['secret', 200],
    ['secret:', 200],
    ['secret:admin', 200],
    ['wrong', 401],
    ['wrong:', 401],
    ['', 401],
  ])('may have it behind them, as the Go driver has: %s gets %i', async (credentials, status) => {
    const client = await testClient();
    expect((await client.send('POST', '/', '1', { authorization: `Basic ${btoa(credentials)}:` })).status).toBe(status);
  });

  it('without a colon have an invalid format for the gateway', async () => {
    const client = await testClient();
    for (const credentials of [btoa('secret'), '!:', ':']) {
      const { text } = await client.send('POST', '/import', 'type A { b: Int }', { authorization: `Basic ${credentials}` });
      expect(text).toBe('Invalid authorization header.');
    }
  });
});

describe('the gateway', () => {
  it.each([
    ['x-query-timeout', 'soon', "Invalid header 'x-query-timeout': Invalid number 'soon'."],
    ['x-schema-preview', 'partial-update-mutation, nothing', "Invalid header 'x-schema-preview': Invalid code 'nothing'."],
  ])('answers a bad %s with status 400, an import in text', async (name, value, text) => {
    const client = await testClient();
    const reply = await client.send('POST', '/import', 'type A { b: Int }', { [name]: value });
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([400, 'text/plain;charset=utf-8', text]);
    const asked = await client.send('POST', '/graphql', '{"query":"{ __typename }"}', { [name]: value });
    expect([asked.status, asked.text.includes(text)]).toEqual([400, true]);
  });

  it.each([
    ['', 'Missing authorization header.'],
    ['secret', 'Invalid authorization header.'],
    ['Bearer nobody', 'Invalid database secret.'],
  ])('says of the header %j: %s', async (authorization, message) => {
    const client = await testClient();
    expect((await client.send('POST', '/import', 'type A { b: Int }', { authorization })).text).toBe(message);
    expect((await client.send('POST', '/graphql', '{"query":"{ __typename }"}', { authorization })).text).toBe(JSON.stringify({ errors: [{ message }] }));
  });

  it('says first that a secret is wrong', async () => {
    const client = await testClient();
    const { text } = await client.send('POST', '/import', 'type A { b: Int }', { authorization: 'Basic !', 'x-schema-preview': 'nothing' });
    expect(text).toBe('Invalid authorization header.');
  });

  it('knows the preview there was', async () => {
    const client = await testClient();
    const { status } = await client.send('POST', '/import', 'type A { b: Int }', { 'x-schema-preview': ' partial-update-mutation ,' });
    expect(status).toBe(200);
  });
});

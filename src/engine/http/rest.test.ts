import { describe, expect, it } from 'vitest';
import { testClient } from '../../testing/client.ts';

const NOT_FOUND = '{"errors":[{"code":"not found","description":"Not Found"}]}';

describe('REST paths', () => {
  it.each(['/classes/none', '/indexes/none', '/classes/none/1', '/classes/none/events', '/classes/spells/not-a-number', '/nothing'])(
    'that name nothing are not found: %s',
    async (path) => {
      const client = await testClient();
      await client.send('POST', '/classes', '{"name":"spells"}');
      const { status, text } = await client.send('GET', path);
      expect({ status, text }).toEqual({ status: 404, text: NOT_FOUND });
    },
  );

  it('of events answer to GET alone, however they end', async () => {
    const client = await testClient();
    await client.send('POST', '/classes', '{"name":"spells"}');
    await client.query('{"create":{"ref":{"collection":"spells"},"id":"1"},"params":{"object":{"data":{"object":{"cost":1}}}}}');
    for (const path of ['/classes/spells/1/events', '/classes/spells/1/events/']) {
      expect([path, (await client.send('DELETE', path)).status]).toEqual([path, 405]);
      expect((await client.send('GET', path)).text).toContain('"action":"create"');
    }
    expect((await client.send('GET', '/classes/spells/1/events/events')).status).toBe(404);
    expect((await client.send('GET', '/classes/spells/1/')).text).toContain('"cost":1');
  });

  it('keep the errors of what they lead to and of their bodies', async () => {
    const client = await testClient();
    await client.send('POST', '/classes', '{"name":"spells"}');
    expect(await client.send('GET', '/classes/spells/1')).toMatchObject({
      status: 404,
      text: '{"errors":[{"position":[],"code":"instance not found","description":"Instance not found."}]}',
    });
    expect((await client.send('POST', '/classes/spells', '{"data":{"of":{"@ref":"classes/none/1"}}}')).text).toContain(
      '"failures":[{"field":["data","of"],"code":"invalid reference","description":"Cannot read reference."}]',
    );
    expect((await client.send('POST', '/classes/spells', 'not json')).text).toBe(
      '{"errors":[{"position":[],"code":"invalid expression","description":"Request body is not valid JSON."}]}',
    );
    // Positions are those in the body.
    for (const [body, position] of [['{"data":{"at":[1,{"@ts":"now"}]}}', '["data","at",1]'], ['{"@ts":"now"}', '[]']] as const) {
      expect((await client.send('POST', '/classes/spells', body)).text).toBe(`{"errors":[{"position":${position},"code":"invalid expression","description":"Invalid time."}]}`);
    }
  });

  it('restore keys for the root secret alone', async () => {
    const client = await testClient();
    await client.send('POST', '/databases', '{"name":"parent"}');
    const keyOf = async (role: string): Promise<{ path: string; secret: string }> => {
      const { text } = await client.send('POST', '/keys', `{"role":"${role}","database":{"@ref":"databases/parent"}}`);
      const { ref, secret } = (JSON.parse(text) as { resource: { ref: { '@ref': string }; secret: string } }).resource;
      return { path: `/${ref['@ref']}`, secret };
    };
    const [admin, other] = [await keyOf('admin'), await keyOf('server')];
    const as = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` });
    const PUT = 'Replacing a key with PUT is not allowed: create a replacement key, then delete this key.';
    const PATCH = "Updating a key with PATCH is not allowed: use the Update FQL function to change key's user metadata.";
    for (const [method, headers, status, reason] of [
      ['PUT', as(admin), 403, PUT], ['PATCH', as(admin), 403, PATCH], ['PATCH', as({ secret: 'secret:parent:admin' }), 403, PATCH], ['PUT', as({ secret: 'secret:admin' }), 403, PUT], ['PUT', as({ secret: 'secret:none' }), 200, ''], ['GET', as(admin), 404, ''],
      ['PUT', undefined, 200, ''], ['PATCH', undefined, 200, ''],
    ] as const) {
      const answer = await client.send(method, other.path, method === 'GET' ? undefined : '{"role":"client"}', headers);
      expect([method, answer.status, answer.text]).toEqual([method, status, expect.stringContaining(reason === '' ? '' : `"code":"forbidden","description":"${reason}"`)]);
    }
  });

  it('that name nothing are not found before their bodies are read', async () => {
    const client = await testClient();
    for (const path of ['/classes/none', '/classes/none/1', '/indexes/none']) expect((await client.send('POST', path, 'not json')).text).toBe(NOT_FOUND);
  });

  it('take as a cursor JSON that can be read, else a time, else a bare ref, and pass over anything else', async () => {
    const client = await testClient();
    await client.send('POST', '/classes', '{"name":"a"}');
    await client.send('POST', '/classes', '{"name":"b"}');
    const [a, b] = ['{"@ref":"classes/a"}', '{"@ref":"classes/b"}'];
    const [all, after] = [`{"resource":{"data":[${a},${b}]}}`, `{"resource":{"before":[${b}],"data":[${b}]}}`];
    for (const [cursor, page] of [
      [b, after], ['classes/b', after], ['{"@ref":"classes/"}', all], ['{"@ref":1}', all], ['[{"@ts":"x"}]', all], ['classes/b/x', all], ['nonsense', all], ['{"@set":{"nope":1}}', all],
    ]) {
      expect([cursor, (await client.send('GET', `/classes?after=${encodeURIComponent(cursor as string)}`)).text]).toEqual([cursor, page]);
    }
    const events = async (cursor: string): Promise<number> =>
      (JSON.parse((await client.send('GET', `/classes/a/1/events?after=${encodeURIComponent(cursor)}`)).text) as { resource: { data: unknown[] } }).resource.data.length;
    await client.send('POST', '/classes/a/1', '{}');
    expect([await events('0'), await events('+007'), await events('+7000000000000000'), await events('+99999999999999999999')]).toEqual([1, 1, 0, 1]);
  });

  it('take a size that is a Long, and no two cursors', async () => {
    const client = await testClient();
    await client.send('POST', '/classes', '{"name":"a"}');
    await client.send('POST', '/classes', '{"name":"b"}');
    const page = async (search: string): Promise<string> => (await client.send('GET', `/classes?${search}`)).text;
    const all = await page('size=99999999999999999999');
    expect(all).toContain('classes/b');
    expect(await page('size=%2B1')).toBe('{"resource":{"after":[{"@ref":"classes/b"}],"data":[{"@ref":"classes/a"}]}}');
    expect(await page('size=1&before=classes/b&after=classes/a')).toBe(
      '{"errors":[{"position":[],"code":"invalid expression","description":"No form/function found, or invalid argument keys: { paginate, size, before, after }."}]}',
    );
  });

  it('give an empty page of a size below zero', async () => {
    const client = await testClient();
    await client.send('POST', '/classes', '{"name":"spells"}');
    expect((await client.send('GET', '/classes?size=-1')).text).toBe('{"resource":{"data":[]}}');
  });
});

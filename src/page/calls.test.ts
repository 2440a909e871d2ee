import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../engine/http/message.ts';
import { makeCalls } from './calls.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Calls answered with this status and body, and the requests they make. */
function answering(status: number, body: string) {
  const requests: (Omit<HttpRequest, 'body' | 'id' | 'sentAt'> & { body: string })[] = [];
  const handle: Parameters<typeof makeCalls>[0] = async ({ id, sentAt, bare, body: sent, ...request }) => {
    expect(bare).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(sentAt).toBeGreaterThan(Date.parse('2020-01-01') * 1000);
    requests.push({ ...request, body: String(sent) });
    return { status, headers: {}, body: bytes(body) };
  };
  return { calls: makeCalls(handle, () => false), requests };
}

describe('query', () => {
  it('sends JSON as version 4 with the root secret and resolves to the resource', async () => {
    const { calls, requests } = answering(201, '{"resource":{"x":1}}');
    expect(await calls.query({ object: { x: 1 } })).toEqual({ x: 1 });
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/',
        search: '',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'x-faunadb-api-version': '4' },
        body: '{"object":{"x":1}}',
      },
    ]);
  });

  it('takes a secret, a version and what has toJSON', async () => {
    const { calls, requests } = answering(200, '{"resource":null}');
    expect(await calls.query({ toJSON: () => ({ now: null }) }, { secret: 'fnX', version: '2.7' })).toBeNull();
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer fnX', 'x-faunadb-api-version': '2.7' });
    expect(requests[0]?.body).toBe('{"now":null}');
  });

  it('rejects with the status and the errors of the answer', async () => {
    const { calls } = answering(404, '{"errors":[{"position":["get"],"code":"instance not found","description":"Document not found."}]}');
    await expect(calls.query({ get: 1 })).rejects.toMatchObject({
      name: 'VivariumError',
      message: 'instance not found: Document not found. (at get)',
      status: 404,
      errors: [{ position: ['get'], code: 'instance not found', description: 'Document not found.' }],
    });
  });

  it('says in the message what was wrong with which field, and inside which call', async () => {
    const errors = [
      {
        position: ['create'],
        code: 'validation failed',
        description: 'document data is not valid.',
        failures: [{ field: ['data', 'name'], code: 'value required', description: 'Value is required.' }],
      },
      { position: [], code: 'call error', description: 'Calling failed.', cause: [{ position: ['expr', 0], code: 'invalid argument', description: 'No.' }] },
    ];
    await expect(answering(400, JSON.stringify({ errors })).calls.query({})).rejects.toMatchObject({
      message:
        'validation failed: document data is not valid. (at create); value required: Value is required. (at data › name); ' +
        'call error: Calling failed.; invalid argument: No. (at expr › 0)',
      errors,
    });
  });

  it('refuses what is no JSON', async () => {
    await expect(answering(200, '{}').calls.query(undefined)).rejects.toThrow(TypeError);
  });
});

describe('graphql', () => {
  it('resolves to data and errors together', async () => {
    const { calls, requests } = answering(200, '{"data":{"a":null},"errors":[{"message":"no"}]}');
    expect(await calls.graphql({ query: '{a}', variables: { n: 1 } })).toEqual({ data: { a: null }, errors: [{ message: 'no' }] });
    expect(requests[0]).toMatchObject({ path: '/graphql', body: '{"query":"{a}","variables":{"n":1}}' });
  });

  it('rejects another status', async () => {
    await expect(answering(401, '{"errors":[{"message":"Invalid database secret."}]}').calls.graphql({ query: '{a}' })).rejects.toMatchObject({
      status: 401,
      message: 'Invalid database secret.',
    });
  });
});

describe('importSchema', () => {
  it('merges unless told otherwise', async () => {
    const { calls, requests } = answering(200, 'done');
    expect(await calls.importSchema('type A')).toBe('done');
    await calls.importSchema('type A', { mode: 'override' });
    expect(requests.map(({ path, search, body }) => [path, search, body])).toEqual([
      ['/import', 'mode=merge', 'type A'],
      ['/import', 'mode=override', 'type A'],
    ]);
  });

  it('refuses what is no text, a promise of one among it', async () => {
    const { calls, requests } = answering(200, 'done');
    for (const sdl of [Promise.resolve('type A'), new Response('type A'), undefined]) {
      await expect(calls.importSchema(sdl as unknown as string)).rejects.toThrow('a schema must be a text');
    }
    expect(requests).toEqual([]);
  });

  it('rejects with the text of a refusal', async () => {
    await expect(answering(400, 'Unknown type B').calls.importSchema('x')).rejects.toMatchObject({ status: 400, message: 'Unknown type B' });
  });
});

// Databases that are renamed or moved while what was read of them is kept.
import { describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../testing/client.ts';

/** Asks with a secret; answers the resource, or the code of the first error. */
const asks = (client: TestClient) => async (secret: string, query: unknown): Promise<unknown> => {
  const { text } = await client.queryAs(secret, JSON.stringify(query));
  const { resource, errors } = JSON.parse(text) as { resource?: unknown; errors?: readonly { code: string }[] };
  return errors === undefined ? resource : errors[0]?.code;
};

const create = (name: string) => ({ create_database: { object: { name } } });
const collection = (name: string) => ({ create_collection: { object: { name } } });
const rename = (name: string, to: string) => ({ update: { database: name }, params: { object: { name: to } } });
const below = (name: string, database: string) => ({ collection: name, scope: { database } });

describe('a database whose name or place has changed', () => {
  it('is not moved into itself by a way that was kept', async () => {
    const ask = asks(await testClient());
    for (const name of ['p', 'c']) await ask('secret', create(name));
    await ask('secret:c:admin', collection('x'));
    await ask('secret', { move_database: { database: 'c' }, to: { database: 'p' } });
    await ask('secret:p/c:admin', { exists: { collection: 'x' } });
    expect(await ask('secret', { move_database: { database: 'p' }, to: { database: 'c', scope: { database: 'p' } } })).toBe('move database error');
    expect(await ask('secret:p/c:admin', { exists: { collection: 'x' } })).toBe(true);
  });

  it('is not moved into what has been moved into it before, in the same transaction', async () => {
    const ask = asks(await testClient());
    for (const name of ['a', 'b']) await ask('secret', create(name));
    await ask('secret:b:admin', collection('x'));
    const twice = { let: [{ moved: { move_database: { database: 'a' }, to: { database: 'b' } } }], in: { move_database: { database: 'b' }, to: { select: 'ref', from: { var: 'moved' } } } };
    expect(await ask('secret', twice)).toBe('move database error');
    expect(await ask('secret:b:admin', { exists: { collection: 'x' } })).toBe(true);
    expect(await ask('secret:a:admin', { paginate: { collections: null } })).toEqual({ data: [] });
  });

  it('is shown and found by its new name', async () => {
    const ask = asks(await testClient());
    await ask('secret', create('c'));
    await ask('secret:c:admin', collection('x'));
    await ask('secret', below('x', 'c'));
    await ask('secret', rename('c', 'c2'));
    const ref = await ask('secret', below('x', 'c2'));
    expect(ref).toMatchObject({ '@ref': { id: 'x', database: { '@ref': { id: 'c2' } } } });
    await ask('secret', create('c'));
    await ask('secret:c:admin', collection('x'));
    expect(await ask('secret', { exists: ref })).toBe(true);
    expect(await ask('secret', { equals: [ref, below('x', 'c2')] })).toBe(true);
  });

  it('is still the home of its keys, and above what is below', async () => {
    const ask = asks(await testClient());
    await ask('secret', create('c'));
    await ask('secret:c:admin', create('g'));
    await ask('secret:c/g:admin', collection('x'));
    const { secret } = (await ask('secret', { create_key: { object: { role: 'admin', database: { database: 'c' } } } })) as { secret: string };
    const there = { exists: below('x', 'g') };
    expect(await ask(secret, there)).toBe(true);
    await ask('secret', rename('c', 'c2'));
    expect(await ask(secret, there)).toBe(true);
    expect(await ask(secret, { paginate: { collections: { database: 'g' } } })).toMatchObject({ data: [{ '@ref': { id: 'x' } }] });
    expect(await ask(secret, below('x', 'g'))).toMatchObject({ '@ref': { database: { '@ref': { id: 'g' } } } });
  });

  it('is nothing of those it has left, and all of those it has come to', async () => {
    const ask = asks(await testClient());
    for (const name of ['a', 'b']) await ask('secret', create(name));
    await ask('secret:a:admin', create('sub'));
    await ask('secret:a/sub:admin', collection('x'));
    const keyOf = async (secret: string, fields: object): Promise<string> => ((await ask(secret, { create_key: { object: { role: 'admin', ...fields } } })) as { secret: string }).secret;
    const [a, b, sub] = [await keyOf('secret', { database: { database: 'a' } }), await keyOf('secret', { database: { database: 'b' } }), await keyOf('secret:a/sub:admin', {})];
    const own = await keyOf('secret:a/sub:admin', { role: 'client' });
    expect(await ask(a, { key_from_secret: own })).toMatchObject({ role: 'client' });
    await ask('secret', { move_database: { database: 'sub', scope: { database: 'a' } }, to: { database: 'b' } });
    expect(await ask(a, { key_from_secret: own })).toBe('instance not found');
    expect(await ask(b, { exists: below('x', 'sub') })).toBe(true);
    expect(await ask(sub, { exists: { collection: 'x' } })).toBe(true);
  });
});

// The keys of issuers: when they are fetched, and what they are good for meanwhile.
import { describe, expect, it } from 'vitest';
import { key, KEYS, NOW, other, World, WRITER } from '../../testing/token-world.ts';

const COUNTER = '{"ref":{"collection":"posts"},"id":"1"}';

describe('keys', () => {
  it('are fetched once, and again for one that is new', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token();
    expect(await Promise.all([world.as(token), world.as(token), world.as(token)])).toEqual([201, 201, 201]);
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(1);
    world.publish(other);
    world.pass(1);
    const fresh = await world.token({}, other);
    expect(await world.as(fresh)).toBe(201);
    expect(world.fetches).toBe(2);
    expect(await world.as(token)).toBe(401);
    expect(await world.as(token)).toBe(401);
    expect(await world.as(fresh)).toBe(201);
    expect(world.fetches).toBe(2);
  });

  it('are fetched again in the background when they are an hour old', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const token = await world.token({ exp: NOW + 100_000 });
    expect(await world.as(token)).toBe(201);
    world.pass(3590);
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(1);
    world.pass(20);
    world.publish(other);
    const arrive = world.hold();
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(2);
    await arrive();
    expect(await world.as(token)).toBe(401);
  });

  it('that were fetched before are good where there is no network, and are asked for now and then', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    world.kept.set(KEYS, [key.published]);
    world.network = null;
    const token = await world.token({ exp: NOW + 1000 });
    for (let at = 0; at < 10; at++) expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(1);
    expect(await world.as(await world.token({}, other))).toBe(401);
    const { fetches } = world;
    world.network = new Map();
    world.publish(other);
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(fetches);
    world.pass(61);
    const arrive = world.hold();
    expect(await world.as(token)).toBe(201);
    expect(world.fetches).toBe(fetches + 1);
    await arrive();
    expect(await world.as(token)).toBe(401);
  });

  it('that were withdrawn do not count any more where there is a network', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    world.kept.set(KEYS, [key.published]);
    world.publish(other);
    expect(await world.as(await world.token())).toBe(401);
  });

  it('are asked for where the clock was set back', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    world.pass(86_400);
    expect(await world.as(await world.token({ exp: undefined }))).toBe(201);
    world.pass(-86_400);
    world.publish(other);
    expect(await world.as(await world.token({ exp: undefined }, other))).toBe(201);
  });

  it('that are long in coming hold up nobody', async () => {
    const world = await World.open();
    await world.provider(WRITER);
    const arrive = world.hold();
    const token = await world.token();
    const waiting = world.as(token);
    // A writer that has lost to others, and would be alone the next time.
    await world.root(`{"create":${COUNTER},"params":{"object":{}}}`);
    const asking = world.answer('secret', `{"do":[{"update":${COUNTER},"params":{"object":{"data":{"object":{"by":"key"}}}}},{"key_from_secret":"${token}"}]}`);
    for (let at = 0; at < 5; at++) await world.root(`{"update":${COUNTER},"params":{"object":{"data":{"object":{"n":${at}}}}}}`);
    await arrive();
    expect(await waiting).toBe(201);
    expect(await asking).toMatchObject({ status: 400, code: 'instance not found' });
  });
});

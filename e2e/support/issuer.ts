// An issuer of web tokens that a database trusts.
import type { Page } from 'playwright/test';
import { type SigningKey, webToken } from '../../src/testing/issuer.ts';
import { send } from './http.ts';
import { openControlled } from './page.ts';
import { createCollections, query } from './queries.ts';
import { expect } from './test.ts';

export const ISSUER = 'https://issuer.example/';
export const KEYS = 'https://issuer.example/.well-known/jwks.json';

/** Makes a database that trusts the issuer. @returns the audience by which tokens name it */
export async function trustIssuer(page: Page): Promise<string> {
  await openControlled(page);
  await query(page, createCollections('spells'));
  const actions = { object: { create: true, read: true } };
  await query(page, { create_role: { object: { name: 'wizard', privileges: [{ object: { resource: { collection: 'spells' }, actions } }] } } });
  const provider = { name: 'issuer', issuer: ISSUER, jwks_uri: KEYS, roles: [{ role: 'wizard' }] };
  return query(page, { select: 'audience', from: { create_access_provider: { object: provider } } });
}

export const tokenFor = (aud: string, key: SigningKey): Promise<string> => webToken(key, { iss: ISSUER, aud, sub: 'user|7', exp: Math.floor(Date.now() / 1000) + 600 });

export async function askAs(page: Page, token: string, expression: unknown): Promise<readonly [number, unknown]> {
  const headers = { Authorization: `Bearer ${token}`, 'X-FaunaDB-API-Version': '4' };
  const { status, text } = await send(page, 'fetch', { body: JSON.stringify(expression), headers });
  return [status, (JSON.parse(text) as { resource?: unknown }).resource];
}

export async function expectToBeGood(page: Page, token: string): Promise<void> {
  expect(await askAs(page, token, { current_identity: null })).toEqual([200, 'user|7']);
  expect((await askAs(page, token, { create: { collection: 'spells' }, params: { object: {} } }))[0]).toBe(201);
  expect((await askAs(page, token, { create_collection: { object: { name: 'more' } } }))[0]).toBe(403);
}

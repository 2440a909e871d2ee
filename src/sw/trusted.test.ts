import { afterEach, expect, it, vi } from 'vitest';
import { trusted } from './trusted.ts';

afterEach(() => void vi.unstubAllGlobals());

const ADDRESS = 'https://app.example/sw-engine.js';
const refuse = (): never => {
  throw new TypeError('refused');
};
const rule = (by: string) => ({ createScriptURL: (address: string) => `${address} by ${by}` });
const createPolicy = vi.fn((name: string) => rule(name));

it.each([
  ['there are none', undefined, ADDRESS],
  ['there is no default policy', { defaultPolicy: null, createPolicy }, `${ADDRESS} by vivarium`],
  ['the default policy decides', { defaultPolicy: rule('default'), createPolicy: refuse }, `${ADDRESS} by default`],
  ['the default policy has no rule for it', { defaultPolicy: { createScriptURL: refuse }, createPolicy }, `${ADDRESS} by vivarium`],
  ['neither may', { defaultPolicy: null, createPolicy: refuse }, ADDRESS],
])('where %s', (_, trustedTypes, expected) => {
  vi.stubGlobal('trustedTypes', trustedTypes);
  expect(trusted(ADDRESS)).toBe(expected);
});

it('the policy of our own lets the address pass as it is', () => {
  vi.stubGlobal('trustedTypes', { defaultPolicy: null, createPolicy: (_: string, rules: object) => rules });
  expect(trusted(ADDRESS)).toBe(ADDRESS);
});

import { expect, it } from 'vitest';
import { hostOptionsFromSearch, hostOptionsToSearch } from './host-options.ts';
import { DEFAULT_ALIASES } from './routes.ts';

it('the options of a page come out of its service worker’s address as they went in', () => {
  for (const options of [
    { name: 'vivarium', base: '/', aliases: DEFAULT_ALIASES, rest: false },
    { name: 'a b&c=ü', base: '/app/', aliases: ['db.test:8443', '*.fauna.test'], rest: true },
    { name: 'x', base: '/', aliases: [], rest: false },
  ]) {
    expect(hostOptionsFromSearch(`?${hostOptionsToSearch(options)}`)).toEqual(options);
  }
});

it('the usual options make a short address', () => {
  expect(hostOptionsToSearch({ name: 'vivarium', base: '/', aliases: DEFAULT_ALIASES, rest: false })).toBe('name=vivarium&base=%2F');
});

it('a script registered without options serves the default database at the root', () => {
  expect(hostOptionsFromSearch('')).toEqual({ name: 'vivarium', base: '/', aliases: DEFAULT_ALIASES, rest: false });
});

it('count where an address has the same names before them', () => {
  const options = { name: 'db', base: '/db/', aliases: [], rest: true };
  expect(hostOptionsFromSearch(`?name=theirs&base=/x/&aliases=a.example&rest=0&${hostOptionsToSearch(options)}`)).toEqual(options);
});

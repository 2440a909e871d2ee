import { describe, expect, it } from 'vitest';
import { DEFAULT_ALIASES, matchRequest } from './routes.ts';

const config = { origin: 'https://app.example', base: '/', aliases: DEFAULT_ALIASES, rest: false };
const match = (method: string, url: string, changes: Partial<typeof config> = {}) =>
  matchRequest(new URL(url), method, { ...config, ...changes });

describe('on the page’s own origin', () => {
  it.each([
    ['POST', '/', { path: '/', search: '' }],
    ['OPTIONS', '/', { path: '/', search: '' }],
    ['DELETE', '/', { path: '/', search: '' }],
    ['GET', '/?q=1', { path: '/', search: 'q=1' }],
    ['POST', '/graphql', { path: '/graphql', search: '' }],
    ['GET', '/graphql?query=%7Bx%7D', { path: '/graphql', search: 'query=%7Bx%7D' }],
    ['DELETE', '/graphql', { path: '/graphql', search: '' }],
    ['POST', '/import?mode=override', { path: '/import', search: 'mode=override' }],
    ['GET', '/import', { path: '/import', search: '' }],
    ['GET', '/ping?scope=all', { path: '/ping', search: 'scope=all' }],
    ['HEAD', '/ping', { path: '/ping', search: '' }],
    ['POST', '/stream?fields=diff', { path: '/stream', search: 'fields=diff' }],
    ['POST', '/linearized', { path: '/linearized', search: '' }],
    ['GET', '/authorized', { path: '/authorized', search: '' }],
  ])('%s %s is ours', (method, path, route) => {
    expect(match(method, `https://app.example${path}`)).toEqual(route);
  });

  it.each([
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/?page=2'],
    ['GET', '/index.html'],
    ['GET', '/assets/app.js'],
    ['POST', '/api/users'],
    ['POST', '/graphql/more'],
    ['GET', '/graphql-docs'],
    ['POST', '/classes/spells'],
    ['GET', '/indexes'],
  ])('%s %s is the application’s', (method, path) => {
    expect(match(method, `https://app.example${path}`)).toBeNull();
  });

  it.each([
    ['GET', '/classes'],
    ['POST', '/classes/spells'],
    ['PATCH', '/classes/spells/1'],
    ['GET', '/indexes/all/events'],
    ['DELETE', '/access_providers/x'],
  ])('%s %s is ours where REST is asked for', (method, path) => {
    expect(match(method, `https://app.example${path}`, { rest: true })).toEqual({ path, search: '' });
  });

  it('asking for REST takes no other path', () => {
    expect(match('POST', 'https://app.example/classroom', { rest: true })).toBeNull();
    expect(match('GET', 'https://app.example/', { rest: true })).toBeNull();
  });
});

describe('below a base', () => {
  it.each([
    ['https://app.example/db/', { path: '/', search: '' }],
    ['https://app.example/db', { path: '/', search: '' }],
    ['https://app.example/db/graphql', { path: '/graphql', search: '' }],
    ['https://app.example/graphql', null],
    ['https://app.example/', null],
    ['https://app.example/dbx', null],
  ])('POST %s', (url, route) => {
    expect(match('POST', url, { base: '/db/' })).toEqual(route);
  });
});

describe('an alias host', () => {
  it.each([
    'https://db.fauna.com/',
    'http://db.fauna.com/',
    'https://db.us.fauna.com/',
    'https://db.eu.fauna.com/',
    'https://graphql.fauna.com/graphql',
    'https://graphql.us.fauna.com/import',
    'https://graphql.eu.fauna.com/graphql',
    'https://db.fauna-preview.com/',
    'http://localhost:8443/',
    'https://localhost:8443/',
    'http://localhost:8084/import',
  ])('%s is ours whatever the method', (url) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      expect(match(method, url)).toEqual({ path: new URL(url).pathname, search: '' });
    }
  });

  it.each([
    'https://fauna.com/',
    'https://docs.fauna.com/',
    'https://db.fauna.com.evil.example/',
    'https://xdb.fauna.com/',
    'https://fauna-preview.com.example/',
    'https://db.fauna.com:8443/',
    'http://localhost:8000/',
    'https://other.example/graphql',
    'ws://db.fauna.com/',
    'data:text/plain,db.fauna.com',
  ])('%s is not', (url) => {
    expect(match('POST', url)).toBeNull();
  });

  it('keeps its whole path and query', () => {
    expect(match('PUT', 'https://db.fauna.com/any/path?a=1&b=%20')).toEqual({ path: '/any/path', search: 'a=1&b=%20' });
  });

  it('does not take the files of a page that is served from it', () => {
    const own = { origin: 'http://localhost:8443' };
    expect(match('GET', 'http://localhost:8443/assets/app.js', own)).toBeNull();
    expect(match('POST', 'http://localhost:8443/', own)).toEqual({ path: '/', search: '' });
  });

  it('is given up when the list is replaced', () => {
    expect(match('POST', 'https://db.fauna.com/', { aliases: ['db.test'] })).toBeNull();
    expect(match('POST', 'https://db.test/', { aliases: ['db.test'] })).toEqual({ path: '/', search: '' });
  });
});

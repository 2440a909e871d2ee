import { describe, expect, it } from 'vitest';
import { readGraphqlRequest, RequestBodyError } from './request-body.ts';

describe('the body of a request', () => {
  it('keeps integers apart from other numbers, and exact', () => {
    const { query, variables, operationName } = readGraphqlRequest('{"query":"{ a }","variables":{"n":9007199254740993,"x":1.5,"l":[1,null]},"operationName":""}');
    expect([query, operationName, { ...variables }]).toEqual(['{ a }', null, { n: 9007199254740993n, x: 1.5, l: [1n, null] }]);
  });

  it('may leave out variables and name', () => {
    expect(readGraphqlRequest('{"query":"{ a }"}')).toEqual({ query: '{ a }', variables: null, operationName: null });
  });

  it.each(['', 'x', '[]', '{}', '{"query":1}', '{"query":"{ a }","variables":[]}', '{"query":"{ a }","operationName":1}'])('is refused: %s', (text) => {
    expect(() => readGraphqlRequest(text)).toThrow(RequestBodyError);
  });
});

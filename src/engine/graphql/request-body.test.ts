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

  it('leaves numbers that fit nowhere to the types of the variables', () => {
    const { variables } = readGraphqlRequest('{"query":"{ a }","variables":{"n":-9223372036854775809,"m":123456789012345678901234567890,"x":-1e999}}');
    expect({ ...variables }).toEqual({ n: -9223372036854775809n, m: 123456789012345678901234567890n, x: -Infinity });
    const digits = '9'.repeat(1_000_000);
    expect({ ...readGraphqlRequest(`{"query":"{ a }","variables":{"n":${digits}}}`).variables }).toEqual({ n: Infinity });
  });

  it('that nests too deeply is told so', () => {
    const read = (depth: number) => () => readGraphqlRequest(`{"query":"{ a }","variables":{"v":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
    expect(read(990)).not.toThrow();
    expect(read(1000)).toThrow('Request body JSON exceeds nesting limit.');
  });

  it.each(['', 'x', '[]', '{}', '{"query":1}', '{"query":"{ a }","variables":[]}', '{"query":"{ a }","operationName":1}'])('is refused: %s', (text) => {
    expect(() => readGraphqlRequest(text)).toThrow(RequestBodyError);
  });
});

import { describe, expect, it } from 'vitest';
import { errorsOf } from './answer-errors.ts';

const errors = (status: number, body: unknown) =>
  errorsOf({ status, text: typeof body === 'string' ? body : JSON.stringify(body) });

describe('errors of an answer', () => {
  it('has none for a success, whatever its data are called', () => {
    expect(errors(200, { resource: { errors: [{ description: 'a stored one' }] } })).toEqual([]);
    expect(errors(200, 'Schema imported successfully.')).toEqual([]);
  });

  it('reads position, code and description of a query error', () => {
    expect(errors(404, { errors: [{ position: ['map', 'expr', 0], code: 'instance not found', description: 'Instance not found.' }] })).toEqual([
      { code: 'instance not found', description: 'Instance not found.', at: 'map › expr › 0' },
    ]);
    expect(errors(401, { errors: [{ code: 'unauthorized', description: 'Unauthorized' }] })).toEqual([
      { code: 'unauthorized', description: 'Unauthorized', hint: expect.stringContaining('`secret`') },
    ]);
  });

  it('adds what to do about a query that is not JSON', () => {
    const [error] = errors(400, { errors: [{ position: [], code: 'invalid expression', description: 'Request body is not valid JSON.' }] });
    expect(error?.hint).toContain('`Get(Ref(Collection("City"), "1"))` is `{ "get"');
  });

  it('says what lacks where an example is run without the sample', () => {
    const hints = (name: string) => errors(400, { errors: [{ position: [], code: 'invalid ref', description: `Ref refers to undefined ${name}` }] }).map(({ hint }) => hint);
    for (const name of ["index 'citiesByName'", "index 'countriesByContinent'", "collection 'City'", "collection 'Country'"]) {
      expect(hints(name)).toEqual(['This is in the sample data: load the sample.']);
    }
    expect(hints("collection 'Cities'")).toEqual([undefined]);
  });

  it('says where a query is no JSON, and how code is written only of what looks like code', () => {
    const text = JSON.stringify({ errors: [{ position: [], code: 'invalid expression', description: 'Request body is not valid JSON.' }] });
    const shown = (looksLikeCode: boolean) => errorsOf({ status: 400, text, notJson: { at: 'line 2, column 5', words: 'Expected a value.', looksLikeCode } })[0];
    expect(shown(false)).toEqual({ code: 'invalid expression', description: 'Request body is not valid JSON.', at: 'line 2, column 5', hint: 'Expected a value.' });
    expect(shown(true)?.hint).toContain('Reference');
  });

  it('keeps the order of a path through names that run from the right', () => {
    expect(errors(404, { errors: [{ position: ['الاسم', 'name', 'البلد'], code: 'value not found', description: 'None.' }] })[0]?.at).toBe('\u2068الاسم\u2069 › name › \u2068البلد\u2069');
  });

  it('says nothing more of an error that is called like something every object has', () => {
    expect(errorsOf({ status: 400, text: '{"errors":[{"code":"transaction aborted","description":"constructor"}]}' })).toEqual([
      { code: 'transaction aborted', description: 'constructor' },
    ]);
  });

  it('lists failures of fields and causes after their error', () => {
    expect(
      errors(400, {
        errors: [
          {
            position: ['create'],
            code: 'validation failed',
            description: 'document data is not valid.',
            failures: [{ field: ['data', 'name'], code: 'invalid type', description: 'Invalid type.' }],
            cause: [{ position: ['expr'], code: 'call error', description: 'Inside.' }],
          },
        ],
      }),
    ).toEqual([
      { code: 'validation failed', description: 'document data is not valid.', at: 'create' },
      { code: 'invalid type', description: 'Invalid type.', at: 'field data › name' },
      { code: 'call error', description: 'Inside.', at: 'create › expr' },
    ]);
  });

  it('reads message, code and places of a GraphQL error', () => {
    expect(errors(200, { errors: [{ message: 'Instance is not unique.', extensions: { code: 'instance not unique' } }] })).toEqual([
      { code: 'instance not unique', description: 'Instance is not unique.' },
    ]);
    expect(errors(200, { data: null, errors: [{ message: 'No.', locations: [{ line: 2, column: 3 }], path: ['a', 0] }] })).toEqual([
      { description: 'No.', at: 'line 2, column 3; a › 0' },
    ]);
  });

  it('says what to do where GraphQL has no schema yet', () => {
    const message = 'Must provide schema definition with query type or a type named Query.';
    expect(errors(200, { data: null, errors: [{ message }] })).toEqual([{ description: message, hint: expect.stringContaining('under Schema') }]);
  });

  it('takes the text of a refusal that is not JSON', () => {
    expect(errors(400, 'Nothing was imported.\n')).toEqual([{ code: 'HTTP 400', description: 'Nothing was imported.' }]);
    expect(errors(401, 'Invalid database secret.')).toEqual([
      { code: 'HTTP 401', description: 'Invalid database secret.', hint: expect.stringContaining('`secret`') },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { runForm, stubContext } from '../../../testing/run-form.ts';
import { UnresolvedRef } from '../../value/value.ts';
import { WIRE_VERSIONS } from '../../wire/version.ts';
import { logic } from './logic.ts';

const before3 = stubContext({ wire: WIRE_VERSIONS['2.12'] });

describe('and, or', () => {
  it('stop at the operand that decides, from version 3 on', async () => {
    expect(await runForm(logic, '{"and":[false,{"abort":"no"}]}')).toBe('false');
    expect(await runForm(logic, '{"or":[true,1]}')).toBe('true');
  });

  it('look at all operands until version 2.12', async () => {
    expect(await runForm(logic, '{"and":[false,1]}', before3)).toBe('invalid argument: Boolean expected, Integer provided. @ and.1');
    expect(await runForm(logic, '{"or":[true,{"abort":"no"}]}', before3)).toBe('transaction aborted: no @ or.1');
    expect(await runForm(logic, '{"or":[false,true]}', before3)).toBe('true');
    expect(await runForm(logic, '{"and":[true,true]}', before3)).toBe('true');
  });

  it('report a single wrong operand at index 0 from version 3 on, without an index before', async () => {
    expect(await runForm(logic, '{"and":1}')).toBe('invalid argument: Boolean expected, Integer provided. @ and.0');
    expect(await runForm(logic, '{"and":1}', before3)).toBe('invalid argument: Boolean expected, Integer provided. @ and');
  });

  it('refuse an empty list until version 2.12', async () => {
    expect(await runForm(logic, '{"or":[]}', before3)).toBe('invalid argument: Non-empty array expected. @ or');
  });

  it('take many operands without growing the stack', async () => {
    expect(await runForm(logic, `{"and":[${'true,'.repeat(20_000)}false]}`)).toBe('false');
  });
});

describe('not', () => {
  it('takes booleans only', async () => {
    expect(await runForm(logic, '{"not":false}')).toBe('true');
    expect(await runForm(logic, '{"not":null}')).toBe('invalid argument: Boolean expected, Null provided. @ not');
  });
});

describe('equals', () => {
  it.each([
    ['[1,1.0]', 'true'],
    ['[[1],[1.0]]', 'false'],
    ['[1]', 'true'],
    ['["a","a","b"]', 'false'],
    ['[null,false]', 'false'],
  ])('of %s is %s', async (operands, result) => {
    expect(await runForm(logic, `{"equals":${operands}}`)).toBe(result);
  });

  it('needs an operand', async () => {
    expect(await runForm(logic, '{"equals":[]}')).toBe('invalid argument: Non-empty array expected. @ equals');
  });
});

describe('comparisons', () => {
  it.each([
    ['{"lt":[1,2,3]}', 'true'],
    ['{"lt":[1,3,2]}', 'false'],
    ['{"lt":[2,"a",[],{"object":{}},true,null]}', 'true'],
    ['{"lte":[1,1.0,1]}', 'true'],
    ['{"gt":[3,2,2]}', 'false'],
    ['{"gte":[3,2,2]}', 'true'],
    ['{"gte":7}', 'true'],
  ])('%s is %s', async (query, result) => {
    expect(await runForm(logic, query)).toBe(result);
  });

  it('refuse each unresolved ref', async () => {
    const variables = { a: new UnresolvedRef('collection', 'a'), b: new UnresolvedRef('index', 'b') };
    expect(await runForm(logic, '{"lt":[{"var":"a"},1,{"var":"b"}]}', stubContext(), variables)).toBe(
      "invalid ref: Ref refers to undefined collection 'a' @ lt; invalid ref: Ref refers to undefined index 'b' @ lt",
    );
  });
});

describe('abort', () => {
  it('fails with its message', async () => {
    expect(await runForm(logic, '{"abort":"enough"}')).toBe('transaction aborted: enough @ ');
  });
});
